/// What a class or property may be called: an ASCII letter or underscore, then letters, digits and
/// underscores, 63 at most. So a name is the same in every language's equality.
package enum SchemaName {
    package static let bytesMax = 63

    package static func isValid(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...bytesMax).contains(bytes.count), !isDigit(bytes[0]) else { return false }
        return bytes.allSatisfy { isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
