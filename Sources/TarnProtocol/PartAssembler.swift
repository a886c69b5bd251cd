package import TarnModel

/// Puts the parts of one long byte string together, in order, and never holds more than it was told
/// to expect.
package struct PartAssembler: Sendable {
    private var bytes: [UInt8] = []
    private var total: UInt64 = 0
    private let bytesMax: Int
    /// Room that is made before anything has come: enough for nearly all, and no more than a peer
    /// that lies about the total may cost.
    private static let reservedMax: UInt64 = 2 << 20

    package init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// The bytes in hand: the offset that the next part must have.
    package var offset: UInt64 { UInt64(bytes.count) }

    /// - Returns: the whole, when this part completes it; then the next may begin.
    package mutating func append(_ part: Part) throws(FormatError) -> [UInt8]? {
        guard part.total <= UInt64(bytesMax) else {
            throw FormatError(reading: "part", .content("\(part.total) bytes are too many"))
        }
        if bytes.isEmpty {
            total = part.total
            bytes.reserveCapacity(Int(min(total, Self.reservedMax)))
        }
        guard part.total == total, part.offset == offset else {
            throw FormatError(
                reading: "part", .content("it begins at \(part.offset), not at \(offset)"))
        }
        guard UInt64(part.bytes.count) <= total - offset else {
            throw FormatError(reading: "part", .content("it ends behind the whole"))
        }
        guard !part.bytes.isEmpty || total == 0 else {
            throw FormatError(reading: "part", .content("it is empty"))
        }
        bytes.append(contentsOf: part.bytes)
        guard offset == total else { return nil }
        defer { bytes = [] }
        return bytes
    }
}

/// Cuts a long byte string into parts, as credit allows.
package struct PartCutter: Sendable {
    private let bytes: [UInt8]
    private var position: Int

    /// - Parameter offset: where to begin: what the other side has already.
    package init(_ bytes: [UInt8], from offset: Int = 0) {
        self.bytes = bytes
        position = min(max(offset, 0), bytes.count)
    }

    package var isFinished: Bool { position == bytes.count }

    /// How long the next part is; 0 when there is none, or no credit.
    package func nextByteCount(credit: Int) -> Int {
        min(ProtocolLimits.partBytesMax, credit, bytes.count - position)
    }

    /// The next part, of at most so many bytes; nil when there is none, or no credit.
    package mutating func next(credit: Int) -> Part? {
        let count = nextByteCount(credit: credit)
        guard count > 0 else { return nil }
        defer { position += count }
        return Part(
            total: UInt64(bytes.count), offset: UInt64(position),
            bytes: Array(bytes[position..<position + count]))
    }
}
