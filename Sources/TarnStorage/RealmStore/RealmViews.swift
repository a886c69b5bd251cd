package import TarnModel

/// What makes two subscriptions share a view: the same question by the same right.
package struct ViewKey: Hashable, Sendable {
    /// The query's canonical text.
    package let query: String
    package let arguments: [Value]
    /// The user whose access it is evaluated under, and `$user` in it.
    package let user: String
    /// How many links away held objects may be.
    package let depth: Int

    package init(query: String, arguments: [Value], user: String, depth: Int) {
        self.query = query
        self.arguments = arguments
        self.user = user
        self.depth = depth
    }
}

/// A persisted view: its number in the realm, and the versions between which its members are exact.
package struct ViewRecord: Hashable, Sendable {
    package let number: Int64
    /// The version that it was first evaluated at: it can tell nothing about earlier ones.
    package let created: Version
    /// The version that its members were last brought up to.
    package var maintained: Version

    package init(number: Int64, created: Version, maintained: Version) {
        self.number = number
        self.created = created
        self.maintained = maintained
    }
}

/// Versions at which replicas may have been told of views by what a crash then took from the store:
/// from the last version that it kept, since views are revived without a new one, to the last that
/// it took from the log again. What entered or left a view by then, and was undone before the view
/// was evaluated anew, it has not noted.
package struct VersionGap: Hashable, Sendable {
    package let first: Version
    package let last: Version

    package init(first: Version, last: Version) {
        self.first = first
        self.last = last
    }

    package func contains(_ version: Version) -> Bool { version >= first && version <= last }
}

/// One object in a view, for one interval of versions.
package struct Member: Hashable, Sendable {
    package let object: ObjectID
    /// Selected by the query itself, rather than held by links from one that is.
    package let isRoot: Bool
    package let entered: Version
    /// Nil while it is in.
    package let left: Version?

    package init(object: ObjectID, isRoot: Bool, entered: Version, left: Version?) {
        self.object = object
        self.isRoot = isRoot
        self.entered = entered
        self.left = left
    }
}

/// The stored members of one realm's views.
package protocol RealmViews {
    func view(_ key: ViewKey) throws(StorageError) -> ViewRecord?
    /// Creates it with no members, first evaluated at the applied version.
    func createView(_ key: ViewKey) throws(StorageError) -> ViewRecord
    func setMaintained(_ version: Version, of view: Int64) throws(StorageError)

    /// All that were noted and do not end below the floor, in order.
    func gaps() throws(StorageError) -> [VersionGap]
    func addGap(_ gap: VersionGap) throws(StorageError)

    /// Those that are in.
    func members(of view: Int64) throws(StorageError) -> [Member]

    /// The interval in which an object is in; nil where it is not.
    func member(_ object: ObjectID, of view: Int64) throws(StorageError) -> Member?

    /// Those that are in and stand behind an object in the order of objects, at most so many; from
    /// the first where none is given.
    func members(
        of view: Int64, behind object: ObjectID?, limit: Int
    ) throws(StorageError) -> [Member]

    /// The objects that have left since a version, which is not below the floor, whether they have
    /// come back or not: behind one object and up to another, by the same order, at most so many.
    /// - Parameter wereIn: only those that were in at that version.
    func departures(
        of view: Int64, since version: Version, wereIn: Bool, behind object: ObjectID?,
        through last: ObjectID?, limit: Int
    ) throws(StorageError) -> [ObjectID]

    /// Those that entered or left above a version, which is not below the floor; of what did both,
    /// every interval that ended above it.
    func memberChanges(of view: Int64, since version: Version) throws(StorageError) -> [Member]

    /// Begins an interval; the object must not be in.
    func enter(
        _ object: ObjectID, isRoot: Bool, view: Int64, at version: Version
    ) throws(StorageError)

    /// Ends the open interval of an object; no effect where there is none.
    func leave(_ object: ObjectID, view: Int64, at version: Version) throws(StorageError)
}
