package import TarnModel

/// Who leads the replica's synchronisation. A process that holds an older epoch than the stored one
/// has been taken over from, and must not write what it downloads.
package struct Lease: Hashable, Sendable {
    package var epoch: UInt64
    /// The process that leads; nil when it gave the lease back.
    package var holder: LeaseHolder?
    /// Milliseconds of the machine's clock since it booted.
    package var renewed: Int64

    package init(epoch: UInt64, holder: LeaseHolder?, renewed: Int64) {
        self.epoch = epoch
        self.holder = holder
        self.renewed = renewed
    }
}

/// A process, told from a later one that was given the same number.
package struct LeaseHolder: Hashable, Sendable {
    package let process: Int64
    /// When it started, in the kernel's ticks since boot.
    package let started: UInt64
    /// The boot it belongs to, so that a lease from before a restart is known for stale.
    package let boot: String

    package init(process: Int64, started: UInt64, boot: String) {
        self.process = process
        self.started = started
        self.boot = boot
    }
}

/// What the leading process knows of the connection, for the others to tell.
package struct SyncStatus: Hashable, Sendable {
    package enum Connection: UInt64, Sendable {
        case offline = 0
        case connecting = 1
        case connected = 2
        /// Stopped by something that waiting does not mend; `problem` says what.
        case stopped = 3
    }

    package var connection: Connection
    /// Milliseconds since 1970 when the server last confirmed that the replica is up to date; nil
    /// for never.
    package var upToDate: Int64?
    /// The last thing that went wrong, as a sentence; nil when all is well.
    package var problem: String?
    /// How far a large download has come that is not applied yet; nil where there is none.
    package var progress: DownloadProgress?

    package init(
        connection: Connection, upToDate: Int64?, problem: String?,
        progress: DownloadProgress? = nil
    ) {
        self.connection = connection
        self.upToDate = upToDate
        self.problem = problem
        self.progress = progress
    }
}

/// Objects that have been gone through, of those that there are.
package struct DownloadProgress: Hashable, Sendable {
    package let done: UInt64
    package let total: UInt64

    package init(done: UInt64, total: UInt64) {
        self.done = done
        self.total = total
    }
}

/// What the processes that share a replica tell each other through it.
package protocol ReplicaSharing {
    func lease() throws(StorageError) -> Lease
    func setLease(_ lease: Lease) throws(StorageError)

    func syncStatus() throws(StorageError) -> SyncStatus
    func setSyncStatus(_ status: SyncStatus) throws(StorageError)

    /// Notes which objects this transaction visibly changes, for the others' live results. Old
    /// notes are dropped beyond a bound.
    func noteChanges(_ objects: [ObjectID]) throws(StorageError)
    /// The number of the last note; zero for none.
    func lastNote() throws(StorageError) -> Int64
    /// What changed above a note, each object once; nil where notes have been dropped since, or
    /// there is no such note yet, so that anything may have.
    func changes(after note: Int64) throws(StorageError) -> [ObjectID]?
}
