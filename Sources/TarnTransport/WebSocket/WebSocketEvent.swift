/// A whole message, put together from its fragments.
package struct WebSocketMessage: Equatable, Sendable {
    package enum Kind: Sendable { case text, binary }

    package let kind: Kind
    /// For text these are valid UTF-8.
    package let payload: [UInt8]

    package init(_ kind: Kind, _ payload: [UInt8]) {
        self.kind = kind
        self.payload = payload
    }
}

/// What came of received bytes.
package enum WebSocketEvent: Equatable, Sendable {
    case message(WebSocketMessage)
    case pong([UInt8])
    /// The peer's last words; the answer, if one is due, is in the output.
    case closed(WebSocketClose)
    /// The peer broke the rules; our last words are in the output, and nothing more is read.
    case failed(WebSocketViolation)
}
