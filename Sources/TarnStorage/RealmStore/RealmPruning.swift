package import TarnModel

/// How a realm's past is forgotten. The floor alone decides what is known; `prune` merely frees the
/// room, and changes no answer that is asked for.
///
/// At and above the floor, everything can be told: what left a view or a list since, what was
/// deleted since, and by whom. Below it that is gone, for good: what lives has all that is needed
/// to merge with it, stamps too.
package protocol RealmPruning {
    /// Deletes at or below this version are forgotten, with the slots that were left by then, and
    /// the salts and authors of versions below it.
    var floor: Version { get }

    /// Raises the floor, at most to the applied version. Never lower: no effect then.
    func advanceFloor(to version: Version) throws(StorageError)

    /// Frees what the floor has passed: looks at so many rows at most, a few of which may have
    /// others with them. In a transaction.
    ///
    /// Goes by the floor: tombstones of objects, of slots and of members, other names of lives that
    /// ended, gaps, views that were last maintained below it, and versions that nothing needs.
    /// - Returns: whether there is more to free.
    func prune(limit: Int) throws(StorageError) -> Bool

    /// Notes that no version above the applied one was there at a time, in milliseconds since 1970.
    func noteMoment(_ milliseconds: Int64) throws(StorageError)

    /// The last version that was there at a time, as far as was noted: it may have been a later
    /// one.
    func version(at milliseconds: Int64) throws(StorageError) -> Version

    /// When a moment was noted last; nil if none ever was, or the floor has passed it.
    func lastMoment() throws(StorageError) -> VersionMoment?
}

/// A version that was the last one at some time.
package struct VersionMoment: Hashable, Sendable {
    package let version: Version
    package let milliseconds: Int64

    package init(version: Version, milliseconds: Int64) {
        self.version = version
        self.milliseconds = milliseconds
    }
}
