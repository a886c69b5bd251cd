/// 128 bits that name something, as RFC 9562 has them.
package struct UUIDValue: Hashable, Comparable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A version 7 UUID: the time first, so that keys made one after the other stand side by side
    /// in an index (RFC 9562, section 5.7). `random` is 16 bytes' worth of randomness.
    package init(milliseconds: UInt64, random: (UInt64, UInt64)) {
        high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
        low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
    }

    package var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

    /// Nil unless there are just 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16,
            let high = UInt64(bigEndianBytes: Array(bytes[0..<8])),
            let low = UInt64(bigEndianBytes: Array(bytes[8..<16]))
        else { return nil }
        self.init(high: high, low: low)
    }

    package static func < (left: UUIDValue, right: UUIDValue) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension UUIDValue: CustomStringConvertible {
    /// `8-4-4-4-12` lower-case hexadecimal digits.
    package var description: String {
        let digits = Array(Self.hexadecimal(high) + Self.hexadecimal(low))
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(digits[$0]) }.joined(separator: "-")
    }

    /// Reads `8-4-4-4-12` hexadecimal digits of either case.
    package init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit } })
        else { return nil }
        let digits = groups.joined()
        guard let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
