package import TarnModel

/// A transaction of this replica's that the server has decided, kept so that it can be sent again
/// to a server that has lost it.
package struct ArchivedTransaction: Hashable, Sendable {
    /// Under which it was decided: the replica may have another id by now.
    package let id: TransactionID
    /// With the ticks that the server fixed, and what became of it.
    package let sealed: SealedTransaction
    /// The chain's link before it.
    package let previous: ChainHash
    /// The version that it became.
    package let version: Version
    /// The server's time when its receipt came, in milliseconds since 1970.
    package let decided: Int64

    package init(
        id: TransactionID, sealed: SealedTransaction, previous: ChainHash, version: Version,
        decided: Int64
    ) {
        self.id = id
        self.sealed = sealed
        self.previous = previous
        self.version = version
        self.decided = decided
    }
}

/// How much of a replica's own decided work is kept.
package struct ArchiveBounds: Hashable, Sendable {
    /// Milliseconds.
    package let age: Int64
    /// Bytes of bodies.
    package let byteCount: Int

    /// A server's last backup is rarely older than a month, and 64 MB are the work of years.
    package static let standard = ArchiveBounds(
        age: 30 * 24 * 60 * 60 * 1_000, byteCount: 64 << 20)

    package init(age: Int64, byteCount: Int) {
        self.age = age
        self.byteCount = byteCount
    }
}

/// What a replica needs when its server was restored from an older backup: its own decided
/// transactions, and the points at which it stood.
package protocol ReplicaArchive {
    /// Adds a transaction at the end; replaces what is kept under its id.
    func archive(_ transaction: ArchivedTransaction) throws(StorageError)
    func archived(_ id: TransactionID) throws(StorageError) -> ArchivedTransaction?
    /// The kept ones above a version, in the order of versions.
    func archivedIDs(after version: Version) throws(StorageError) -> [TransactionID]
    func removeArchived(_ id: TransactionID) throws(StorageError)
    /// Drops the oldest, until all are within the bounds.
    func trimArchive(to bounds: ArchiveBounds, now: Int64) throws(StorageError)

    /// The points that `setResumePoint` was given, ascending by version: the last of them, and of
    /// earlier ones the fewer the older they are; `ReplicaLimits.pointsMax` at most.
    func points() throws(StorageError) -> [ResumePoint]
    /// Forgets the points above a version: they are not of the server's history.
    func dropPoints(above version: Version) throws(StorageError)
}
