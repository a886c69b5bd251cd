import TarnTesting
import TarnTransport
import Testing

@Suite struct TLSSessionTests {
    private func sides(host: String = "localhost") throws -> (client: TLSSide, server: TLSSide) {
        let trust = try TLSClientContext(trust: .authority(Certificates.shared.authority))
        let client = try TLSSide(TLSSession(client: trust, host: host, port: 1))
        let server = try TLSSide(TLSSession(server: Certificates.shared.credentials()))
        client.receive([])
        return (client, server)
    }

    @Test(arguments: [1, 2, 7, 100, .max])
    func `the pieces in which bytes come do not matter`(pieces: Int) throws {
        let (client, server) = try sides()
        client.exchange(with: server, pieces: pieces)
        #expect(client.state == .established)
        #expect(server.state == .established)
        #expect(client.session.peerFingerprint == (try Certificates.shared.fingerprint()))

        var random = SeededGenerator(seed: 1)
        let question = random.bytes(20_000)
        let answer = random.bytes(3)
        try client.send(question)
        try server.send(answer)
        client.exchange(with: server, pieces: pieces)

        #expect(server.plain == question)
        #expect(client.plain == answer)
    }

    @Test func `who says that nothing more comes is heard`() throws {
        let (client, server) = try sides()
        client.exchange(with: server)

        try client.send([1])
        client.session.sendEnd()
        client.exchange(with: server)

        #expect(server.plain == [1])
        #expect(server.state == .ended)
        try server.send([2])
        client.exchange(with: server)
        #expect(client.plain == [2])
    }

    @Test func `nothing of a session is kept in its output when it is taken`() throws {
        let (client, server) = try sides()

        client.exchange(with: server)

        #expect(client.take().isEmpty)
        #expect(server.session.outputCount == 0)
    }

    @Test(arguments: [UInt64](1...40))
    func `bytes that were changed on their way end the session, and never trap`(seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        let (client, server) = try sides()
        if seed.isMultiple(of: 2) {
            client.exchange(with: server)
            try client.send(random.bytes(500))
        }
        var bytes = client.take()
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)

        server.receive(bytes)
        server.receive(random.bytes(100))

        // A handshake may forgive a bit of its padding or its random number at first, but nothing
        // that was changed is ever understood.
        #expect(server.plain.isEmpty)
        if let error = server.error { #expect(error.code == .secureSessionFailed) }
    }

    @Test(arguments: [UInt64](1...40))
    func `random bytes are no TLS`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (client, server) = try sides()

        client.receive(random.bytes(200))
        server.receive(random.bytes(200))

        #expect(client.state == .handshaking && client.plain.isEmpty)
        #expect(server.state == .handshaking && server.plain.isEmpty)
    }
}
