package import TarnModel
package import TarnQuery

/// The materialised state of one realm on the server.
///
/// Guarantees: everything between `begin` and `commit` is there whole or not at all. It may lose
/// its tail in a crash: `applied` says what it has, and the engine replays the rest from the commit
/// log, in order. Reads see the open transaction's writes. Called from one thread at a time.
///
/// Classes and properties go by their numbers in `schema`. An object that was deleted keeps its
/// `ObjectID`, and its key can be read, until the floor passes it; to every other reading it is
/// gone.
package protocol RealmStore: AnyObject, ObjectReader, RealmObjects, RealmLists, RealmEntries,
    RealmReplicas, RealmViews, RealmPruning
{
    func begin() throws(StorageError)
    func commit() throws(StorageError)
    /// Back to the last commit. Never fails: a store that cannot roll back must be reopened, and
    /// says so by throwing from the next `begin`.
    func rollback()

    /// A point inside the open transaction to return to; one at a time.
    func mark() throws(StorageError)
    func releaseMark() throws(StorageError)
    func revertToMark() throws(StorageError)

    /// As of the last `append(_:)`, zero in an empty realm.
    var applied: ResumePoint { get }
    var schema: Schema { get }

    /// Begins the next version, which the effects that follow belong to.
    func append(_ point: ResumePoint, origin: Origin) throws(StorageError)

    /// Nil for a version that the store never had, or that is below the floor; zero's is
    /// `Salt.zero`, whatever the floor.
    func salt(of version: Version) throws(StorageError) -> Salt?

    /// Whose transaction became a version; nil for one that the store never had. Below the floor,
    /// nil also for one whose stamp nothing kept bears.
    func author(of version: Version) throws(StorageError) -> VersionAuthor?

    /// The highest stamp ticks of all versions up to this one. Below the floor perhaps of more, up
    /// to the floor's: what somebody wrote is not to fall behind what he had seen.
    func highestTicks(through version: Version) throws(StorageError) -> UInt64

    /// Applies one effect of the version begun last. One that does not fit what is stored is
    /// `corrupt`. When it has thrown, what was done since the mark, or since `begin`, is good for
    /// nothing but to be taken back.
    func apply(_ effect: Effect) throws(StorageError)

    /// The objects that a query selects, in its order, limited as it says.
    func evaluate(_ query: BoundQuery) throws(StorageError) -> [ObjectID]

    /// Moves what is committed to where no crash can lose it, and syncs it. Outside a transaction.
    func checkpoint() throws(StorageError)
}

/// One object's existence and cells.
package protocol RealmObjects {
    /// What became of a class's key; of several lives that ended, the last.
    func keyState(of key: PrimaryKey, in classNumber: Int) throws(StorageError) -> KeyState

    /// The living object of that key.
    func object(_ key: PrimaryKey, in classNumber: Int) throws(StorageError) -> ObjectID?

    /// The same with the life that it is.
    func living(_ key: PrimaryKey, in classNumber: Int) throws(StorageError) -> LivingObject?

    func isAlive(_ object: ObjectID) throws(StorageError) -> Bool

    /// The key of an object, or of what it left behind; nil where the floor has passed that.
    func knownKey(of object: ObjectID) throws(StorageError) -> PrimaryKey?

    /// The life of an object that is alive.
    func life(of object: ObjectID) throws(StorageError) -> TransactionID

    /// All values of an object that is alive, by property number, null for collections; links by
    /// key.
    func values(of object: ObjectID) throws(StorageError) -> [Value]

    /// The life of that key that a transaction's id is another name of; itself where it is none.
    /// One transaction may have merged with several objects, so that the id alone names none of
    /// them.
    func resolved(
        _ life: TransactionID, of key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> TransactionID

    /// Who set a property last.
    func setting(of property: Int, of object: ObjectID) throws(StorageError) -> Setting

    /// What was added to a property above a version, in order.
    func increments(
        of property: Int, of object: ObjectID, since version: Version
    ) throws(StorageError) -> [Increment]

    /// Living objects of a class that hold that value in a property of one value, at most so many.
    func objects(
        holding value: Value, in property: Int, of classNumber: Int, limit: Int
    ) throws(StorageError) -> [ObjectID]

    /// The properties (collections are not among them) whose cell was changed above a version.
    func changedProperties(
        of object: ObjectID, since version: Version
    ) throws(StorageError) -> [Int]

    /// Every place that holds this object by a link or a collection of links, of whatever class.
    func holders(of object: ObjectID) throws(StorageError) -> [Holder]
}

/// An object that is there, and since which transaction.
package struct LivingObject: Hashable, Sendable {
    package let object: ObjectID
    package let life: TransactionID

    package init(object: ObjectID, life: TransactionID) {
        self.object = object
        self.life = life
    }
}

/// Whose a version is.
package struct VersionAuthor: Hashable, Sendable {
    package let replica: ReplicaID
    package let user: String

    package init(replica: ReplicaID, user: String) {
        self.replica = replica
        self.user = user
    }
}

/// Who set a cell or an entry last: by its stamp, and by the version of it.
package struct Setting: Hashable, Sendable {
    package let mark: RegisterMark
    package let version: Version

    package init(mark: RegisterMark, version: Version) {
        self.mark = mark
        self.version = version
    }
}

/// A property of an object that leads to another.
package struct Holder: Hashable, Sendable {
    package let object: ObjectID
    package let property: Int

    package init(object: ObjectID, property: Int) {
        self.object = object
        self.property = property
    }
}
