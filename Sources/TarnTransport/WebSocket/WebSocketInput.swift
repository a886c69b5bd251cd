/// What the next received bytes mean.
enum WebSocketInput {
    /// A message of one frame, where it was received: good until the bytes there are others.
    case message(WebSocketMessage.Kind, UnsafeRawBufferPointer)
    /// A message that came in pieces.
    case assembled(WebSocketMessage)
    case pong([UInt8])
    /// The peer's last words. `sendLastWords` answers them, if that is due.
    case closed(WebSocketClose)
    /// The peer broke the rules: nothing more is read. `sendLastWords` tells it.
    case failed(WebSocketViolation)
}
