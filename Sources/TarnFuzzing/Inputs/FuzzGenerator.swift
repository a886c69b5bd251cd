/// Random numbers that are the same for the same seed (splitmix64).
package struct FuzzGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Where a stream is cut on its way: pieces of the same bytes, the same for the same seed.
struct StreamCutter {
    private var generator: FuzzGenerator
    private let longest: Int

    init(seed: UInt16) {
        generator = FuzzGenerator(seed: UInt64(seed))
        longest = [1, 3, 17, 200][Int(seed & 3)]
    }

    mutating func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...longest, using: &generator)
            pieces.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}
