/// What stands before a frame's payload: 2 to 14 bytes (RFC 6455, section 5.2).
package struct WebSocketFrameHeader: Equatable, Sendable {
    package static let byteCountMax = 14

    package let isFinal: Bool
    package let opcode: WebSocketOpcode
    /// Up to 2^63 - 1: whoever allocates checks it first.
    package let payloadCount: UInt64
    package let mask: WebSocketMask?

    package init(
        isFinal: Bool, opcode: WebSocketOpcode, payloadCount: UInt64, mask: WebSocketMask?
    ) {
        self.isFinal = isFinal
        self.opcode = opcode
        self.payloadCount = payloadCount
        self.mask = mask
    }

    /// Reads a header from the beginning of `bytes`: it and its size, or nil if more must come.
    static func read(
        _ bytes: RawSpan
    ) throws(WebSocketViolation) -> (header: WebSocketFrameHeader, byteCount: Int)? {
        guard bytes.byteCount >= 1 else { return nil }
        let first = bytes.byte(0)
        guard first & 0x70 == 0 else { throw .reservedBits }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else { throw .unknownOpcode }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .fragmentedControl }
        guard bytes.byteCount >= 2 else { return nil }
        let second = bytes.byte(1)
        let short = second & 0x7F
        guard short <= 125 || !opcode.isControl else { throw .longControl }

        let lengthCount = short == 126 ? 2 : short == 127 ? 8 : 0
        let isMasked = second & 0x80 != 0
        let byteCount = 2 + lengthCount + (isMasked ? 4 : 0)
        guard bytes.byteCount >= byteCount else { return nil }

        var payloadCount = UInt64(short)
        if lengthCount > 0 {
            payloadCount = 0
            for index in 2..<(2 + lengthCount) {
                payloadCount = payloadCount << 8 | UInt64(bytes.byte(index))
            }
            guard payloadCount >> 63 == 0 else { throw .badLength }
            // The shortest form is the only one, so that no two peers read a frame differently.
            guard payloadCount > (lengthCount == 2 ? 125 : 0xFFFF) else { throw .badLength }
        }
        var mask: WebSocketMask?
        if isMasked {
            let key = bytes.unsafeLoadUnaligned(fromByteOffset: byteCount - 4, as: UInt32.self)
            mask = WebSocketMask(key: UInt32(littleEndian: key))
        }
        let header = WebSocketFrameHeader(
            isFinal: isFinal, opcode: opcode, payloadCount: payloadCount, mask: mask)
        return (header, byteCount)
    }

    /// Of the payload's length, when it is not in the second byte.
    @inline(__always)
    private var lengthCount: Int { payloadCount <= 125 ? 0 : payloadCount <= 0xFFFF ? 2 : 8 }

    /// Of the header in its shortest form.
    @inline(__always)
    var byteCount: Int { 2 + lengthCount + (mask == nil ? 0 : 4) }

    /// Writes the header in its shortest form.
    @inline(__always)
    func write(to room: UnsafeMutableRawPointer) {
        let short = lengthCount == 0 ? UInt8(payloadCount) : lengthCount == 2 ? 126 : 127
        room.storeBytes(of: (isFinal ? 0x80 : 0) | opcode.rawValue, as: UInt8.self)
        room.storeBytes(of: (mask == nil ? 0 : 0x80) | short, toByteOffset: 1, as: UInt8.self)
        if lengthCount == 2 {
            room.storeBytes(of: UInt16(payloadCount).bigEndian, toByteOffset: 2, as: UInt16.self)
        } else if lengthCount == 8 {
            room.storeBytes(of: payloadCount.bigEndian, toByteOffset: 2, as: UInt64.self)
        }
        if let mask {
            let offset = 2 + lengthCount
            room.storeBytes(of: mask.key.littleEndian, toByteOffset: offset, as: UInt32.self)
        }
    }
}

extension RawSpan {
    fileprivate func byte(_ offset: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
