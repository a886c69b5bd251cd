import TarnTransport

/// One connection to a server, from the first try to its end; told to whoever made it until they
/// let go of it.
final class ServerLink: ConnectionHandler {
    enum Event {
        case opened
        case received([UInt8])
        /// The socket takes more again.
        case drained
        /// The last one. It also comes when the connection was never opened.
        case ended(ConnectionEnd)
    }

    private let loop: EventLoop
    private var connector: Connector?
    private var connection: SecureConnection?
    private var hear: ((Event) -> Void)?
    private var finished: (() -> Void)?

    init(on loop: EventLoop, hear: @escaping (Event) -> Void) {
        self.loop = loop
        self.hear = hear
    }

    func connect(to server: Endpoint, trust: TLSClientContext) {
        var limits = TransportLimits()
        limits.outgoingByteCountMax = TarnLimits.outgoingByteCountMax
        connector = Connector(
            to: server, on: loop, trust: trust, limits: limits, handler: self)
    }

    func send(_ message: [UInt8]) { connection?.send(message) }

    /// False while more waits to be sent than is good.
    var isWritable: Bool { connection?.isWritable ?? false }

    /// Ends it: what was sent still goes out, and nothing is told any more but that it is over.
    ///
    /// - Parameter limit: how long the goodbye may take.
    func letGo(within limit: Duration, then finished: @escaping () -> Void = {}) {
        hear = nil
        guard connector != nil else { return finished() }
        self.finished = finished
        guard let connection else { return connector?.cancel() ?? () }
        connection.close()
        loop.schedule(after: limit) { [weak connection] in connection?.abort() }
    }

    // MARK: - What the connection says

    func connectionOpened(_ connection: SecureConnection) {
        guard hear != nil else { return connection.abort() }
        self.connection = connection
        hear?(.opened)
    }

    func connectionReceived(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
    ) {
        // Whoever hears of one may let go before the next.
        hear?(.received(Array(copying: payload)))
    }

    func connectionCaughtUp(_ connection: SecureConnection) {}

    func connectionDrained(_ connection: SecureConnection) { hear?(.drained) }

    func connectionEnded(_ end: ConnectionEnd) {
        connector = nil
        connection = nil
        let (hear, finished) = (hear, finished)
        self.hear = nil
        self.finished = nil
        hear?(.ended(end))
        finished?()
    }
}

extension ConnectionEnd {
    /// Why it ended, as the latter part of a sentence.
    var reason: String {
        switch self {
        case .failed(let error):
            return error.sentence.hasSuffix(".")
                ? String(error.sentence.dropLast()) : error.sentence
        case .closed(let close):
            let code = close.code.map { " (\($0.rawValue))" } ?? ""
            return "the server closed the connection\(code)"
                + (close.reason.isEmpty ? "" : ": \(close.reason)")
        }
    }
}
