/// Says whether bytes that come in pieces are UTF-8, at the first byte that cannot be.
struct UTF8Validator {
    /// How many bytes the scalar that was begun still needs, and what the next one may be: the
    /// second byte of a scalar has tighter bounds, which keep out surrogates and long forms.
    private var needed = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text may end here.
    var isComplete: Bool { needed == 0 }

    /// False at the first byte that is wrong; after that the validator is of no use.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset < bytes.count {
            if needed == 0 {
                offset = Self.skipASCII(bytes, from: offset)
                guard offset < bytes.count else { return true }
                guard begin(bytes[offset]) else { return false }
            } else {
                let byte = bytes[offset]
                guard byte >= lowest, byte <= highest else { return false }
                needed -= 1
                lowest = 0x80
                highest = 0xBF
            }
            offset += 1
        }
        return true
    }

    private static func skipASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        while offset + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 != 0 { break }
            offset += 8
        }
        while offset < bytes.count, bytes[offset] < 0x80 { offset += 1 }
        return offset
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: needed = 1
        case 0xE0: (needed, lowest) = (2, 0xA0)
        case 0xED: (needed, highest) = (2, 0x9F)
        case 0xE1...0xEF: needed = 2
        case 0xF0: (needed, lowest) = (3, 0x90)
        case 0xF4: (needed, highest) = (3, 0x8F)
        case 0xF1...0xF3: needed = 3
        default: return false
        }
        return true
    }
}
