package import TarnModel

/// Whether a text has another one in it, by bytes of UTF-8. Every text has the empty one.
package enum TextOperator: Hashable, Sendable {
    case beginsWith
    case endsWith
    case contains

    package func holds(text: Text, part: Text) -> Bool {
        text.withBytes { text in part.withBytes { holds(text: text, part: $0) } }
    }

    package func holds(
        text: UnsafeBufferPointer<UInt8>, part: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard part.count <= text.count else { return false }
        return switch self {
        case .beginsWith: text.prefix(part.count).elementsEqual(part)
        case .endsWith: text.suffix(part.count).elementsEqual(part)
        case .contains: Self.isIn(text, part)
        }
    }

    /// Up to this length of a part, beginning anew at each place costs less than a table does.
    private static let shortPart = 16

    private static func isIn(
        _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= shortPart else { return isLongPartIn(text, part) }
        for start in 0...(text.count - part.count) where text[start] == first {
            var length = 1
            while length < part.count, text[start + length] == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }

    /// Knuth, Morris and Pratt: no more steps than twice the bytes, whatever a stranger asks for.
    private static func isLongPartIn(
        _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        // For each length of a match, the longest shorter one that its end begins.
        var shorter = [0, 0]
        shorter.reserveCapacity(part.count + 1)
        var length = 0
        for byte in part.dropFirst() {
            while length > 0, part[length] != byte { length = shorter[length] }
            if part[length] == byte { length += 1 }
            shorter.append(length)
        }
        length = 0
        for byte in text {
            while length > 0, part[length] != byte { length = shorter[length] }
            if part[length] == byte { length += 1 }
            if length == part.count { return true }
        }
        return false
    }
}
