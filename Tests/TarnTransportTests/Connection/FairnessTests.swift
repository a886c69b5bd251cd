import TarnTesting
import TarnTransport
import Testing

/// Handshakes are the dearest thing that a loop does, and anybody may ask for many at once.
@Suite struct FairnessTests {
    /// What a client of TLS says first.
    private func hello() throws -> [UInt8] {
        let client = try TLSSide(
            TLSSession(client: TLSClientContext(trust: .system), host: "localhost", port: 1))
        client.receive([])
        return client.take()
    }

    @Test func `who is connected is answered before all handshakes are`() throws {
        let stage = try Stage()
        stage.server.echo()
        let port = try stage.listen().port
        let client = try stage.connect()
        stage.run("the session") { client.openedCount == 1 }
        let sockets = try (0..<60).map { _ in try RawSocket(port: port) }
        stage.run("their admission") { stage.listener?.acceptedCount == 61 }

        // Nothing is read until the loop runs again, and then it all is there at once.
        let hello = try hello()
        for socket in sockets { socket.write(hello) }
        client.connection?.send([1])
        var answered = -1
        client.onReceived = { _, _ in answered = sockets.count { $0.hasInput } }
        stage.run("the echo") { answered >= 0 }

        #expect(answered < 30)
        stage.run("all handshakes") { sockets.allSatisfy { $0.hasInput } }
    }

    @Test(arguments: [0, 1, 5, 100, .max])
    func `a handshake that stalls is ended, wherever it does`(byteCount: Int) throws {
        let stage = try Stage()
        stage.limits.handshakeTimeout = .milliseconds(50)
        let port = try stage.listen().port
        let socket = try RawSocket(port: port)
        socket.write(Array(try hello().prefix(byteCount)))
        stage.run("its admission") { stage.listener?.acceptedCount == 1 }

        stage.run("its release") { stage.listener?.connectionCount == 0 }

        #expect(stage.server.openedCount == 0)
    }

    @Test func `a handshake that trickles in is ended as well`() throws {
        let stage = try Stage()
        stage.limits.handshakeTimeout = .milliseconds(60)
        let port = try stage.listen().port
        let socket = try RawSocket(port: port)
        let hello = try hello()
        stage.run("its admission") { stage.listener?.acceptedCount == 1 }
        var sent = 0

        stage.run("its release") {
            if sent < hello.count - 1 { socket.write([hello[sent]]) }
            sent += 1
            return stage.listener?.connectionCount == 0
        }

        #expect(stage.server.openedCount == 0)
    }
}
