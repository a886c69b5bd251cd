extension UInt64 {
    /// Eight bytes, the most significant first.
    package var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - UInt64($0) * 8)) }
    }

    /// Nil unless there are just eight bytes.
    package init?(bigEndianBytes bytes: [UInt8]) {
        guard bytes.count == 8 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
