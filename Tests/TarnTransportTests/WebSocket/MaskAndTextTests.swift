import TarnTesting
import Testing

@testable import TarnTransport

@Suite struct MaskAndTextTests {
    @Test(arguments: [UInt64](1...20))
    func `masking by words is masking by bytes, from any phase`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let source = random.bytes(.random(in: 0...70, using: &random))
        let key = random.bytes(4)
        let phase = Int.random(in: 0...9, using: &random)
        var target = [UInt8](repeating: 0, count: source.count)

        let mask = WebSocketMask(
            key: UInt32(key[0]) | UInt32(key[1]) << 8 | UInt32(key[2]) << 16 | UInt32(key[3]) << 24)
        source.withUnsafeBytes { source in
            target.withUnsafeMutableBytes { target in
                WebSocketMask.copy(source, to: target, mask: mask, phase: phase)
            }
        }

        #expect(target == source.enumerated().map { $1 ^ key[($0 + phase) % 4] })
    }

    private func isText(_ bytes: [UInt8], cutAt cut: Int) -> Bool {
        var validator = UTF8Validator()
        return bytes.withUnsafeBytes { bytes in
            validator.accept(UnsafeRawBufferPointer(rebasing: bytes[..<cut]))
                && validator.accept(UnsafeRawBufferPointer(rebasing: bytes[cut...]))
                && validator.isComplete
        }
    }

    @Test(arguments: [UInt64](1...40))
    func `the validator agrees with the standard library, wherever the bytes are cut`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var bytes = Array("abcdefgh é€😀\u{10FFFF}\u{D7FF}\u{800}".utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            let expected = String(validating: bytes, as: UTF8.self) != nil
            for cut in 0...bytes.count { #expect(isText(bytes, cutAt: cut) == expected) }
        }
    }

    @Test func `every sequence of two lead bytes is judged as the standard library does`() {
        for first in UInt8.min...UInt8.max {
            for second in stride(from: UInt8.min, through: 0xF0, by: 0x10) {
                for tail in [[], [0x80], [0x80, 0x80]] as [[UInt8]] {
                    let bytes = [first, second] + tail
                    let expected = String(validating: bytes, as: UTF8.self) != nil
                    #expect(isText(bytes, cutAt: 1) == expected, "\(bytes)")
                }
            }
        }
    }
}
