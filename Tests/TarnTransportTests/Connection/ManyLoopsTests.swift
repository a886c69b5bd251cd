import Synchronization
import TarnTransport
import Testing

@Suite struct ManyLoopsTests {
    /// Echoes, on whichever loop it is. Each is used by its own connection's loop alone, and the
    /// set of names is guarded: that is why it is Sendable.
    private final class Echo: ConnectionHandler, @unchecked Sendable {
        let names: NameSet

        init(names: NameSet) {
            self.names = names
        }

        func connectionOpened(_ connection: SecureConnection) {
            connection.loop.preconditionOnThread()
            names.value.withLock { _ = $0.insert(connection.loop.name) }
        }

        func connectionReceived(
            _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
        ) {
            connection.send(payload)
        }

        func connectionCaughtUp(_ connection: SecureConnection) {}

        func connectionDrained(_ connection: SecureConnection) {}

        func connectionEnded(_ end: ConnectionEnd) {}
    }

    private final class NameSet: Sendable {
        let value = Mutex<Set<String>>([])
    }

    @Test func `connections are dealt to all loops, and each is served on its own`() throws {
        let stage = try Stage()
        let loops = try (1...3).map { try EventLoop(name: "loop \($0)") }
        for loop in loops { try loop.startThread() }
        let names = NameSet()
        let listener = try Listener(
            on: stage.loop, host: "127.0.0.1", port: 0,
            credentials: Certificates.shared.credentials(), connectionLoops: loops,
            accept: { _ in Echo(names: names) })
        let trust = try TLSClientContext(trust: .authority(Certificates.shared.authority))
        let clients = (0..<12).map { number in
            let client = Recorder()
            client.onOpened = { connection in
                for round in 0..<50 { connection.send([UInt8(number), UInt8(round)]) }
            }
            Connector(
                to: Endpoint(host: "127.0.0.1", port: listener.port), on: stage.loop,
                trust: trust, handler: client)
            return client
        }

        stage.run("all echoes") { clients.allSatisfy { $0.messages.count == 50 } }
        for client in clients { client.connection?.close() }
        stage.run("all ends") { clients.allSatisfy { $0.end != nil } }
        stage.run("the release") { listener.connectionCount == 0 }
        listener.stop()
        for loop in loops { loop.stop() }

        for (number, client) in clients.enumerated() {
            #expect(client.messages.map(\.payload) == (0..<50).map { [UInt8(number), $0] })
        }
        #expect(names.value.withLock { $0 } == ["loop 1", "loop 2", "loop 3"])
    }
}
