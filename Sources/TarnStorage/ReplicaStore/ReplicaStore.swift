package import TarnModel
package import TarnQuery

/// The client's copy of its part of one realm: what the user sees (confirmed state with the outbox
/// folded over it), what the server last said where that differs (shadows), and what the server has
/// not decided yet (the outbox). `ObjectReader` and `evaluate` see what the user sees.
///
/// Several processes have it open at once: between `begin` and the end of a transaction nobody else
/// writes, and reads see one state. Every call but `begin` stands inside a transaction.
package protocol ReplicaStore: AnyObject, ObjectReader, ReplicaObjects, ReplicaLists, ReplicaOutbox,
    ReplicaSubscriptions, ReplicaSharing
{
    /// Begins a transaction; waits for another process's, and gives up with `busy` after a time
    /// that the store was opened with.
    func begin(_ kind: TransactionKind) throws(StorageError)

    /// When it has returned with `.full`, what was written survives the loss of power; with
    /// `.relaxed` a crash of the machine may take it back whole.
    func commit(_ durability: Durability) throws(StorageError)

    /// Also ends a reading transaction. Never fails.
    func rollback()

    /// Nil until the replica has been given one.
    func identity() throws(StorageError) -> ReplicaIdentity?
    func setIdentity(_ identity: ReplicaIdentity) throws(StorageError)

    /// Classes and properties go by their numbers in it.
    var schema: Schema { get }
    /// The class as it is from now on: new, or with more properties than before at its end.
    func putClass(_ schema: ClassSchema) throws(StorageError)

    /// What has been integrated of the server's history.
    func resumePoint() throws(StorageError) -> ResumePoint
    func setResumePoint(_ point: ResumePoint) throws(StorageError)

    /// The visible objects that a query selects, in its order, limited as it says.
    func evaluate(_ query: BoundQuery) throws(StorageError) -> [ObjectID]
}

package enum TransactionKind: Sendable { case reading, writing }

package enum Durability: Sendable { case full, relaxed }

/// Whose replica it is, of what, and under which id.
package struct ReplicaIdentity: Hashable, Sendable {
    package let realmName: RealmName
    /// Nil until the server has said it.
    package var realm: RealmID?
    package var replica: ReplicaID
    package let user: String

    package init(realmName: RealmName, realm: RealmID?, replica: ReplicaID, user: String) {
        self.realmName = realmName
        self.realm = realm
        self.replica = replica
        self.user = user
    }
}
