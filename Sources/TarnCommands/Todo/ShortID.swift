package import TarnModel

/// The name of an object among others that is short enough to be typed: the beginning of its key's
/// digits, as long as it takes to tell it from all others.
///
/// The keys are UUIDs that begin with the time, so neighbours in time begin alike. The digits take
/// the bits in another order: the 62 random ones first, then the 12 others, the time, and what is
/// the same in all. They are written five bits a digit, in letters and digits without i, l, o and u
/// (which are read as their likes).
///
/// So ids hardly ever grow with the number of objects: among a thousand, two share four digits once
/// in two lists. Where that happens both are told apart by a fifth, and who types four is asked
/// which one is meant: an id never comes to mean another object while its own is there.
package struct ShortIDs: Sendable {
    package static let digitsMin = 4
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

    /// All digits, in order.
    private let sorted: [String]

    package init(_ keys: some Sequence<UUIDValue>) {
        sorted = keys.map(Self.digits).sorted()
    }

    /// The shortest beginning, of four digits at least, that no other key has.
    package func shortID(of key: UUIDValue) -> String {
        let digits = Self.digits(of: key)
        // The neighbours in order share most with it.
        let place = sorted.partitioningIndex { $0 >= digits }
        let before = place > 0 ? Self.common(digits, sorted[place - 1]) : 0
        let after =
            sorted[place...].first { $0 != digits }.map { Self.common(digits, $0) } ?? 0
        return String(digits.prefix(max(Self.digitsMin, max(before, after) + 1)))
    }

    /// Whether a text that somebody typed is the beginning of this key's digits.
    package static func matches(_ text: String, _ key: UUIDValue) -> Bool {
        guard text.utf8.count >= digitsMin else { return false }
        return digits(of: key).hasPrefix(normalized(text))
    }

    /// Capitals and look-alikes as the digits that are meant.
    private static func normalized(_ text: String) -> String {
        String(
            text.lowercased().map { character in
                switch character {
                case "i", "l": "1"
                case "o": "0"
                case "u": "v"
                default: character
                }
            })
    }

    /// The key's 128 bits as 26 digits, the random ones first.
    static func digits(of key: UUIDValue) -> String {
        let first = key.low << 2
        // What is left of `low` is its variant; of `high` the version's random bits come first.
        let second = (key.high & 0xFFF) << 52 | (key.high >> 16) << 4 | (key.high >> 12) & 0xF
        var digits = ""
        var (high, low) = (first, second)
        for _ in 0..<26 {
            digits.append(alphabet[Int(high >> 59)])
            high = high << 5 | low >> 59
            low = low << 5 | 0
        }
        return digits
    }

    private static func common(_ left: String, _ right: String) -> Int {
        zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
    }
}

extension Array where Element == String {
    /// The first index at which the test holds; it holds from there on.
    fileprivate func partitioningIndex(_ test: (String) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if test(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
