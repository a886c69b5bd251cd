/// Reads CBOR items (RFC 8949) from bytes that may come from anybody: every length is checked
/// against what is there before anything is allocated, and nothing traps.
///
/// Only definite lengths are read; an indefinite one is `malformed`.
package struct CBORReader: Sendable {
    package let bytes: [UInt8]
    /// Where the next item begins.
    package private(set) var offset: Int
    private let end: Int
    private let limits: CBORLimits

    package init(_ bytes: [UInt8], limits: CBORLimits = CBORLimits()) {
        self.bytes = bytes
        self.offset = 0
        self.end = bytes.count
        self.limits = limits
    }

    package var isAtEnd: Bool { offset == end }

    package func expectEnd() throws(CBORError) {
        guard isAtEnd else { throw CBORError(.trailingBytes, at: offset) }
    }

    package func peekType() throws(CBORError) -> CBORType {
        guard offset < end else { throw CBORError(.truncated, at: offset) }
        let first = bytes[offset]
        switch first >> 5 {
        case 0: return .unsigned
        case 1: return .negative
        case 2: return .bytes
        case 3: return .text
        case 4: return .array
        case 5: return .map
        case 6: return .tag
        default:
            switch first {
            case 0xF4, 0xF5: return .boolean
            case 0xF6: return .null
            case 0xF9, 0xFA, 0xFB: return .float
            default: return .other
            }
        }
    }

    /// The number of items that follow. It is never more than the bytes that are left, so a
    /// caller may reserve room for it.
    package mutating func readArrayHeader() throws(CBORError) -> Int {
        try readCount(major: 4, bytesEach: 1)
    }

    /// Reads an array's header and refuses any other count.
    package mutating func expectArray(_ count: Int) throws(CBORError) {
        let start = offset
        guard try readArrayHeader() == count else { throw CBORError(.malformed, at: start) }
    }

    /// The number of pairs that follow; never more than half of the bytes that are left.
    package mutating func readMapHeader() throws(CBORError) -> Int {
        try readCount(major: 5, bytesEach: 2)
    }

    package mutating func readUInt64() throws(CBORError) -> UInt64 {
        try readHead(major: 0)
    }

    package mutating func readUInt32() throws(CBORError) -> UInt32 {
        let start = offset
        guard let value = UInt32(exactly: try readHead(major: 0)) else {
            throw CBORError(.outOfRange, at: start)
        }
        return value
    }

    /// A count, index or size that fits `Int`.
    package mutating func readInt() throws(CBORError) -> Int {
        let start = offset
        guard let value = Int(exactly: try readInt64()) else {
            throw CBORError(.outOfRange, at: start)
        }
        return value
    }

    package mutating func readInt64() throws(CBORError) -> Int64 {
        let start = offset
        if try peekType() == .negative {
            let magnitude = try readHead(major: 1)
            guard magnitude <= UInt64(Int64.max) else { throw CBORError(.outOfRange, at: start) }
            return -1 - Int64(magnitude)
        }
        let value = try readHead(major: 0)
        guard value <= UInt64(Int64.max) else { throw CBORError(.outOfRange, at: start) }
        return Int64(value)
    }

    package mutating func readBool() throws(CBORError) -> Bool {
        guard try peekType() == .boolean else { throw CBORError(.unexpectedType, at: offset) }
        offset += 1
        return bytes[offset - 1] == 0xF5
    }

    package mutating func readNull() throws(CBORError) {
        guard try peekType() == .null else { throw CBORError(.unexpectedType, at: offset) }
        offset += 1
    }

    /// Steps over a null, if one comes next.
    package mutating func skipNull() throws(CBORError) -> Bool {
        guard try peekType() == .null else { return false }
        offset += 1
        return true
    }

    /// The bits of a double that has eight bytes; shorter ones are refused, so that a value has one
    /// form.
    package mutating func readDoubleBits() throws(CBORError) -> UInt64 {
        let start = offset
        guard try peekType() == .float, bytes[offset] == 0xFB else {
            throw CBORError(.unexpectedType, at: start)
        }
        guard end - offset > 8 else { throw CBORError(.truncated, at: start) }
        defer { offset += 9 }
        return bytes[(offset + 1)...(offset + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    package mutating func readText() throws(CBORError) -> String {
        let start = offset
        let range = try readStringRange(major: 3)
        let text = bytes.withUnsafeBufferPointer { buffer in
            String(validating: UnsafeBufferPointer(rebasing: buffer[range]), as: UTF8.self)
        }
        guard let text else { throw CBORError(.notUTF8, at: start) }
        return text
    }

    package mutating func readBytes() throws(CBORError) -> [UInt8] {
        Array(bytes[try readStringRange(major: 2)])
    }

    /// A byte string of just this length.
    package mutating func readBytes(count: Int) throws(CBORError) -> [UInt8] {
        let start = offset
        let value = try readBytes()
        guard value.count == count else { throw CBORError(.malformed, at: start) }
        return value
    }

    package mutating func readTag() throws(CBORError) -> UInt64 {
        try readHead(major: 6)
    }

    /// Steps over one item of any shape, so that a message may grow fields at its end.
    package mutating func skipItem() throws(CBORError) {
        // Items still to be stepped over, by level: a loop, since the depth is a stranger's choice.
        var open: [Int] = [1]
        while let last = open.last {
            if last == 0 {
                open.removeLast()
                continue
            }
            open[open.count - 1] = last - 1
            let start = offset
            var inside = 0
            switch try peekType() {
            case .unsigned: _ = try readHead(major: 0)
            case .negative: _ = try readHead(major: 1)
            case .bytes: _ = try readStringRange(major: 2)
            case .text: _ = try readStringRange(major: 3)
            case .array: inside = try readArrayHeader()
            case .map: inside = try readMapHeader() * 2
            case .tag:
                _ = try readTag()
                inside = 1
            case .boolean, .null: offset += 1
            case .float: try skipFloat()
            case .other: throw CBORError(.malformed, at: start)
            }
            if inside > 0 {
                guard open.count < limits.depthMax else { throw CBORError(.tooLarge, at: start) }
                open.append(inside)
            }
        }
    }

    private mutating func skipFloat() throws(CBORError) {
        let width = 1 << (Int(bytes[offset]) - 0xF8)
        guard width <= end - offset - 1 else { throw CBORError(.truncated, at: offset) }
        offset += 1 + width
    }

    private mutating func readCount(major: UInt8, bytesEach: Int) throws(CBORError) -> Int {
        let start = offset
        let count = try readHead(major: major)
        guard count <= UInt64((end - offset) / bytesEach) else {
            throw CBORError(.truncated, at: start)
        }
        return Int(count)
    }

    private mutating func readStringRange(major: UInt8) throws(CBORError) -> Range<Int> {
        let start = offset
        let count = try readHead(major: major)
        guard count <= UInt64(limits.stringBytesMax) else { throw CBORError(.tooLarge, at: start) }
        guard count <= UInt64(end - offset) else { throw CBORError(.truncated, at: start) }
        let range = offset..<offset + Int(count)
        offset = range.upperBound
        return range
    }

    private mutating func readHead(major: UInt8) throws(CBORError) -> UInt64 {
        let start = offset
        guard offset < end else { throw CBORError(.truncated, at: start) }
        let first = bytes[offset]
        guard first >> 5 == major else { throw CBORError(.unexpectedType, at: start) }
        let information = first & 0x1F
        guard information >= 24 else {
            offset += 1
            return UInt64(information)
        }
        guard information <= 27 else { throw CBORError(.malformed, at: start) }
        let width = 1 << Int(information - 24)
        guard width <= end - offset - 1 else { throw CBORError(.truncated, at: start) }
        var value: UInt64 = 0
        for index in offset + 1...offset + width {
            value = value << 8 | UInt64(bytes[index])
        }
        offset += 1 + width
        return value
    }
}
