/// A string as it was given: equality, order and hash go by its UTF-8 bytes, which is the order of
/// its Unicode scalars. Swift's own `==` holds "é" and "e" with an accent for one string; two
/// machines with two Unicode versions would disagree on what is the same key.
package struct Text: Sendable {
    package let string: String

    package init(_ string: String) { self.string = string }
}

extension Text: Hashable {
    package static func == (left: Text, right: Text) -> Bool {
        left.string.utf8.elementsEqual(right.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension Text: Comparable {
    package static func < (left: Text, right: Text) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }
}

extension Text: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral value: String) { self.init(value) }
    package var description: String { string }
}
