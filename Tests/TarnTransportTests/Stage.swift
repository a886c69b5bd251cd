import Synchronization
import TarnTransport
import Testing

/// One loop on the test's own thread, with a server and clients on it: nothing runs at the same
/// time as anything else, and waiting is running the loop.
final class Stage {
    let loop: EventLoop
    var limits = TransportLimits()
    private(set) var listener: Listener?
    let server = Recorder()
    private var clients: [Recorder] = []

    init() throws {
        loop = try EventLoop(name: "stage")
    }

    /// A loop and its connections hold each other until they end.
    deinit {
        let recorders = clients + [server]
        loop.execute {
            for recorder in recorders {
                recorder.connector?.cancel()
                for connection in recorder.opened { connection.abort() }
            }
        }
        loop.stop()
        loop.runOnCurrentThread()
        listener?.stop()
    }

    @discardableResult
    func listen(
        certificate: String = "server", allowsTLS12: Bool = false,
        policy: UpgradePolicy = UpgradePolicy(), census: ConnectionCensus? = nil
    ) throws -> Listener {
        let server = self.server
        let listener = try Listener(
            on: loop, host: "127.0.0.1", port: 0,
            credentials: Certificates.shared.credentials(certificate, allowsTLS12: allowsTLS12),
            policy: policy, limits: limits, census: census,
            accept: { _ in server })
        self.listener = listener
        return listener
    }

    /// Each with a trust of its own, unless a context is given.
    func connect(
        host: String = "localhost", port: UInt16? = nil, trust: TLSClientContext.Trust? = nil,
        context: TLSClientContext? = nil, path: String = "/sync",
        subprotocols: [String] = ["tarn.1"], client: Recorder = Recorder()
    ) throws -> Recorder {
        clients.append(client)
        client.connector = Connector(
            to: Endpoint(host: host, port: port ?? listener?.port ?? 1, path: path), on: loop,
            trust: try context
                ?? TLSClientContext(
                    trust: trust ?? .authority(Certificates.shared.authority)),
            subprotocols: subprotocols, limits: limits, handler: client)
        return client
    }

    /// Runs the loop until the condition holds; fails the test if it does not in time.
    func run(
        _ what: String, seconds: Int = 10, sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @escaping () -> Bool
    ) {
        var isLate = false
        let deadline = loop.schedule(after: .seconds(seconds)) { [loop] in
            isLate = true
            loop.stop()
        }
        look(condition)
        loop.runOnCurrentThread()
        deadline.cancel()
        if isLate { Issue.record("it never came: \(what)", sourceLocation: sourceLocation) }
    }

    /// What the command printed while the stage served.
    func output(of command: String) throws -> String {
        let result = Mutex<String?>(nil)
        let commands = try EventLoop(name: "commands")
        try commands.startThread()
        commands.execute {
            let output = Shell.run(command).output
            result.withLock { $0 = output }
        }
        run("the command", seconds: 60) { result.withLock { $0 } != nil }
        commands.stop()
        return result.withLock { $0 } ?? ""
    }

    private func look(_ condition: @escaping () -> Bool) {
        if condition() { return loop.stop() }
        loop.schedule(after: .microseconds(500)) { [weak self] in self?.look(condition) }
    }
}

/// A handler that notes what it is told, and echoes if it is asked to. A stage's loop alone touches
/// it, which is why it is Sendable without the compiler's proof.
final class Recorder: ConnectionHandler, @unchecked Sendable {
    var connector: Connector?
    private(set) var connection: SecureConnection?
    private(set) var opened: [SecureConnection] = []
    private(set) var messages: [WebSocketMessage] = []
    private(set) var batchCount = 0
    private var batch: [WebSocketMessage] = []
    private(set) var drainedCount = 0
    private(set) var openedCount = 0
    private(set) var ends: [ConnectionEnd] = []
    var onOpened: (SecureConnection) -> Void = { _ in }
    var onReceived: ([WebSocketMessage], SecureConnection) -> Void = { _, _ in }
    var onDrained: (SecureConnection) -> Void = { _ in }
    var onEnded: (ConnectionEnd) -> Void = { _ in }

    var end: ConnectionEnd? { ends.first }
    var error: TransportError? {
        if case .failed(let error) = end { return error }
        return nil
    }

    func echo() {
        onReceived = { messages, connection in
            for message in messages { connection.send(message.payload, as: message.kind) }
        }
    }

    func connectionOpened(_ connection: SecureConnection) {
        self.connection = connection
        opened.append(connection)
        openedCount += 1
        onOpened(connection)
    }

    func connectionReceived(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
    ) {
        batch.append(WebSocketMessage(kind, Array(copying: payload)))
    }

    func connectionCaughtUp(_ connection: SecureConnection) {
        let batch = self.batch
        self.batch = []
        messages += batch
        batchCount += 1
        onReceived(batch, connection)
    }

    func connectionDrained(_ connection: SecureConnection) {
        drainedCount += 1
        onDrained(connection)
    }

    func connectionEnded(_ end: ConnectionEnd) {
        ends.append(end)
        connection = nil
        connector = nil
        onEnded(end)
    }
}
