import Glibc
package import TarnModel
package import TarnQuery
package import TarnStorage

/// A replica in an SQLite file, which several processes may have open at once; in one process, a
/// store for each who asks, used by one thread at a time.
///
/// A full commit is one with synchronous FULL, a relaxed one with NORMAL. The write-ahead log is
/// brought into the file when it has grown, by whoever notices, with writers kept out meanwhile;
/// and by SQLite when the last process closes the file.
package final class SQLiteReplicaStore: ReplicaStore {
    let file: SQLiteConnection
    private var kind: TransactionKind?
    private var synchronous = SQLiteSynchronous.full
    /// Of the last commit by others that `content` takes account of; nil for none.
    private var dataVersion: Int64?
    private var loaded = ReplicaContent()
    /// The size that the write-ahead log must have for the next attempt to shrink it.
    private var checkpointBytes = ReplicaFileLimits.walBytes

    /// Opens the file, and makes it where it is not there; its folder must be.
    ///
    /// Throws `unavailable` on a file system that several machines share, where SQLite's processes
    /// would damage the file, unless that is allowed; and `corrupt` for a file that is not a
    /// replica or was written by a newer program, which is not written to.
    ///
    /// - Parameter busyMilliseconds: how long `begin` waits for another process's transaction.
    package init(
        path: String, busyMilliseconds: Int32 = 5000, isNetworkAllowed: Bool = false
    ) throws(StorageError) {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        if !isNetworkAllowed, let type = FileSystemType.of(parent),
            FileSystemType.networked.contains(type)
        {
            throw StorageError(
                .unavailable, while: "opening the replica",
                cause: "\(parent) is on \(type): a replica must be on a disk of this machine")
        }
        file = try SQLiteConnection(
            path: path, format: .replica, synchronous: .full, busyMilliseconds: busyMilliseconds)
    }

    deinit { close() }

    /// Ends what is open; later calls throw.
    package func close() {
        rollback()
        file.close()
    }

    /// What the open transaction knows of the file without reading it.
    var content: ReplicaContent {
        expectOpen()
        return loaded
    }

    func expectOpen() {
        precondition(kind != nil, "every call stands inside a transaction")
    }

    func expectWriting() {
        precondition(kind != nil && kind != .reading, "writing stands inside a transaction")
    }

    package func begin(_ kind: TransactionKind) throws(StorageError) {
        precondition(self.kind == nil, "one transaction at a time")
        if case .writing(let durability) = kind {
            try choose(durability == .full ? .full : .normal)
        }
        try file.begin(writing: kind != .reading)
        self.kind = kind
        do throws(StorageError) {
            try refresh()
        } catch {
            rollback()
            throw error
        }
    }

    package func commit() throws(StorageError) {
        guard let kind, kind != .reading else {
            rollback()
            return
        }
        do throws(StorageError) {
            try dropLoosened()
            try saveLastNumbers()
            try file.commit()
        } catch {
            rollback()
            throw error
        }
        loaded.settle()
        self.kind = nil
        checkpointIfGrown()
    }

    package func rollback() {
        if let kind, kind != .reading {
            // What was learnt meanwhile may be of what is taken back.
            loaded = ReplicaContent(schema: loaded.committedSchema)
            dataVersion = nil
        }
        kind = nil
        file.rollback()
    }

    /// Nothing to say on failure: the commit holds, and the next one tries again.
    private func checkpointIfGrown() {
        var status = stat()
        guard stat(file.path + "-wal", &status) == 0 else { return }
        let bytes = Int(status.st_size)
        if bytes < ReplicaFileLimits.walBytes { checkpointBytes = ReplicaFileLimits.walBytes }
        guard bytes >= checkpointBytes else { return }
        // The log begins anew with the next commit that no reader stands in the way of.
        checkpointBytes = bytes + ReplicaFileLimits.walBytes / 4
        try? file.checkpointShared()
    }

    private func choose(_ wanted: SQLiteSynchronous) throws(StorageError) {
        guard synchronous != wanted else { return }
        try file.setSynchronous(wanted)
        synchronous = wanted
    }

    /// Takes account of what other processes have committed.
    private func refresh() throws(StorageError) {
        let version = try file.dataVersion()
        guard version != dataVersion else { return }
        // A newer program may have come to the file while this one had it open.
        try file.expect(.replica)
        try loadSchema()
        dataVersion = version
    }

    package var schema: Schema { kind == nil ? loaded.committedSchema : loaded.schema }

    package func evaluate(_ query: BoundQuery) throws(StorageError) -> [ObjectID] {
        expectOpen()
        let query = (number: query.classNumber, sql: SQLQuery(query))
        return try file.statement(query.sql.sql).all(query.sql.values) {
            (row) throws(StorageError) in
            ObjectID(classNumber: query.number, number: try row.int(0))
        }
    }
}
