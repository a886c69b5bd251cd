/// Whoever a connection talks to. All calls come on the thread of the connection's loop, one after
/// the other, and never from within a call to the connection.
package protocol ConnectionHandler: AnyObject {
    /// The WebSocket is open: it may be sent to.
    func connectionOpened(_ connection: SecureConnection)
    /// A message has come. Its bytes are the connection's, and are there during the call alone.
    func connectionReceived(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection)
    /// After one or more messages: all that has come by now was delivered.
    func connectionCaughtUp(_ connection: SecureConnection)
    /// It was not writable, and is again.
    func connectionDrained(_ connection: SecureConnection)
    /// The last call. It comes also when the connection was never opened.
    func connectionEnded(_ end: ConnectionEnd)
}

/// How a connection ended.
package enum ConnectionEnd: Equatable, Sendable {
    /// The peer said goodbye, on its own or in answer to ours.
    case closed(WebSocketClose)
    case failed(TransportError)
}

extension ConnectionEnd: CustomStringConvertible {
    package var description: String {
        switch self {
        case .failed(let error):
            error.sentence
        case .closed(let close):
            "closed with \(close.code?.rawValue ?? 1005)"
                + (close.reason.isEmpty ? "" : ": \(close.reason)")
        }
    }
}
