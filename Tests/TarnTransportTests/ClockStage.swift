import Testing

@testable import TarnTransport

/// A stage whose time passes only when the test says so: what a minute brings is there at once, and
/// nothing that a test waits for comes early because the machine is slow.
final class ClockStage {
    /// One test uses it, on one thread: that is why it is Sendable without the compiler's proof.
    private final class Clock: @unchecked Sendable {
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
    }

    private let clock = Clock()
    let loop: EventLoop
    /// Of the server; clients have their own.
    var limits = TransportLimits()
    let server = Recorder()
    private(set) var listener: Listener?
    private var clients: [Recorder] = []

    init() throws {
        let clock = self.clock
        loop = try EventLoop(name: "clock stage", clock: { clock.now })
    }

    deinit {
        for recorder in clients + [server] {
            recorder.connector?.cancel()
            for connection in recorder.opened { connection.abort() }
        }
        settle()
        listener?.stop()
    }

    @discardableResult
    func listen(census: ConnectionCensus? = nil) throws -> UInt16 {
        let server = self.server
        let listener = try Listener(
            on: loop, host: "127.0.0.1", port: 0, credentials: Certificates.shared.credentials(),
            limits: limits, census: census, accept: { _ in server })
        self.listener = listener
        return listener.port
    }

    /// A client that has plenty of time, unless its limits say otherwise.
    func connect(_ change: (inout TransportLimits) -> Void = { _ in }) throws -> Recorder {
        var limits = TransportLimits()
        limits.pingInterval = .seconds(1_000_000)
        limits.stallTimeout = .seconds(1_000_000)
        limits.handshakeTimeout = .seconds(1_000_000)
        change(&limits)
        let client = Recorder()
        clients.append(client)
        client.connector = Connector(
            to: Endpoint(host: "127.0.0.1", port: listener?.port ?? 1), on: loop,
            trust: try TLSClientContext(trust: .authority(Certificates.shared.authority)),
            limits: limits, handler: client)
        return client
    }

    /// A client and the server's side of it, when both are open.
    func open(
        _ change: (inout TransportLimits) -> Void = { _ in }
    ) throws -> (client: Recorder, server: SecureConnection) {
        let client = try connect(change)
        let count = server.openedCount
        run("opening") { client.openedCount == 1 && self.server.openedCount == count + 1 }
        return (client, try #require(server.opened.last))
    }

    /// Turns until the condition holds, without any time passing for the loop.
    func run(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
        until condition: () -> Bool
    ) {
        let deadline = MonotonicTime.now() + .seconds(20)
        while !condition() {
            guard MonotonicTime.now() < deadline else {
                Issue.record("it never came: \(what)", sourceLocation: sourceLocation)
                return
            }
            _ = loop.runOneTurn(waiting: 20)
        }
    }

    /// Turns until nothing happens any more.
    func settle() {
        while loop.runOneTurn(waiting: 20) {}
    }

    /// Lets time pass, from one timer to the next.
    func pass(_ duration: Duration) {
        settle()
        let end = clock.now + duration
        while let next = loop.nextTimerTime, next <= end {
            clock.now = max(clock.now, next)
            settle()
        }
        clock.now = end
        settle()
    }
}
