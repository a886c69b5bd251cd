/// How a peer broke the rules of RFC 6455 or our limits. Each closes the connection.
package enum WebSocketViolation: Error, Equatable, Sendable {
    case reservedBits
    case unknownOpcode
    case fragmentedControl
    case longControl
    case badLength
    case unmaskedClient
    case maskedServer
    case unexpectedContinuation
    case unfinishedMessage
    case invalidText
    case badClose
    case frameTooLong
    case messageTooLong
    case tooManyFragments

    /// What the peer is told.
    package var closeCode: WebSocketCloseCode {
        switch self {
        case .invalidText: .invalidData
        case .frameTooLong, .messageTooLong, .tooManyFragments: .tooBig
        default: .protocolError
        }
    }
}

extension WebSocketViolation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .reservedBits: "a frame has reserved bits set, but no extension was agreed"
        case .unknownOpcode: "a frame has a reserved opcode"
        case .fragmentedControl: "a control frame is cut into fragments"
        case .longControl: "a control frame is longer than 125 bytes"
        case .badLength: "a frame's length is not in its shortest form"
        case .unmaskedClient: "a client's frame is not masked"
        case .maskedServer: "a server's frame is masked"
        case .unexpectedContinuation: "a fragment continues no message"
        case .unfinishedMessage: "a message begins before the one before it has ended"
        case .invalidText: "text is not UTF-8"
        case .badClose: "a close frame has no valid code"
        case .frameTooLong: "a frame is longer than is accepted here"
        case .messageTooLong: "a message is longer than is accepted here"
        case .tooManyFragments: "a message is in more fragments than are accepted here"
        }
    }
}
