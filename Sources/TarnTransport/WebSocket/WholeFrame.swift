/// A frame that is a message by itself and is all here: what most frames are. It is found by a look
/// at two to four bytes. Whatever else it may be, and whatever is wrong with it, is for
/// `WebSocketFrameReader` to say, which meets the same bytes then.
struct WholeFrame {
    let kind: WebSocketMessage.Kind
    /// Where the payload is.
    let range: Range<Int>
    let mask: WebSocketMask?

    private static let finalText: UInt8 = 0x81
    private static let finalBinary: UInt8 = 0x82

    /// The frame at `bytes[offset]`, if it is one with a payload of at most `byteCountMax` bytes.
    init?(
        _ bytes: UnsafeMutableRawBufferPointer, at offset: Int, isMasked: Bool, byteCountMax: Int
    ) {
        let present = bytes.count &- offset
        guard present >= 8, let start = bytes.baseAddress else { return nil }
        let first = start.load(fromByteOffset: offset, as: UInt8.self)
        let second = start.load(fromByteOffset: offset &+ 1, as: UInt8.self)
        guard first == Self.finalBinary || first == Self.finalText,
            (second & 0x80 != 0) == isMasked
        else { return nil }
        var count = Int(second & 0x7F)
        var headerCount = 2
        if count >= 126 {
            guard count == 126 else { return nil }
            let length = start.loadUnaligned(fromByteOffset: offset &+ 2, as: UInt16.self)
            count = Int(UInt16(bigEndian: length))
            guard count > 125 else { return nil }
            headerCount = 4
        }
        if isMasked {
            let key = start.loadUnaligned(fromByteOffset: offset &+ headerCount, as: UInt32.self)
            mask = WebSocketMask(key: UInt32(littleEndian: key))
            headerCount &+= 4
        } else {
            mask = nil
        }
        guard count <= byteCountMax, present &- headerCount >= count else { return nil }
        kind = first == Self.finalText ? .text : .binary
        range = (offset &+ headerCount)..<(offset &+ headerCount &+ count)
    }
}
