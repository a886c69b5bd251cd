/// Takes an input apart, for targets that need decisions beside bytes. Past the end everything is
/// zero, so that every input says something.
struct FuzzInput {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    /// One of so many.
    mutating func choice(_ count: Int) -> Int { Int(byte()) % count }

    /// Two bytes, the most significant first.
    mutating func short() -> UInt16 {
        let high = UInt16(byte())
        return high << 8 | UInt16(byte())
    }

    mutating func take(_ count: Int) -> [UInt8] {
        let taken = Array(bytes.prefix(count))
        bytes = bytes.dropFirst(count)
        return taken
    }

    /// All that is left.
    mutating func rest() -> [UInt8] { take(bytes.count) }
}
