package import TarnModel
package import TarnStorage

/// What is kept, and how it is forgotten.
extension SQLiteCommitLog {
    package func extent(of realm: RealmID) throws(StorageError) -> LogExtent {
        guard let number = try number(of: realm) else { return .empty }
        let last = try last(number)
        return try connection.first("SELECT trimmed, bytes FROM realm WHERE n = ?", .int(number)) {
            (row) throws(StorageError) in
            LogExtent(
                trimmed: Version(try row.bits(0)), last: last, bytes: Int(clamping: try row.int(1)))
        } ?? .empty
    }

    package func trim(
        _ realm: RealmID, by rule: LogTrim, limit: Int
    ) throws(StorageError) -> Bool {
        guard let number = try number(of: realm) else { return false }
        return try connection.transaction { () throws(StorageError) in
            let extent = try extent(of: realm)
            var bytes = extent.bytes
            var through = extent.trimmed
            var count = 0
            let rows = try connection.all(
                "SELECT length(body) FROM record WHERE n > ? AND n <= ? ORDER BY n LIMIT ?",
                .int(try Self.row(number, through)),
                .int(try Self.row(number, min(rule.synced, extent.last))), .int(Int64(limit))
            ) { (row) throws(StorageError) in Int(try row.int(0)) }
            for size in rows {
                guard rule.forgets(through.next, ofBytes: bytes) else { break }
                through = through.next
                bytes -= size
                count += 1
            }
            guard count > 0 else { return false }
            try connection.run(
                "UPDATE realm SET trimmed = ?, bytes = ? WHERE n = ?", .bits(through.number),
                .int(Int64(bytes)), .int(number))
            try connection.run(
                "DELETE FROM record WHERE n > ? AND n <= ?", .int(try Self.row(number, .zero)),
                .int(try Self.row(number, through)))
            return count == limit
        }
    }

    // MARK: The layout

    static let recordsByTransaction =
        "CREATE INDEX record_transaction ON record (replica, sequence)"

    /// The first layout had neither sizes nor an index by transaction.
    static let addTransactions = SQLiteUpgrade { (connection) throws(StorageError) in
        for change in [
            "ALTER TABLE realm ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE record ADD COLUMN replica INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE record ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0",
        ] {
            try connection.execute(change)
        }
        let realms = try connection.all("SELECT n, id FROM realm") { (row) throws(StorageError) in
            (number: try row.int(0), id: RealmID(bytes: try row.blob(1)))
        }
        for realm in realms {
            guard let id = realm.id else {
                throw .corrupt("a realm without a name", while: "upgrading the commit log")
            }
            try SQLiteCommitLog.addTransactions(to: realm.number, id, on: connection)
        }
        try connection.execute(recordsByTransaction)
    }

    private static func addTransactions(
        to realm: Int64, _ id: RealmID, on connection: SQLiteConnection
    ) throws(StorageError) {
        var bytes = 0
        var last = try row(realm, .zero)
        let end = try row(realm, versionMax)
        while true {
            let batch = try connection.all(
                "SELECT n, body FROM record WHERE n > ? AND n <= ? ORDER BY n LIMIT 1000",
                .int(last), .int(end)
            ) { (row) throws(StorageError) in
                (n: try row.int(0), bytes: try row.blob(1).count, record: try record(row, of: id))
            }
            guard let read = batch.last?.n else { break }
            last = read
            for (n, size, record) in batch {
                bytes += size
                let transaction = record.origin.transaction
                try connection.run(
                    "UPDATE record SET replica = ?, sequence = ? WHERE n = ?",
                    .bits(transaction.replica.rawValue), .bits(transaction.sequence), .int(n))
            }
        }
        try connection.run(
            "UPDATE realm SET bytes = ? WHERE n = ?", .int(Int64(bytes)), .int(realm))
    }
}
