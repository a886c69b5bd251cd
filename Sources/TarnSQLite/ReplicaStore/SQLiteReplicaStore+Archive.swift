package import TarnModel
package import TarnStorage

extension SQLiteReplicaStore {
    private static let archiveColumns =
        "replica, sequence, version, decided, standing, previous, hash, ticks, body"
    /// The bytes of all archived bodies.
    private static let archiveBytes = "archive"

    package func archive(_ transaction: ArchivedTransaction) throws(StorageError) {
        expectWriting()
        try removeArchived(transaction.id)
        let bytes = transaction.sealed.body.count
        try file.run(
            """
            INSERT INTO archive (\(Self.archiveColumns), bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            values: try terms(transaction.id)
                + [
                    .bits(transaction.version.number), .int(transaction.decided),
                    .bits(transaction.sealed.standing.rawValue), .blob(transaction.previous.bytes),
                    .blob(transaction.sealed.hash.bytes), .bits(transaction.sealed.clockTicks),
                    .blob(transaction.sealed.body), .int(bytes),
                ])
        _ = try advance(Self.archiveBytes, by: bytes)
    }

    package func archived(_ id: TransactionID) throws(StorageError) -> ArchivedTransaction? {
        expectOpen()
        return try file.statement(
            """
            SELECT \(Self.archiveColumns) FROM archive WHERE replica = ? AND sequence = ?
            """
        ).first(try terms(id)) { (row) throws(StorageError) in try self.archived(row) }
    }

    package func archivedIDs(after version: Version) throws(StorageError) -> [TransactionID] {
        expectOpen()
        let sql = """
            SELECT replica, sequence FROM archive WHERE version > ? ORDER BY version, number
            """
        return try file.all(sql, .bits(version.number)) { (row) throws(StorageError) in
            TransactionID(replica: ReplicaID(try row.bits(0)), sequence: try row.bits(1))
        }
    }

    package func removeArchived(_ id: TransactionID) throws(StorageError) {
        expectWriting()
        let terms = try terms(id)
        let found = try file.statement(
            "SELECT number, bytes FROM archive WHERE replica = ? AND sequence = ?"
        ).first(terms) { (row) throws(StorageError) in (try row.int(0), try row.int(1)) }
        if let (number, bytes) = found { try dropArchived(number, ofBytes: bytes) }
    }

    private func dropArchived(_ number: Int64, ofBytes bytes: Int64) throws(StorageError) {
        try file.run("DELETE FROM archive WHERE number = ?", .int(number))
        _ = try advance(Self.archiveBytes, by: -Int(bytes))
    }

    package func trimArchive(
        to bounds: ArchiveBounds, now: Int64
    ) throws(StorageError) {
        expectWriting()
        let sql = "SELECT number, bytes, decided FROM archive ORDER BY number LIMIT 1"
        while true {
            let first = try file.first(sql) { (row) throws(StorageError) in
                (number: try row.int(0), bytes: try row.int(1), decided: try row.int(2))
            }
            guard let first else { return }
            let isOver = try counter(Self.archiveBytes) > Int64(bounds.byteCount)
            guard isOver || first.decided < now - bounds.age else { return }
            try dropArchived(first.number, ofBytes: first.bytes)
        }
    }

    private func terms(_ id: TransactionID) throws(StorageError) -> [SQLiteValue] {
        [.bits(id.replica.rawValue), .bits(id.sequence)]
    }

    private func archived(_ row: SQLiteRow) throws(StorageError) -> ArchivedTransaction {
        ArchivedTransaction(
            id: TransactionID(replica: ReplicaID(try row.bits(0)), sequence: try row.bits(1)),
            sealed: SealedTransaction(
                body: try row.blob(8), hash: try row.chainHash(6), clockTicks: try row.bits(7),
                standing: try row.standing(4)),
            previous: try row.chainHash(5), version: Version(try row.bits(2)),
            decided: try row.int(3))
    }

    // MARK: Points

    package func points() throws(StorageError) -> [ResumePoint] {
        expectOpen()
        return try file.all("SELECT version, salt FROM point ORDER BY version") {
            (row) throws(StorageError) in try row.point(0)
        }
    }

    package func dropPoints(above version: Version) throws(StorageError) {
        expectWriting()
        try file.run("DELETE FROM point WHERE version > ?", .bits(version.number))
    }

    func note(_ point: ResumePoint) throws(StorageError) {
        guard point != .zero else { return }
        let last = try file.first("SELECT version, salt FROM point ORDER BY version DESC LIMIT 1") {
            (row) throws(StorageError) in try row.point(0)
        }
        guard last != point else { return }
        if let last, last.version >= point.version {
            // A server that was restored counts anew.
            try file.run("DELETE FROM point WHERE version >= ?", .bits(point.version.number))
        }
        try file.run(
            "INSERT INTO point VALUES (?, ?)", .bits(point.version.number),
            .bits(point.salt.rawValue))
        try thinPoints()
    }

    private func thinPoints() throws(StorageError) {
        let count = try advance("points", by: 1)
        // Counting them all at each group would cost more than the group.
        guard count % Int64(ReplicaLimits.pointsMax / 4) == 0 else { return }
        let points = try points()
        guard points.count > ReplicaLimits.pointsMax * 3 / 4 else { return }
        for (index, point) in points.prefix(points.count / 2).enumerated() where index % 2 == 1 {
            try file.run("DELETE FROM point WHERE version = ?", .bits(point.version.number))
        }
    }
}
