import Glibc
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

    @Test func `when descriptors run out the loop rests, and goes on when there are some`() async {
        await #expect(processExitsWith: .success) {
            let stage = try Stage()
            let port = try stage.listen().port
            let sockets = try (0..<3).map { _ in try RawSocket(port: port) }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let before = limit
            let lowest = open("/dev/null", O_RDONLY)
            close(lowest)
            limit.rlim_cur = rlim_t(lowest)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)

            let used = clock()
            var isLater = false
            stage.loop.schedule(after: .milliseconds(300)) { isLater = true }
            stage.run("a while") { isLater }
            let isQuiet = Double(clock() - used) / Double(CLOCKS_PER_SEC) < 0.2
            let isRefused = stage.listener?.acceptedCount == 0

            limit = before
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            stage.run("the admissions") { stage.listener?.acceptedCount == sockets.count }
            stage.listener?.stop()
            _exit(isQuiet && isRefused ? 0 : 1)
        }
    }
}
