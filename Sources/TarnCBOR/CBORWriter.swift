/// Appends CBOR items (RFC 8949) to bytes, each in its shortest form.
///
/// The writer does not check that an array's header is followed by as many items as it says; a
/// caller that writes a header owes the items.
package struct CBORWriter: Sendable {
    package private(set) var bytes: [UInt8]

    package init(reserving capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    package mutating func writeArrayHeader(_ count: Int) {
        writeHead(major: 4, UInt64(count))
    }

    package mutating func writeMapHeader(_ count: Int) {
        writeHead(major: 5, UInt64(count))
    }

    package mutating func write(_ value: UInt64) {
        writeHead(major: 0, value)
    }

    package mutating func write(_ value: Int64) {
        if value >= 0 {
            writeHead(major: 0, UInt64(value))
        } else {
            writeHead(major: 1, UInt64(-1 - value))
        }
    }

    package mutating func write(_ value: Int) { write(Int64(value)) }

    package mutating func write(_ value: Bool) { bytes.append(value ? 0xF5 : 0xF4) }

    package mutating func writeNull() { bytes.append(0xF6) }

    /// A double by its bits, always in eight bytes.
    package mutating func write(doubleBits bits: UInt64) {
        bytes.append(0xFB)
        appendBigEndian(bits, count: 8)
    }

    package mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            writeHead(major: 3, UInt64(utf8.count))
            makeRoom(for: utf8.count)
            bytes.append(contentsOf: utf8)
        }
    }

    package mutating func write(bytes value: [UInt8]) {
        writeHead(major: 2, UInt64(value.count))
        makeRoom(for: value.count)
        bytes.append(contentsOf: value)
    }

    package mutating func write(bytes value: ArraySlice<UInt8>) {
        writeHead(major: 2, UInt64(value.count))
        makeRoom(for: value.count)
        bytes.append(contentsOf: value)
    }

    /// Appends items that are encoded already.
    package mutating func writeEncoded(_ items: [UInt8]) {
        makeRoom(for: items.count)
        bytes.append(contentsOf: items)
    }

    package mutating func writeTag(_ tag: UInt64) { writeHead(major: 6, tag) }

    /// Before a long string, room for the little that follows it as well: else that would move all
    /// of it once more.
    private mutating func makeRoom(for count: Int) {
        guard count >= Self.longCount, bytes.capacity - bytes.count < count else { return }
        bytes.reserveCapacity(max(bytes.count + count + Self.longCount, 2 * bytes.count))
    }

    private static let longCount = 16 << 10

    private mutating func writeHead(major: UInt8, _ value: UInt64) {
        let major = major << 5
        switch value {
        case 0..<24:
            bytes.append(major | UInt8(value))
        case 24..<0x100:
            bytes.append(major | 24)
            bytes.append(UInt8(value))
        case 0x100..<0x1_0000:
            bytes.append(major | 25)
            appendBigEndian(value, count: 2)
        case 0x1_0000..<0x1_0000_0000:
            bytes.append(major | 26)
            appendBigEndian(value, count: 4)
        default:
            bytes.append(major | 27)
            appendBigEndian(value, count: 8)
        }
    }

    private mutating func appendBigEndian(_ value: UInt64, count: Int) {
        for index in (0..<count).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: value >> (UInt64(index) * 8)))
        }
    }
}
