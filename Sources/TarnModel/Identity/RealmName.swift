/// What people call a realm: `owner/name`.
///
/// Both parts are 1 to 64 characters of `a-z`, `0-9`, `-`, `_` and `.`, and begin with a letter
/// or digit, so that they may stand in file names and addresses, and nobody can imitate a name
/// with letters that look the same.
package struct RealmName: Hashable, Sendable {
    /// The owner under whose name a person's realms stand before any login. No user is called so.
    package static let localOwner = "local"

    package let owner: String
    package let name: String

    package init?(owner: String, name: String) {
        guard Self.isValidPart(owner), Self.isValidPart(name) else { return nil }
        self.owner = owner
        self.name = name
    }

    /// Reads `owner/name`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(owner: String(parts[0]), name: String(parts[1]))
    }

    /// Whether a user or the latter half of a realm may be called so.
    package static func isValidPart(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (1...64).contains(bytes.count) else { return false }
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isAlphanumeric(bytes[0]) else { return false }
        return bytes.allSatisfy { isAlphanumeric($0) || [0x2D, 0x5F, 0x2E].contains($0) }
    }
}

extension RealmName: CustomStringConvertible {
    package var description: String { "\(owner)/\(name)" }
}
