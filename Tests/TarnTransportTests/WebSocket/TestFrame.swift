/// Frames written by the letter of RFC 6455, and by other code than that which is tested.
struct TestFrame {
    var first: UInt8
    var payload: [UInt8]
    var mask: [UInt8]?
    /// Instead of the shortest form of the length: 16 or 64 bits.
    var lengthBits: Int?
    /// Instead of the payload's true count.
    var announced: UInt64?

    init(
        _ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true,
        mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D], reserved: UInt8 = 0, lengthBits: Int? = nil,
        announced: UInt64? = nil
    ) {
        first = (isFinal ? 0x80 : 0) | reserved << 4 | opcode
        self.payload = payload
        self.mask = mask
        self.lengthBits = lengthBits
        self.announced = announced
    }

    var bytes: [UInt8] {
        let count = announced ?? UInt64(payload.count)
        let bits = lengthBits ?? (count <= 125 ? 7 : count <= 0xFFFF ? 16 : 64)
        let masked: UInt8 = mask == nil ? 0 : 0x80
        var bytes = [first]
        switch bits {
        case 7: bytes.append(masked | UInt8(count))
        case 16: bytes += [masked | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
        default:
            bytes.append(masked | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: count >> UInt64(shift)))
            }
        }
        guard let mask else { return bytes + payload }
        bytes += mask
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index % 4]) }
        return bytes
    }
}
