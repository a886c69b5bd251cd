import TarnTesting
import TarnTransport
import Testing

@Suite struct ServerUpgradeTests {
    static let headers = [
        "Host": "localhost:1", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Protocol": "chat, tarn.1",
    ]

    static func request(
        _ line: String = "GET /sync HTTP/1.1", _ changes: [String: String?] = [:],
        extra: String = ""
    ) -> String {
        let headers = Self.headers.merging(changes.mapValues { $0 ?? "" }) { _, new in new }
            .filter { !$0.value.isEmpty }
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
        return "\(line)\r\n\(lines.joined())\(extra)\r\n"
    }

    private func decide(
        _ request: String, policy: UpgradePolicy = UpgradePolicy(),
        limits: TransportLimits = TransportLimits()
    ) -> ServerUpgrade.Outcome? {
        var upgrade = ServerUpgrade(policy: policy, limits: limits)
        return upgrade.receive(Array(request.utf8).span.bytes)
    }

    private func status(_ outcome: ServerUpgrade.Outcome?) -> Int? {
        switch outcome {
        case .upgraded: 101
        case .answered(let bytes), .ended(let bytes):
            Int(String(decoding: bytes, as: UTF8.self).split(separator: " ")[1])
        case nil: nil
        }
    }

    @Test func `the handshake of the specification is answered as it says`() {
        let outcome = decide(Self.request())

        let answer = """
            HTTP/1.1 101 Switching Protocols\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
            Sec-WebSocket-Protocol: tarn.1\r
            \r

            """
        #expect(
            outcome == .upgraded(subprotocol: "tarn.1", answer: Array(answer.utf8), rest: []))
    }

    @Test(
        arguments: [
            "permessage-deflate", "permessage-deflate; client_max_window_bits",
            "permessage-deflate; server_max_window_bits=\"10\", x-webkit-deflate-frame",
            "permessage-deflate; server_max_window_bits=99", ";;=,", "",
            "bbf\r\nSec-WebSocket-Extensions: permessage-deflate",
        ])
    func `compression is declined in silence, however it is offered`(offer: String) {
        let request = Self.request(extra: "Sec-WebSocket-Extensions: \(offer)\r\n")

        guard case .upgraded(_, let answer, _) = decide(request) else {
            Issue.record("it is not upgraded")
            return
        }
        #expect(!String(decoding: answer, as: UTF8.self).lowercased().contains("extensions"))
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let status: Int

        init(_ status: Int, _ name: String, _ request: String) {
            testDescription = name
            self.request = request
            self.status = status
        }
    }

    static let refusals: [Refusal] = [
        Refusal(400, "no request line", "\r\n\r\n"),
        Refusal(400, "two words", request("GET /sync")),
        Refusal(400, "four words", request("GET /sync HTTP/1.1 x")),
        Refusal(400, "lines without CR", "GET /sync HTTP/1.1\nHost: a\n\r\n\r\n"),
        Refusal(400, "a name with a space", request(extra: "A B: c\r\n")),
        Refusal(400, "a folded line", request(extra: " more\r\n")),
        Refusal(400, "no colon", request(extra: "abc\r\n")),
        Refusal(400, "a control byte", request(extra: "A: b\u{1}\r\n")),
        Refusal(400, "no host", request(["Host": nil])),
        Refusal(400, "two hosts", request(extra: "Host: b\r\n")),
        Refusal(400, "a body", request(extra: "Content-Length: 3\r\n")),
        Refusal(400, "chunks", request(extra: "Transfer-Encoding: chunked\r\n")),
        Refusal(400, "no Connection", request(["Connection": nil])),
        Refusal(400, "no key", request(["Sec-WebSocket-Key": nil])),
        Refusal(400, "a short key", request(["Sec-WebSocket-Key": "YWJj"])),
        Refusal(
            400, "bits after the key", request(["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZR=="])),
        Refusal(400, "two keys", request(extra: "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n")),
        Refusal(400, "no subprotocol", request(["Sec-WebSocket-Protocol": nil])),
        Refusal(400, "other subprotocols", request(["Sec-WebSocket-Protocol": "tarn.2"])),
        Refusal(400, "no names", request(["Sec-WebSocket-Protocol": "tarn.1, a b"])),
        Refusal(403, "an empty origin", request(extra: "Origin: \r\n")),
        Refusal(403, "an origin", request(extra: "Origin: https://evil.example\r\n")),
        Refusal(403, "the origin null", request(extra: "Origin: null\r\n")),
        Refusal(404, "the root", request("GET / HTTP/1.1")),
        Refusal(404, "a longer path", request("GET /sync/x HTTP/1.1")),
        Refusal(405, "POST", request("POST /sync HTTP/1.1")),
        Refusal(405, "deleting health", request("DELETE /health HTTP/1.1")),
        Refusal(426, "no Upgrade", request(["Upgrade": nil])),
        Refusal(426, "version 8", request(["Sec-WebSocket-Version": "8"])),
        Refusal(426, "no version", request(["Sec-WebSocket-Version": nil])),
        Refusal(426, "HTTP/1.0", request("GET /sync HTTP/1.0")),
        Refusal(505, "HTTP/2", request("GET /sync HTTP/2.0")),
        Refusal(400, "half a version", request("GET /sync HTTP/1")),
        Refusal(400, "a version in lower case", request("GET /sync http/1.1")),
        Refusal(400, "a host that cannot be one", request(["Host": "a/b"])),
        Refusal(501, "no method", request("FETCH /sync HTTP/1.1")),
        Refusal(426, "HEAD of the WebSocket", request("HEAD /sync HTTP/1.1")),
    ]

    private static func request(_ changes: [String: String?]) -> String {
        request("GET /sync HTTP/1.1", changes)
    }

    @Test(arguments: refusals)
    func `what does not fit is refused with its status`(refusal: Refusal) {
        #expect(status(decide(refusal.request)) == refusal.status)
    }

    @Test(
        arguments: [
            (request("POST /sync HTTP/1.1"), "Allow: GET, HEAD\r\n"),
            (request("POST /health HTTP/1.1"), "Allow: GET, HEAD\r\n"),
            (request(["Upgrade": nil]), "Upgrade: websocket\r\n"),
            (request(["Sec-WebSocket-Version": "8"]), "Sec-WebSocket-Version: 13\r\n"),
            (request(["Sec-WebSocket-Protocol": "tarn.9"]), "tarn.1"),
        ])
    func `a refusal says what would be taken`(request: String, word: String) {
        switch decide(request) {
        case .answered(let bytes), .ended(let bytes):
            #expect(String(decoding: bytes, as: UTF8.self).contains(word))
        case .upgraded, nil:
            Issue.record("it is not refused")
        }
    }

    @Test(
        arguments: [
            ["Upgrade": "WebSocket"], ["Upgrade": "h2c, WEBSOCKET"], ["Connection": "UPGRADE"],
            ["Connection": "close, upgrade"], ["Sec-WebSocket-Protocol": "tarn.1"],
            ["Sec-WebSocket-Protocol": "chat\r\nsec-websocket-protocol: tarn.1,, tarn.9"],
            ["Host": "[::1]:7443"], ["Host": "tarn.example"],
        ])
    func `what the specification leaves open is taken`(changes: [String: String]) {
        let request = Self.request("GET /sync?device=1 HTTP/1.1", changes.mapValues { $0 })

        #expect(status(decide(request)) == 101)
    }

    @Test func `an origin that is allowed may connect`() {
        let policy = UpgradePolicy(allowedOrigins: ["https://tarn.example"])

        let allowed = decide(
            Self.request(extra: "Origin: https://tarn.example\r\n"), policy: policy)
        let other = decide(Self.request(extra: "Origin: http://tarn.example\r\n"), policy: policy)

        #expect(status(allowed) == 101)
        #expect(status(other) == 403)
    }

    @Test func `health is answered, and HEAD without the body`() throws {
        let policy = UpgradePolicy(health: { .json(status: 503, #"{"status":"starting"}"#) })

        let outcomes = ["GET", "HEAD"].map {
            decide("\($0) /health?verbose HTTP/1.1\r\nHost: a\r\n\r\n", policy: policy)
        }

        for outcome in outcomes { #expect(status(outcome) == 503) }
        guard case .answered(let full) = outcomes[0], case .answered(let head) = outcomes[1] else {
            Issue.record("it was upgraded")
            return
        }
        #expect(full == head + Array(#"{"status":"starting"}"#.utf8))
        #expect(String(decoding: head, as: UTF8.self).contains("Content-Length: 21\r\n"))
    }

    @Test(arguments: [(-1, 101), (0, 101), (1, 431)])
    func `a head is at most as long as the limit`(excess: Int, status expected: Int) {
        var limits = TransportLimits()
        let count = Self.request(extra: "X: \r\n").utf8.count
        limits.httpHeadByteCountMax = count + 100
        let padding = String(repeating: "x", count: 100 + excess)

        let outcome = decide(Self.request(extra: "X: \(padding)\r\n"), limits: limits)

        #expect(status(outcome) == expected)
    }

    @Test func `a head that never ends is refused at the limit`() {
        let endless = "GET /sync HTTP/1.1\r\nX: " + String(repeating: "x", count: 9000)

        #expect(status(decide(endless)) == 431)
    }

    @Test(arguments: [(56, 101), (57, 101), (58, 101), (59, 431)])
    func `a head has at most as many headers as the limit`(extra: Int, status expected: Int) {
        let more = String(repeating: "X: y\r\n", count: extra)

        #expect(status(decide(Self.request(extra: more))) == expected)
    }

    @Test func `wherever the request is cut, it is decided the same`() {
        let bytes = Array(Self.request().utf8) + [0x82, 0x80, 1, 2, 3, 4]
        var upgrade = ServerUpgrade(policy: UpgradePolicy())
        let whole = upgrade.receive(bytes.span.bytes)

        for cut in 0..<(bytes.count - 6) {
            var parted = ServerUpgrade(policy: UpgradePolicy())
            #expect(parted.receive(Array(bytes[..<cut]).span.bytes) == nil)
            #expect(parted.receive(Array(bytes[cut...]).span.bytes) == whole)
        }
        guard case .upgraded(_, _, let rest) = whole else {
            Issue.record("it is not upgraded")
            return
        }
        #expect(rest == [0x82, 0x80, 1, 2, 3, 4])
    }

    @Test(arguments: [UInt64](1...40))
    func `mutated requests never trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var bytes = Array(Self.request().utf8)
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            var upgrade = ServerUpgrade(policy: UpgradePolicy())
            if let outcome = upgrade.receive(bytes.span.bytes) {
                #expect([101, 400, 403, 404, 405, 426, 501, 505].contains(status(outcome)))
            }
        }
    }
}
