package import TarnModel
package import TarnStorage

/// The commit log of a daemon in one file, which no other process may write meanwhile.
///
/// A record is one row, and its number says what it is of: the realm's number in the log, times
/// 2⁴⁰, plus the version. So the records of a realm lie together, and an append dirties few pages.
package final class SQLiteCommitLog: CommitLog {
    let connection: SQLiteConnection

    /// Beyond the first a checkpoint is due when nobody waits; beyond the second, at once. All
    /// realms' commits wait for it, the longer the more there is; and reading after a crash takes
    /// longer, too.
    private static let pendingBytesWanted = 512 << 10
    private static let pendingBytesMax = 4 << 20
    private static let versionBits: Int64 = 40
    /// No checkpoint is tried below so many pending bytes: the last one failed.
    private var notBelow = 0

    private static let format = SQLiteFormat(
        name: "the commit log", applicationID: 0x5461_724C, version: 2,
        tables: [
            // `trimmed`: records up to this version were forgotten. `bytes`: of those kept.
            """
            CREATE TABLE realm (
                n INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, trimmed INTEGER NOT NULL,
                bytes INTEGER NOT NULL DEFAULT 0)
            """,
            """
            CREATE TABLE record (
                n INTEGER PRIMARY KEY, replica INTEGER NOT NULL, sequence INTEGER NOT NULL,
                body BLOB NOT NULL)
            """, recordsByTransaction,
        ],
        upgrades: [1: addTransactions])

    /// Makes the file where it is not there; its folder must be.
    package init(path: String) throws(StorageError) {
        connection = try SQLiteConnection(
            path: path, format: Self.format, synchronous: .full, bytesReused: Self.pendingBytesMax)
    }

    package func close() { connection.close() }

    /// A realm, in the midst of a batch.
    private struct Appending {
        let number: Int64
        var last: Version
        /// Of the batch's records.
        var bytes = 0
    }

    package func append(_ batch: [LogRecord]) throws(StorageError) {
        guard !batch.isEmpty else { return }
        try connection.transaction { () throws(StorageError) in
            var realms: [RealmID: Appending] = [:]
            for record in batch {
                var realm =
                    if let known = realms[record.realm] { known } else {
                        try added(record.realm)
                    }
                let version = record.point.version
                guard version.number == realm.last.number + 1 else {
                    throw .gap(before: version, after: realm.last)
                }
                let body = record.encoded
                realm.last = version
                realm.bytes += body.count
                realms[record.realm] = realm
                let transaction = record.origin.transaction
                try connection.run(
                    "INSERT INTO record (n, replica, sequence, body) VALUES (?, ?, ?, ?)",
                    .int(try Self.row(realm.number, version)), .bits(transaction.replica.rawValue),
                    .bits(transaction.sequence), .blob(body))
            }
            for realm in realms.values {
                try connection.run(
                    "UPDATE realm SET bytes = bytes + ? WHERE n = ?", .int(Int64(realm.bytes)),
                    .int(realm.number))
            }
        }
    }

    /// Moves what was appended into the file proper, if it is time: its write-ahead log would grow
    /// without end. Records are durable without it, so one that fails is tried later.
    package func checkpointIfDue(othersWait: Bool) {
        let max = othersWait ? Self.pendingBytesMax : Self.pendingBytesWanted
        let pending = connection.pendingByteCount
        guard pending > max, pending > notBelow else { return }
        do throws(StorageError) {
            try connection.checkpoint()
            notBelow = 0
        } catch {
            // Somebody may be reading the file: not again at every append.
            notBelow = pending + Self.pendingBytesMax
        }
    }

    /// Writes the file's mark once more, as durably as records: whether anything can be written.
    package func probe() throws(StorageError) {
        try connection.transaction { () throws(StorageError) in
            try connection.execute("PRAGMA application_id = \(Self.format.applicationID)")
        }
    }

    package func records(
        of realm: RealmID, after version: Version, limit: Int
    ) throws(StorageError) -> [LogRecord] {
        guard let number = try number(of: realm), limit > 0,
            version.number < Self.versionMax.number
        else { return [] }
        let first = try Self.row(number, version)
        return try connection.all(
            "SELECT n, body FROM record WHERE n > ? AND n <= ? ORDER BY n LIMIT ?",
            .int(first), .int(try Self.row(number, Self.versionMax)), .int(Int64(limit))
        ) { (row) throws(StorageError) in try Self.record(row, of: realm) }
    }

    package func record(
        of transaction: TransactionID, in realm: RealmID
    ) throws(StorageError) -> LogRecord? {
        guard let number = try number(of: realm) else { return nil }
        return try connection.first(
            "SELECT n, body FROM record WHERE replica = ? AND sequence = ? AND n > ? AND n <= ?",
            .bits(transaction.replica.rawValue), .bits(transaction.sequence),
            .int(try Self.row(number, .zero)), .int(try Self.row(number, Self.versionMax))
        ) { (row) throws(StorageError) in try Self.record(row, of: realm) }
    }

    static func record(
        _ row: SQLiteRow, of realm: RealmID
    ) throws(StorageError) -> LogRecord {
        let version = Version(UInt64(bitPattern: try row.int(0)) & versionMax.number)
        let body = try row.blob(1)
        do throws(FormatError) {
            return try LogRecord(body, realm: realm, version: version)
        } catch {
            throw .corrupt("\(error)", while: "reading the commit log")
        }
    }

    package func lastVersion(of realm: RealmID) throws(StorageError) -> Version {
        guard let number = try number(of: realm) else { return .zero }
        return try last(number)
    }

    // MARK: Numbers

    static let versionMax = Version((1 << 40) - 1)

    static func row(_ realm: Int64, _ version: Version) throws(StorageError) -> Int64 {
        guard version <= versionMax, (1..<1 << (62 - versionBits)).contains(realm) else {
            throw StorageError(
                .corrupt, while: "numbering a record", cause: "realm \(realm), version \(version)")
        }
        return realm << versionBits | Int64(version.number)
    }

    func number(of realm: RealmID) throws(StorageError) -> Int64? {
        try connection.first("SELECT n FROM realm WHERE id = ?", .blob(realm.bytes)) {
            (row) throws(StorageError) in try row.int(0)
        }
    }

    /// The realm's number and last version, after adding it where it is new.
    private func added(_ realm: RealmID) throws(StorageError) -> Appending {
        if let number = try number(of: realm) {
            return Appending(number: number, last: try last(number))
        }
        try connection.run("INSERT INTO realm (id, trimmed) VALUES (?, 0)", .blob(realm.bytes))
        return Appending(number: connection.lastInsertedRow, last: .zero)
    }

    func last(_ realm: Int64) throws(StorageError) -> Version {
        let row = try connection.first(
            "SELECT n FROM record WHERE n > ? AND n <= ? ORDER BY n DESC LIMIT 1",
            .int(try Self.row(realm, .zero)), .int(try Self.row(realm, Self.versionMax))
        ) { (row) throws(StorageError) in try row.int(0) }
        if let row { return Version(UInt64(bitPattern: row) & Self.versionMax.number) }
        let trimmed = try connection.first("SELECT trimmed FROM realm WHERE n = ?", .int(realm)) {
            (row) throws(StorageError) in try row.bits(0)
        }
        return min(Version(trimmed ?? 0), Self.versionMax)
    }
}
