package import TarnModel

/// One object's row in a replica.
///
///     confirmed  visible
///     yes        yes      the usual object
///     no         yes      created here, not decided yet
///     yes        no       deleted here, not decided yet
///     no         no       known by a link alone: unresolved; or created and deleted here
package struct ReplicaRow: Hashable, Sendable {
    package let object: ObjectID
    package let key: PrimaryKey
    /// Nil where only a link is known.
    package var life: TransactionID?
    /// The server has sent it, and some subscription holds it.
    package var isConfirmed: Bool
    /// The user sees it.
    package var isVisible: Bool

    package init(
        object: ObjectID, key: PrimaryKey, life: TransactionID?, isConfirmed: Bool, isVisible: Bool
    ) {
        self.object = object
        self.key = key
        self.life = life
        self.isConfirmed = isConfirmed
        self.isVisible = isVisible
    }
}

/// What the server last said of an object that pending transactions touch.
package struct Shadow: Hashable, Sendable {
    /// The confirmed object's life; nil where the server has not sent it.
    package var life: TransactionID?
    /// By property number, with null for collections; as long as the class had properties then.
    package var values: [Value]

    package init(life: TransactionID?, values: [Value]) {
        self.life = life
        self.values = values
    }
}

/// The rows of one replica, and their shadows.
package protocol ReplicaObjects {
    func row(of key: PrimaryKey, in classNumber: Int) throws(StorageError) -> ReplicaRow?
    func row(of object: ObjectID) throws(StorageError) -> ReplicaRow?

    /// Adds a row with all its values null. The key must not be there yet.
    func insertRow(
        of key: PrimaryKey, in classNumber: Int, life: TransactionID?, isConfirmed: Bool,
        isVisible: Bool
    ) throws(StorageError) -> ObjectID

    /// Replaces life and flags.
    func update(_ row: ReplicaRow) throws(StorageError)

    /// Takes the row with its cells, collections, shadow and memberships. Where links lead to it,
    /// or pending transactions touch it, its key stays as a row that is neither confirmed nor
    /// visible: until the commit of a transaction that took the last of them away.
    func removeRow(_ object: ObjectID) throws(StorageError)

    /// All values by property number, null for collections; whether the row is visible or not.
    /// Links are given by key, without a life.
    func values(of object: ObjectID) throws(StorageError) -> [Value]

    /// Sets what the user sees. A link to a key that has no row makes one for it, neither confirmed
    /// nor visible.
    func set(_ value: Value, _ property: Int, of object: ObjectID) throws(StorageError)

    func shadow(of object: ObjectID) throws(StorageError) -> Shadow?
    /// Nil takes it away.
    func setShadow(_ shadow: Shadow?, of object: ObjectID) throws(StorageError)

    /// Every place that visibly holds this object by a link or a collection of links, each once;
    /// whether the two objects themselves are visible or not.
    func holders(of object: ObjectID) throws(StorageError) -> [Holder]
}
