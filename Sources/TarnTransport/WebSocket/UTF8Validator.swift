/// Says whether bytes that come in pieces are UTF-8 (RFC 3629), with the piece that has the first
/// byte that cannot be.
///
/// It is an automaton without a branch a byte: a table has, for every byte, a row of what follows
/// from each state, six bits each, and shifting the row by the state leaves the next one in its
/// lowest bits. What any text costs is so known beforehand; sixteen bytes of ASCII are one step.
struct UTF8Validator: Sendable {
    /// What may come next, as the place of its six bits in a row.
    private enum State: UInt64, CaseIterable {
        /// Nothing: a byte was wrong. All rows have zeros here, so it stays.
        case wrong = 0
        /// A scalar, or the end of the text.
        case scalar = 6
        case oneMore = 12
        case twoMore = 18
        case threeMore = 24
        // The second byte of these has tighter bounds, which keep out long forms, surrogates, and
        // what is beyond the last scalar.
        case afterE0 = 30
        case afterED = 36
        case afterF0 = 42
        case afterF4 = 48

        func next(_ byte: UInt8) -> State {
            switch (self, byte) {
            case (.scalar, 0x00...0x7F): .scalar
            case (.scalar, 0xC2...0xDF): .oneMore
            case (.scalar, 0xE0): .afterE0
            case (.scalar, 0xED): .afterED
            case (.scalar, 0xE1...0xEF): .twoMore
            case (.scalar, 0xF0): .afterF0
            case (.scalar, 0xF1...0xF3): .threeMore
            case (.scalar, 0xF4): .afterF4
            case (.oneMore, 0x80...0xBF): .scalar
            case (.twoMore, 0x80...0xBF), (.afterE0, 0xA0...0xBF), (.afterED, 0x80...0x9F):
                .oneMore
            case (.threeMore, 0x80...0xBF), (.afterF0, 0x90...0xBF), (.afterF4, 0x80...0x8F):
                .twoMore
            default: .wrong
            }
        }
    }

    private static let rows: [UInt64] = (UInt8.min...UInt8.max).map { byte in
        State.allCases.reduce(0) { row, state in
            row | state.next(byte).rawValue << state.rawValue
        }
    }

    /// Only its lowest six bits count.
    private var state = State.scalar.rawValue

    private static let stateBits: UInt64 = 0x3F
    private static let notASCII: UInt64 = 0x8080_8080_8080_8080

    /// Whether the text may end here.
    var isComplete: Bool { Self.isScalar(state) }

    /// False if a byte is wrong, and from then on.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Much text is nothing else, and short: it should not even ask for the table.
        let ascii = isComplete ? Self.asciiCount(bytes) : 0
        guard ascii < bytes.count else { return state & Self.stateBits != State.wrong.rawValue }
        return judge(UnsafeRawBufferPointer(rebasing: bytes[ascii...]))
    }

    private mutating func judge(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        state = Self.rows.withUnsafeBufferPointer { rows in
            var state = self.state
            var offset = 0
            while offset < bytes.count {
                let end = min(offset &+ 16, bytes.count)
                if Self.isScalar(state), end &- offset == 16, Self.isASCII(start + offset) {
                    offset = end
                    continue
                }
                while offset < end {
                    state = rows[Int(start.load(fromByteOffset: offset, as: UInt8.self))] &>> state
                    offset &+= 1
                }
            }
            return state
        }
        return state & Self.stateBits != State.wrong.rawValue
    }

    /// How many bytes of ASCII it begins with.
    private static func asciiCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        var offset = 0
        while offset &+ 16 <= bytes.count, isASCII(start + offset) { offset &+= 16 }
        if offset &+ 8 <= bytes.count {
            let word = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if word & notASCII == 0 { offset &+= 8 }
        }
        while offset < bytes.count, start.load(fromByteOffset: offset, as: UInt8.self) < 0x80 {
            offset &+= 1
        }
        return offset
    }

    /// Whether sixteen bytes are.
    private static func isASCII(_ start: UnsafeRawPointer) -> Bool {
        let one = start.loadUnaligned(as: UInt64.self)
        let two = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        return (one | two) & notASCII == 0
    }

    private static func isScalar(_ state: UInt64) -> Bool {
        state & stateBits == State.scalar.rawValue
    }
}
