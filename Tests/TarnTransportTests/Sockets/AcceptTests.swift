import Glibc
import Testing

@testable import TarnTransport

/// What happens at the door: too many at once, and nothing left to open it with.
@Suite struct AcceptTests {
    /// Lets the process have no descriptor more than it has, or as many as it may.
    private static func setDescriptorsLeft(_ isNone: Bool) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let lowest = open("/dev/null", O_RDONLY)
        close(lowest)
        limit.rlim_cur = isNone ? rlim_t(lowest) : limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    @Test func `without descriptors the door rests, those inside go on, and none waits for ever`()
        async
    {
        await #expect(processExitsWith: .success) {
            let stage = try ClockStage()
            let port = try stage.listen()
            let (client, _) = try stage.open()
            stage.server.echo()
            let sockets = try (0..<3).map { _ in try RawSocket(port: port) }
            Self.setDescriptorsLeft(true)
            let turnsBefore = stage.loop.turnCount

            // At first they wait: there may be descriptors in a moment.
            stage.pass(stage.limits.exhaustedPause - .milliseconds(1))
            let waited = stage.listener?.turnedAwayCount == 0
            client.connection?.send([1, 2, 3])
            stage.run("an echo") { client.messages.count == 1 }
            // Then they are hung up on, and so is everybody who comes; a second has few turns.
            stage.pass(.seconds(1))
            let hungUp = stage.listener?.turnedAwayCount == 3
            let ends = sockets.map { $0.readToEnd() }
            let turns = stage.loop.turnCount - turnsBefore
            client.connection?.send([4])
            stage.run("another echo") { client.messages.count == 2 }

            Self.setDescriptorsLeft(false)
            stage.pass(stage.limits.exhaustedPause)
            let again = try stage.open()
            stage.listener?.stop()
            let isGood =
                waited && hungUp && ends.allSatisfy(\.isEmpty) && turns < 100
                && again.client.openedCount == 1 && client.end == nil
            _exit(isGood ? 0 : 1)
        }
    }

    @Test func `descriptors that are back in time turn nobody away`() async {
        await #expect(processExitsWith: .success) {
            let stage = try ClockStage()
            let port = try stage.listen()
            let sockets = try (0..<3).map { _ in try RawSocket(port: port) }
            Self.setDescriptorsLeft(true)
            stage.pass(stage.limits.exhaustedPause - .milliseconds(1))
            let before = stage.listener?.acceptedCount

            Self.setDescriptorsLeft(false)
            stage.pass(.milliseconds(1))
            let isGood =
                before == 0 && stage.listener?.acceptedCount == sockets.count
                && stage.listener?.turnedAwayCount == 0
            stage.listener?.stop()
            _exit(isGood ? 0 : 1)
        }
    }

    @Test func `in a storm those inside are served between the arrivals`() throws {
        let stage = try ClockStage()
        stage.limits.strangerCountMax = 2_000
        let port = try stage.listen()
        let (client, _) = try stage.open()
        stage.server.echo()
        client.onReceived = { _, connection in connection.send([1]) }
        client.connection?.send([1])
        stage.run("the first echo") { client.messages.count == 1 }

        let storm = try (0..<800).map { _ in try RawSocket(port: port) }
        let echoesBefore = client.messages.count
        let turnsBefore = stage.loop.turnCount
        stage.run("all arrivals") { stage.listener?.acceptedCount == storm.count + 1 }

        // A turn takes sixteen of them; an echo takes two turns, there and back.
        let turns = stage.loop.turnCount - turnsBefore
        #expect(turns >= 800 / 16)
        #expect(client.messages.count - echoesBefore >= turns / 2 - 1)
        client.onReceived = { _, _ in }
    }

    @Test func `thousands at once are spread evenly over the loops, and all are served`() async {
        await #expect(processExitsWith: .success) {
            Self.setDescriptorsLeft(false)
            let stage = try Stage()
            stage.limits.strangerCountMax = 5_000
            let loops = try (1...2).map { try EventLoop(name: "loop \($0)") }
            for loop in loops { try loop.startThread() }
            let census = ConnectionCensus(limits: stage.limits)
            let server = Greeter()
            let listener = try Listener(
                on: stage.loop, host: "127.0.0.1", port: 0,
                credentials: Certificates.shared.credentials(), limits: stage.limits,
                connectionLoops: loops, census: census, accept: { _ in server })
            var storm: [RawSocket] = []
            // As many as the kernel lets wait, again and again.
            while storm.count < 3_000 {
                storm += try (0..<500).map { _ in try RawSocket(port: listener.port) }
                stage.run("their admission") { listener.acceptedCount == storm.count }
            }
            stage.run("all of them") { loops.allSatisfy { $0.counters.connections.count == 1_500 } }

            let trust = try TLSClientContext(trust: .authority(Certificates.shared.authority))
            let clients = (0..<10).map { _ in
                let client = Recorder()
                Connector(
                    to: Endpoint(host: "127.0.0.1", port: listener.port), on: stage.loop,
                    trust: trust, handler: client)
                return client
            }
            stage.run("ten greetings") { clients.allSatisfy { $0.messages.count == 1 } }
            storm = []
            for client in clients { client.connection?.abort() }
            stage.run("the release") { census.connectionCount == 0 }
            let isEmpty = loops.allSatisfy { $0.counters.connections.count == 0 }
            listener.stop()
            _exit(isEmpty ? 0 : 1)
        }
    }

    /// Says a word to everybody, on whichever loop; it has no state.
    private final class Greeter: ConnectionHandler, Sendable {
        func connectionOpened(_ connection: SecureConnection) { connection.send([1]) }
        func connectionReceived(
            _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
        ) {}
        func connectionCaughtUp(_ connection: SecureConnection) {}
        func connectionDrained(_ connection: SecureConnection) {}
        func connectionEnded(_ end: ConnectionEnd) {}
    }

    @Test func `a loop that many short connections come to does not get all the long ones`() throws
    {
        let loops = try (1...2).map { try EventLoop(name: "loop \($0)") }
        let dealer = LoopDealer(loops)
        var counts = [0, 0]

        for _ in 0..<100 {
            let long = dealer.next()
            counts[long.loop === loops[0] ? 0 : 1] += 1
            dealer.ended(on: dealer.next())
        }

        #expect(counts == [50, 50])
        #expect(dealer.connectionCount == 100)
    }

    @Test(arguments: [3, 10])
    func `the kernel lets as many wait as the backlog says, and one`(backlog: Int) throws {
        let stage = try ClockStage()
        stage.limits.backlogCountMax = backlog
        let port = try stage.listen()

        let connected = (0..<backlog + 3).map { _ in PendingSocket(port: port) }

        // Below and at the bound they are through at once; above it nobody answers.
        for socket in connected.prefix(backlog + 1) { #expect(socket.isConnected) }
        for socket in connected.suffix(2) { #expect(!socket.isConnected) }
        stage.run("the admissions") { (stage.listener?.acceptedCount ?? 0) >= backlog + 1 }
    }

    /// A connection that is not waited for.
    private final class PendingSocket {
        private let descriptor: Int32

        init(port: UInt16) {
            let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
            descriptor = socket(AF_INET, Int32(kind), 0)
            var address = RawSocket.loopback(port)
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }

        deinit { close(descriptor) }

        var isConnected: Bool {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLOUT) != 0
        }
    }
}
