import TarnTransport
import Testing

/// What is agreed on, as both ends see it (RFC 6455, sections 4.1, 4.2.2 and 11.3.4).
@Suite struct SubprotocolTests {
    private struct Agreed: Equatable {
        let server: String
        let client: String
    }

    /// Nil if the server refuses.
    private func negotiate(
        offered: [String], spoken: [String]?, path: String = "/sync"
    ) throws -> Agreed? {
        var client = ClientUpgrade(
            host: "tarn.example", port: 1, path: path, subprotocols: offered,
            key: Array("the sample nonce".utf8))
        let policy = UpgradePolicy(path: spoken == nil ? nil : "/sync", subprotocols: spoken)
        var server = ServerUpgrade(policy: policy)
        guard case .upgraded(let agreed, let answer, _) = server.receive(client.request.span.bytes)
        else { return nil }
        let opened = try client.receive(answer.span.bytes)
        return Agreed(server: agreed, client: opened?.subprotocol ?? "nothing yet")
    }

    @Test(
        arguments: [
            (["tarn.1"], ["tarn.1"], "tarn.1"),
            (["tarn.1", "tarn.2"], ["tarn.2", "tarn.1"], "tarn.2"),
            (["chat", "tarn.1"], ["tarn.2", "tarn.1"], "tarn.1"),
            (["chat"], ["tarn.1"], nil),
            (["TARN.1"], ["tarn.1"], nil),
            ([], ["tarn.1"], nil),
            (["chat", "soap"], nil, "chat"),
            ([], nil, ""),
        ] as [([String], [String]?, String?)])
    func `the server chooses what it prefers of what is offered, and the client agrees`(
        offered: [String], spoken: [String]?, expected: String?
    ) throws {
        let agreed = try negotiate(offered: offered, spoken: spoken)

        #expect(agreed == expected.map { Agreed(server: $0, client: $0) })
    }

    @Test(arguments: ["/", "/sync", "/any/where?case=1"])
    func `a policy without a path takes every one`(path: String) throws {
        #expect(try negotiate(offered: [], spoken: nil, path: path) != nil)
    }

    @Test func `a client that offers none accepts none`() throws {
        var client = ClientUpgrade(
            host: "tarn.example", port: 1, path: "/sync", subprotocols: [],
            key: Array("the sample nonce".utf8))
        var server = ServerUpgrade(policy: UpgradePolicy())
        var asked = ClientUpgrade(
            host: "tarn.example", port: 1, path: "/sync", subprotocols: ["tarn.1"],
            key: Array("the sample nonce".utf8))
        guard case .upgraded(_, let answer, _) = server.receive(asked.request.span.bytes) else {
            Issue.record("it is not upgraded")
            return
        }

        let error = #expect(throws: TransportError.self) { try client.receive(answer.span.bytes) }

        #expect(error?.code == .notWebSocket)
        #expect(try asked.receive(answer.span.bytes)?.subprotocol == "tarn.1")
        #expect(!String(decoding: client.request, as: UTF8.self).contains("Protocol"))
    }
}
