/// Changes inputs a little, as libFuzzer does, but by a seed and without its feedback: bits, bytes,
/// lengths, and pieces that are taken out, doubled, moved or brought from another input.
package struct Mutator {
    private var generator: FuzzGenerator
    private let byteCountMax: Int

    package init(seed: UInt64, byteCountMax: Int) {
        generator = FuzzGenerator(seed: seed)
        self.byteCountMax = byteCountMax
    }

    /// A mutation of one of the inputs; now and then nothing but noise.
    package mutating func next(of inputs: [[UInt8]]) -> [UInt8] {
        guard let start = inputs.randomElement(using: &generator), !chance(50) else {
            return noise(Int.random(in: 0...min(64, byteCountMax), using: &generator))
        }
        var bytes = start
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            mutate(&bytes, with: inputs.randomElement(using: &generator) ?? [])
        }
        return Array(bytes.prefix(byteCountMax))
    }

    /// Once in so many times.
    private mutating func chance(_ times: Int) -> Bool {
        Int.random(in: 0..<times, using: &generator) == 0
    }

    private mutating func noise(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private mutating func mutate(_ bytes: inout [UInt8], with other: [UInt8]) {
        let piece = range(in: bytes)
        let place = Int.random(in: 0...bytes.count, using: &generator)
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: flip(&bytes)
        case 1: write([UInt8.random(in: 0...255, using: &generator)], at: place, in: &bytes)
        case 2: write(length(), at: place, in: &bytes)
        case 3: bytes.insert(contentsOf: noise(Int.random(in: 1...8, using: &generator)), at: place)
        case 4: bytes.insert(contentsOf: length(), at: place)
        case 5: bytes.removeSubrange(piece)
        case 6: bytes.insert(contentsOf: bytes[piece], at: place)
        case 7: bytes.insert(contentsOf: other[range(in: other)], at: place)
        default: bytes.removeSubrange(place...)
        }
    }

    private mutating func flip(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    }

    private func write(_ new: [UInt8], at place: Int, in bytes: inout [UInt8]) {
        let end = min(place + new.count, bytes.count)
        bytes.replaceSubrange(place..<end, with: new)
    }

    /// A number at which something may turn over, in one, two, four or eight bytes.
    private mutating func length() -> [UInt8] {
        let edges: [UInt64] = [0, 1, 23, 24, 125, 126, 127, 128, 255, 65_535, 65_536]
        let width = 1 << Int.random(in: 0...3, using: &generator)
        let edge = edges.randomElement(using: &generator) ?? 0
        let value = chance(4) ? UInt64.max >> UInt64.random(in: 0...2, using: &generator) : edge
        return (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (width - 1 - $0))) }
    }

    private mutating func range(in bytes: [UInt8]) -> Range<Int> {
        let start = Int.random(in: 0...bytes.count, using: &generator)
        let count = Int.random(in: 0...min(32, bytes.count - start), using: &generator)
        return start..<start + count
    }
}
