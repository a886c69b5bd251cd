import TarnCBOR
package import TarnModel
package import TarnStorage

extension SQLiteReplicaStore {
    package func chain() throws(StorageError) -> ChainState {
        expectOpen()
        let sql = """
            SELECT sequence, hash, acknowledgedSequence, acknowledgedHash, ticks FROM chain
            """
        let chain = try file.first(sql) { (row) throws(StorageError) in
            ChainState(
                sequence: try row.bits(0), hash: try row.chainHash(1),
                acknowledgedSequence: try row.bits(2), acknowledgedHash: try row.chainHash(3),
                ticks: try row.bits(4))
        }
        return chain ?? .empty
    }

    package func setChain(_ chain: ChainState) throws(StorageError) {
        expectWriting()
        try file.run(
            "REPLACE INTO chain VALUES (1, ?, ?, ?, ?, ?)", .bits(chain.sequence),
            .blob(chain.hash.bytes), .bits(chain.acknowledgedSequence),
            .blob(chain.acknowledgedHash.bytes), .bits(chain.ticks))
    }

    package func append(
        _ entry: OutboxEntry, touching objects: [ObjectID]
    ) throws(StorageError) {
        expectWriting()
        try file.run(
            "REPLACE INTO outbox VALUES (?, ?, ?, ?, ?)", .bits(entry.sequence),
            .blob(entry.sealed.body), .blob(entry.sealed.hash.bytes),
            .bits(entry.sealed.clockTicks), .bits(entry.sealed.standing.rawValue))
        for object in objects { try addTouch(object, by: entry.sequence) }
    }

    package func addTouch(_ object: ObjectID, by sequence: UInt64) throws(StorageError) {
        expectWriting()
        try file.run(
            "INSERT OR IGNORE INTO touch VALUES (?, ?, ?)", .int(object.classNumber),
            .int(object.number), .bits(sequence))
    }

    package func pending(
        after sequence: UInt64, limit: Int
    ) throws(StorageError) -> [OutboxEntry] {
        expectOpen()
        let sql = """
            SELECT sequence, body, hash, ticks, standing FROM outbox WHERE sequence > ?
            ORDER BY sequence LIMIT ?
            """
        return try file.all(sql, .bits(sequence), .int(max(limit, 0))) {
            (row) throws(StorageError) in try row.outboxEntry()
        }
    }

    package func pending(_ sequence: UInt64) throws(StorageError) -> OutboxEntry? {
        expectOpen()
        let sql = "SELECT sequence, body, hash, ticks, standing FROM outbox WHERE sequence = ?"
        return try file.first(sql, .bits(sequence)) {
            (row) throws(StorageError) in try row.outboxEntry()
        }
    }

    package func pendingCount() throws(StorageError) -> Int {
        expectOpen()
        let count = try file.first("SELECT count(*) FROM outbox") {
            (row) throws(StorageError) in try row.int(0)
        }
        return Int(count ?? 0)
    }

    package func sequences(touching object: ObjectID) throws(StorageError) -> [UInt64] {
        expectOpen()
        let sql = "SELECT sequence FROM touch WHERE class = ? AND n = ? ORDER BY sequence"
        return try file.all(sql, .int(object.classNumber), .int(object.number)) {
            (row) throws(StorageError) in try row.bits(0)
        }
    }

    package func objects(touchedBy sequence: UInt64) throws(StorageError) -> [ObjectID] {
        expectOpen()
        let sql = "SELECT class, n FROM touch WHERE sequence = ? ORDER BY class, n"
        return try file.all(sql, .bits(sequence)) {
            (row) throws(StorageError) in try row.object(0)
        }
    }

    package func removePending(_ sequence: UInt64) throws(StorageError) {
        expectWriting()
        try file.run("DELETE FROM outbox WHERE sequence = ?", .bits(sequence))
        content.loosened.formUnion(try objects(touchedBy: sequence))
        try file.run("DELETE FROM touch WHERE sequence = ?", .bits(sequence))
    }

    package func replacePending(
        _ sequence: UInt64, by entry: OutboxEntry
    ) throws(StorageError) {
        let touched = try objects(touchedBy: sequence)
        try removePending(sequence)
        try append(entry, touching: touched)
    }

    package func keep(_ receipt: KeptReceipt) throws(StorageError) {
        expectWriting()
        var writer = CBORWriter()
        writer.write(receipt.receipt)
        try file.run(
            """
            REPLACE INTO receipt (sequence, hash, receipt, body, decided) VALUES (?, ?, ?, ?, ?)
            """,
            .bits(receipt.receipt.sequence), .blob(receipt.receipt.hash.bytes),
            .blob(writer.bytes), SQLiteValue(receipt.body), .int(receipt.decided))
    }

    package func dropReceipt(_ receipt: Receipt) throws(StorageError) {
        expectWriting()
        try file.run(
            "DELETE FROM receipt WHERE sequence = ? AND hash = ?", .bits(receipt.sequence),
            .blob(receipt.hash.bytes))
    }

    package func keptReceipts() throws(StorageError) -> [KeptReceipt] {
        expectOpen()
        let sql = "SELECT receipt, body, decided FROM receipt ORDER BY sequence, number"
        return try file.all(sql) { (row) throws(StorageError) in
            let body = try row.optionalBlob(1)
            var reader = CBORReader(try row.blob(0))
            let receipt: Receipt
            do throws(CBORError) {
                receipt = try reader.readReceipt()
            } catch {
                throw row.unexpected(0)
            }
            return KeptReceipt(receipt: receipt, body: body, decided: try row.int(2))
        }
    }
}

extension SQLiteRow {
    func chainHash(_ column: Int) throws(StorageError) -> ChainHash {
        let bytes = try blob(column)
        guard bytes.count == ChainHash.byteCount, let hash = ChainHash(prefixOf: bytes) else {
            throw unexpected(column)
        }
        return hash
    }

    func standing(_ column: Int) throws(StorageError) -> SealedTransaction.Standing {
        guard let standing = SealedTransaction.Standing(rawValue: try bits(column)) else {
            throw unexpected(column)
        }
        return standing
    }

    /// A resume point from two columns, of which this is the first.
    func point(_ column: Int) throws(StorageError) -> ResumePoint {
        ResumePoint(version: Version(try bits(column)), salt: Salt(try bits(column + 1)))
    }

    /// An object from two columns, of which this is the first.
    func object(_ column: Int) throws(StorageError) -> ObjectID {
        ObjectID(classNumber: Int(try int(column)), number: try int(column + 1))
    }

    fileprivate func outboxEntry() throws(StorageError) -> OutboxEntry {
        OutboxEntry(
            sequence: try bits(0),
            sealed: SealedTransaction(
                body: try blob(1), hash: try chainHash(2), clockTicks: try bits(3),
                standing: try standing(4)))
    }
}
