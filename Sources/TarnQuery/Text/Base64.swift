/// Bytes as text (RFC 4648, section 4): six bits a character, filled up with `=` to groups of four.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let filler = UInt8(ascii: "=")

    package static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(3 - group.count) * 8
            for place in 0..<4 {
                let digit = alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
                text.append(place <= group.count ? digit : filler)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for what `text(of:)` never writes: another character, a last group that is not filled
    /// up, bits that belong to no byte.
    package static func bytes(of text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        let fillerCount = digits.suffix(2).count { $0 == filler }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var (bits, bitCount) = (UInt32(0), 0)
        for digit in digits.dropLast(fillerCount) {
            guard let value = value(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        let rest = bits & (1 << UInt32(bitCount) - 1)
        return rest == 0 ? bytes : nil
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
