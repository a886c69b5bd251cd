import TarnTransport

/// A connection that only counts what comes.
final class PlainClient: ConnectionHandler {
    var whenOpened: () -> Void = {}
    var whenMessage: (RawSpan) -> Void = { _ in }
    var whenEnded: (String) -> Void = { _ in }
    private var connection: SecureConnection?
    private var isStopped = false
    var isResumed: Bool { connection?.isResumed ?? false }

    func connect(to endpoint: Endpoint, on loop: EventLoop, trust: TLSClientContext) {
        Connector(to: endpoint, on: loop, trust: trust, handler: self)
    }

    func send(_ message: [UInt8]) { connection?.send(message) }

    func stop() {
        isStopped = true
        connection?.abort()
    }

    func connectionOpened(_ connection: SecureConnection) {
        self.connection = connection
        whenOpened()
    }

    func connectionReceived(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
    ) {
        whenMessage(payload)
    }

    func connectionCaughtUp(_ connection: SecureConnection) {}

    func connectionDrained(_ connection: SecureConnection) {}

    func connectionEnded(_ end: ConnectionEnd) {
        connection = nil
        if !isStopped { whenEnded("\(end)") }
    }
}
