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
    /// The peer's last words. `sendLastWords` answers them, if that is due.
    case closed(WebSocketClose)
    /// The peer broke the rules: nothing more is read. `sendLastWords` tells it.
    case failed(WebSocketViolation)
}

extension WebSocketConnection {
    /// Takes bytes as they came from the network, all at once, and notes what they mean. Pongs are
    /// appended to the output.
    package mutating func receive(
        _ bytes: RawSpan, events: inout [WebSocketEvent], output: inout ByteQueue
    ) {
        var copy = bytes.withUnsafeBytes { Array($0) }
        copy.withUnsafeMutableBytes { bytes in
            var offset = 0
            while let input = next(bytes, offset: &offset, output: &output) {
                switch input {
                case .message(let kind, let payload):
                    events.append(.message(WebSocketMessage(kind, Array(payload))))
                case .assembled(let message): events.append(.message(message))
                case .pong(let payload): events.append(.pong(payload))
                case .closed(let close): events.append(.closed(close))
                case .failed(let violation): events.append(.failed(violation))
                }
            }
        }
        _ = answerPing(to: &output)
    }
}
