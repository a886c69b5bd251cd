import TarnTesting
import TarnTransport
import Testing

@Suite struct ClientUpgradeTests {
    private func client(host: String = "tarn.example") -> ClientUpgrade {
        ClientUpgrade(
            host: host, port: 7443, path: "/sync", subprotocols: ["tarn.1"],
            key: Array("the sample nonce".utf8))
    }

    private static let good = """
        HTTP/1.1 101 Switching Protocols\r
        upgrade: WebSocket\r
        connection: upgrade\r
        sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
        sec-websocket-protocol: tarn.1\r
        \r

        """

    @Test func `its request is answered by our server, and the answer accepted`() throws {
        var client = client()
        var server = ServerUpgrade(policy: UpgradePolicy())

        let outcome = server.receive(client.request.span.bytes)

        guard case .upgraded(_, let answer, _) = outcome else {
            Issue.record("it is not upgraded")
            return
        }
        let opened = try client.receive((answer + [1, 2]).span.bytes)
        #expect(opened?.subprotocol == "tarn.1")
        #expect(opened?.rest == [1, 2])
    }

    @Test func `an address of IPv6 stands in brackets`() {
        let request = String(decoding: client(host: "::1").request, as: UTF8.self)

        #expect(request.contains("Host: [::1]:7443\r\n"))
    }

    @Test(
        arguments: [
            ("101 Switching Protocols", "404 Not Found", .upgradeRefused, "404 Not Found"),
            ("101 Switching Protocols", "200", .upgradeRefused, "200"),
            ("HTTP/1.1 101", "HTTP/1.0 101", .notWebSocket, "no status line"),
            ("HTTP/1.1 101 Switching Protocols", "ICY", .notWebSocket, "no status line"),
            ("upgrade: WebSocket", "upgrade: h2c", .notWebSocket, "switched to no WebSocket"),
            ("connection: upgrade", "connection: close", .notWebSocket, "switched to no WebSocket"),
            ("s3pPLMBi", "s3pPLMBj", .notWebSocket, "did not answer our key"),
            ("protocol: tarn.1", "protocol: chat", .notWebSocket, "speaks none of tarn.1"),
            ("sec-websocket-protocol: tarn.1\r\n", "", .notWebSocket, "speaks none of tarn.1"),
            (
                "tarn.1\r\n", "tarn.1\r\nSec-WebSocket-Extensions: x\r\n", .notWebSocket,
                "an extension"
            ),
            ("connection:", "connection :", .notWebSocket, "a header's name"),
        ] as [(String, String, TransportError.Code, String)])
    func `an answer that does not fit says why`(
        old: String, new: String, code: TransportError.Code, word: String
    ) throws {
        let range = try #require(Self.good.firstRange(of: old))
        let answer = Self.good.replacingSubrange(range, with: new)
        var client = client()

        let error = #expect(throws: TransportError.self) {
            try client.receive(Array(answer.utf8).span.bytes)
        }

        #expect(error?.code == code)
        #expect(error?.sentence.contains(word) == true)
        #expect(error?.sentence.contains("tarn.example:7443") == true)
    }

    @Test(arguments: [200, 204, 301, 307, 400, 401, 403, 404, 405, 407, 426, 431, 500, 503, 505])
    func `every status but 101 is a refusal, and told`(status: Int) throws {
        let answer = Self.good.replacing("101 Switching Protocols", with: "\(status) Anything")
        var client = client()

        let error = #expect(throws: TransportError.self) {
            try client.receive(Array(answer.utf8).span.bytes)
        }

        #expect(error?.code == .upgradeRefused)
        #expect(error?.sentence.contains("\(status) Anything") == true)
    }

    @Test func `wherever the answer is cut, it is accepted`() throws {
        let bytes = Array(Self.good.utf8)
        for cut in 0..<bytes.count {
            var client = client()
            let before = try client.receive(Array(bytes[..<cut]).span.bytes)
            let after = try client.receive(Array(bytes[cut...]).span.bytes)
            #expect(before == nil)
            #expect(after?.subprotocol == "tarn.1")
        }
    }

    @Test func `an answer without end is refused at the limit`() {
        var client = client()

        let error = #expect(throws: TransportError.self) {
            try client.receive([UInt8](repeating: 65, count: 9000).span.bytes)
        }

        #expect(error?.code == .notWebSocket)
    }

    @Test(arguments: [UInt64](1...40))
    func `mutated answers never trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var bytes = Array(Self.good.utf8)
            let index = Int.random(in: 0..<bytes.count, using: &random)
            bytes[index] = UInt8.random(in: 0...255, using: &random)
            var client = client()
            do throws(TransportError) {
                _ = try client.receive(bytes.span.bytes)
            } catch {
                #expect([.notWebSocket, .upgradeRefused].contains(error.code))
            }
        }
    }
}

extension String {
    fileprivate func replacingSubrange(
        _ range: Range<Index>, with replacement: String
    ) -> String {
        var copy = self
        copy.replaceSubrange(range, with: replacement)
        return copy
    }
}
