/// What a frame is (RFC 6455, section 5.2). The numbers that are not here are reserved.
package enum WebSocketOpcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// Control frames are short, never cut, and may stand between the fragments of a message.
    package var isControl: Bool { rawValue >= 8 }
}
