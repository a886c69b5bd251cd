/// Thirty-two bytes that depend on all of the input: no cryptography, but enough to tell histories
/// apart in a test.
enum Digest {
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        var lanes: [UInt64] = [0x9E37_79B9, 0x7F4A_7C15, 0xBF58_476D, 0x94D0_49BB]
        for (index, byte) in bytes.enumerated() {
            let lane = index % 4
            lanes[lane] = (lanes[lane] ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            lanes[(lane + 1) % 4] &+= lanes[lane] << 7 | lanes[lane] >> 57
        }
        // The last bytes have met one lane or two by now.
        for round in 0..<8 {
            lanes[(round + 1) % 4] ^= (lanes[round % 4] ^ lanes[round % 4] >> 29) &* 0xBF58_476D
        }
        return lanes.flatMap { lane in (0..<8).map { UInt8(truncatingIfNeeded: lane >> ($0 * 8)) } }
    }
}
