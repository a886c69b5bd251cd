/// What the next received bytes mean.
enum WebSocketInput {
    /// A message of one frame, where it was received: good until the bytes there are others.
    case message(WebSocketMessage.Kind, UnsafeRawBufferPointer)
    /// A message that came in pieces.
    case assembled(WebSocketMessage)
    case pong([UInt8])
    /// The peer's last words; the answer, if one is due, is in the output.
    case closed(WebSocketClose)
    /// The peer broke the rules; our last words are in the output, and nothing more is read.
    case failed(WebSocketViolation)
}
