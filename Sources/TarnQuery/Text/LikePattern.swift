package import TarnModel

/// LIKE: `?` is one Unicode scalar, `*` any number of them; nothing else is special.
package enum LikePattern {
    package static func matches(_ text: Text, _ pattern: Text) -> Bool {
        text.withBytes { text in pattern.withBytes { matches(text, $0) } }
    }

    /// Both are UTF-8. Costs at most the product of both lengths: when something does not fit, only
    /// the last star may take more.
    package static func matches(
        _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        var (at, place) = (0, 0)
        // Where to go on, in the pattern and in the text, when the last star takes one more.
        var retry: (pattern: Int, text: Int)?
        while at < text.count {
            let wanted = place < pattern.count ? pattern[place] : nil
            if wanted == UInt8(ascii: "*") {
                place += 1
                retry = (place, at)
            } else if wanted == UInt8(ascii: "?") {
                place += 1
                at = next(after: at, in: text)
            } else if wanted == text[at] {
                place += 1
                at += 1
            } else if let last = retry {
                place = last.pattern
                at = next(after: last.text, in: text)
                retry = (place, at)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// The first byte of the next scalar.
    private static func next(after offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var next = offset + 1
        while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
