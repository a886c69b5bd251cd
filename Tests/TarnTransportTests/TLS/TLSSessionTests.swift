import TarnTesting
import TarnTransport
import Testing

@Suite struct TLSSessionTests {
    /// One side without a socket, with all that it has understood.
    private final class Side {
        let session: TLSSession
        var state = TLSSession.State.handshaking
        var plain: [UInt8] = []
        var error: TransportError?
        private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 8)

        init(_ session: consuming TLSSession) {
            self.session = session
        }

        deinit {
            scratch.deallocate()
        }

        func receive(_ bytes: [UInt8]) {
            guard error == nil else { return }
            do {
                state = try bytes.withUnsafeBytes { bytes in
                    try session.receive(bytes, scratch: scratch) { plain += $0 }
                }
            } catch {
                self.error = error as? TransportError
            }
        }

        /// At most `limit` bytes of what is to go to the network.
        func take(_ limit: Int = .max) -> [UInt8] {
            var taken: [UInt8] = []
            session.takeOutput { bytes in
                taken = Array(bytes.prefix(limit))
                return taken.count
            }
            return taken
        }

        func send(_ bytes: [UInt8]) throws {
            try bytes.withUnsafeBytes { bytes in
                try session.send(bytes, scratch: scratch) { _ in 0 }
            }
        }
    }

    private func sides(host: String = "localhost") throws -> (client: Side, server: Side) {
        let trust = try TLSClientContext(trust: .authority(Certificates.shared.authority))
        let client = try Side(TLSSession(client: trust, host: host))
        let server = try Side(TLSSession(server: Certificates.shared.credentials()))
        client.receive([])
        return (client, server)
    }

    private func exchange(_ one: Side, _ other: Side, pieces: Int = .max) {
        while one.session.outputCount + other.session.outputCount > 0 {
            other.receive(one.take(pieces))
            one.receive(other.take(pieces))
        }
    }

    @Test(arguments: [1, 2, 7, 100, .max])
    func `the pieces in which bytes come do not matter`(pieces: Int) throws {
        let (client, server) = try sides()
        exchange(client, server, pieces: pieces)
        #expect(client.state == .established)
        #expect(server.state == .established)
        #expect(client.session.peerFingerprint == (try Certificates.shared.fingerprint()))

        var random = SeededGenerator(seed: 1)
        let question = random.bytes(20_000)
        let answer = random.bytes(3)
        try client.send(question)
        try server.send(answer)
        exchange(client, server, pieces: pieces)

        #expect(server.plain == question)
        #expect(client.plain == answer)
    }

    @Test func `who says that nothing more comes is heard`() throws {
        let (client, server) = try sides()
        exchange(client, server)

        try client.send([1])
        client.session.sendEnd()
        exchange(client, server)

        #expect(server.plain == [1])
        #expect(server.state == .ended)
        try server.send([2])
        exchange(client, server)
        #expect(client.plain == [2])
    }

    @Test func `nothing of a session is kept in its output when it is taken`() throws {
        let (client, server) = try sides()

        exchange(client, server)

        #expect(client.take().isEmpty)
        #expect(server.session.outputCount == 0)
    }

    @Test(arguments: [UInt64](1...40))
    func `bytes that were changed on their way end the session, and never trap`(seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        let (client, server) = try sides()
        if seed.isMultiple(of: 2) {
            exchange(client, server)
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
