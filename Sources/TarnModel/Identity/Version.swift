/// The server's number of a committed transaction in one realm, from 1; 0 is the empty realm.
package struct Version: Hashable, Comparable, Sendable {
    package static let zero = Version(0)
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package var next: Version { Version(number + 1) }

    package static func < (left: Version, right: Version) -> Bool { left.number < right.number }
}

/// A version's random companion: a server that was restored from an older backup hands out the
/// same numbers again, but not the same salts.
package struct Salt: Hashable, Sendable {
    package static let zero = Salt(0)
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// What a replica has integrated: a version, and the salt that proves which history it is of.
package struct ResumePoint: Hashable, Sendable {
    /// The empty realm's.
    package static let zero = ResumePoint(version: .zero, salt: .zero)
    package let version: Version
    package let salt: Salt

    package init(version: Version, salt: Salt) {
        self.version = version
        self.salt = salt
    }
}

extension Version: CustomStringConvertible {
    package var description: String { String(number) }
}
