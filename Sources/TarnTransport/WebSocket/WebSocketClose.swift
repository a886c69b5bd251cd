/// Why a WebSocket ends, as a number (RFC 6455, section 7.4).
package struct WebSocketCloseCode: RawRepresentable, Equatable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let normal = Self(rawValue: 1000)
    package static let goingAway = Self(rawValue: 1001)
    package static let protocolError = Self(rawValue: 1002)
    package static let unsupportedData = Self(rawValue: 1003)
    package static let invalidData = Self(rawValue: 1007)
    package static let policy = Self(rawValue: 1008)
    package static let tooBig = Self(rawValue: 1009)
    package static let internalError = Self(rawValue: 1011)
    package static let tryAgainLater = Self(rawValue: 1013)

    /// Whether it may stand in a frame: 1004, 1005, 1006 and 1015 may not, nor what nobody defined.
    package var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// The last words of a WebSocket.
package struct WebSocketClose: Equatable, Sendable {
    /// Nil if the frame was empty.
    package let code: WebSocketCloseCode?
    package let reason: String

    /// The reason is cut to what a control frame can hold.
    package init(_ code: WebSocketCloseCode?, reason: String = "") {
        self.code = code
        guard reason.utf8.count > Self.reasonByteCountMax else {
            self.reason = reason
            return
        }
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in reason.unicodeScalars {
            count += UTF8.width(scalar)
            if count > Self.reasonByteCountMax { break }
            kept.append(scalar)
        }
        self.reason = String(kept)
    }

    private static let reasonByteCountMax = 123

    init(payload: [UInt8]) throws(WebSocketViolation) {
        try Self.check(payload, ofByteCount: UInt64(payload.count))
        guard let code = Self.code(payload) else {
            code = nil
            reason = ""
            return
        }
        guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else {
            throw .invalidText
        }
        self.code = code
        self.reason = reason
    }

    /// Refuses what can be no payload of a close as soon as its first wrong byte is there.
    ///
    /// - Parameter byteCount: what the whole payload is going to have.
    static func check(
        _ beginning: [UInt8], ofByteCount byteCount: UInt64
    ) throws(WebSocketViolation) {
        guard byteCount != 1 else { throw .badClose }
        guard let code = code(beginning) else { return }
        guard code.isSendable else { throw .badClose }
        var validator = UTF8Validator()
        let isText = beginning.withUnsafeBytes { bytes in
            validator.accept(UnsafeRawBufferPointer(rebasing: bytes[2...]))
        }
        guard isText else { throw .invalidText }
    }

    /// Nil while its two bytes are not there.
    private static func code(_ payload: [UInt8]) -> WebSocketCloseCode? {
        guard payload.count >= 2 else { return nil }
        return WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    }

    var payload: [UInt8] {
        guard let code else { return [] }
        return [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(reason.utf8)
    }
}
