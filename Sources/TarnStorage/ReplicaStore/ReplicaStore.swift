package import TarnModel
package import TarnQuery

/// The client's copy of its part of one realm: what the user sees (confirmed state with the outbox
/// folded over it), what the server last said where that differs (shadows), and what the server has
/// not decided yet (the outbox). `ObjectReader` and `evaluate` see what the user sees.
///
/// Several processes have it open at once: between `begin` and the end of a transaction nobody else
/// writes, and reads see one state. Every call but `begin` stands inside a transaction.
package protocol ReplicaStore: AnyObject, ObjectReader, ReplicaObjects, ReplicaLists,
    ReplicaEntries, ReplicaOutbox, ReplicaArchive, ReplicaSubscriptions, ReplicaSharing,
    ReplicaStaging, ReplicaUndo
{
    /// Begins a transaction; waits for another process's where it writes, and gives up with `busy`
    /// after a time that the store was opened with.
    func begin(_ kind: TransactionKind) throws(StorageError)

    /// When it has returned, what was written is seen by everybody, and is as durable as was said
    /// at the beginning; no other process sees it before it is. When it throws, all of it is taken
    /// back. Also ends a reading transaction.
    func commit() throws(StorageError)

    /// Also ends a reading transaction. Never fails.
    func rollback()

    /// Nil until the replica has been given one.
    func identity() throws(StorageError) -> ReplicaIdentity?
    func setIdentity(_ identity: ReplicaIdentity) throws(StorageError)

    /// Classes and properties go by their numbers in it.
    var schema: Schema { get }
    /// The class as it is from now on: new, or with more properties than before at its end, of
    /// which the rows that are there have the initial values.
    func putClass(_ schema: ClassSchema) throws(StorageError)

    /// What has been integrated of the server's history.
    func resumePoint() throws(StorageError) -> ResumePoint
    /// Also noted among `points`.
    func setResumePoint(_ point: ResumePoint) throws(StorageError)

    /// The visible objects that a query selects, in its order, limited as it says.
    func evaluate(_ query: BoundQuery) throws(StorageError) -> [ObjectID]
}

package enum TransactionKind: Hashable, Sendable {
    /// Sees one state, whoever commits meanwhile.
    case reading
    case writing(Durability)
}

package enum Durability: Sendable {
    /// Survives the loss of power from its commit on, with all that was committed before.
    case full
    /// A crash of the machine may take it back whole, with what was committed after it; a crash of
    /// the process does not.
    case relaxed
}

/// Whose replica it is, of what, and under which id.
package struct ReplicaIdentity: Hashable, Sendable {
    package let realmName: RealmName
    /// Nil until the server has said it.
    package var realm: RealmID?
    package var replica: ReplicaID
    package let user: String
    /// The ids that the replica had before, each given up for a fork.
    package var formerReplicas: [ReplicaID]
    /// What the outbox may be based on that is not of the server's history counts as this, since
    /// the server was restored; nil where it never was.
    package var common: ResumePoint?

    package init(
        realmName: RealmName, realm: RealmID?, replica: ReplicaID, user: String,
        formerReplicas: [ReplicaID] = [], common: ResumePoint? = nil
    ) {
        self.realmName = realmName
        self.realm = realm
        self.replica = replica
        self.user = user
        self.formerReplicas = formerReplicas
        self.common = common
    }

    /// Whether transactions of that replica are this one's own.
    package func isOwn(_ replica: ReplicaID) -> Bool {
        replica == self.replica || formerReplicas.contains(replica)
    }
}
