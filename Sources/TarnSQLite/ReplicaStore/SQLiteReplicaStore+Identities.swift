import TarnModel
import TarnStorage

/// Replica ids stand once in the file, and go by small numbers everywhere else.
extension SQLiteReplicaStore {
    func replica(_ number: Int64) throws(StorageError) -> ReplicaID {
        if let known = content.replicas[number] { return known }
        let found = try file.first("SELECT id FROM replica WHERE number = ?", .int(number)) {
            (row) throws(StorageError) in ReplicaID(try row.bits(0))
        }
        guard let found else {
            throw .corrupt("replica \(number) has no id", while: "reading the replica")
        }
        remember(found, as: number)
        return found
    }

    /// Nil for one that nothing in the file is of.
    func knownNumber(of replica: ReplicaID) throws(StorageError) -> Int64? {
        if let known = content.replicaNumbers[replica] { return known }
        let sql = "SELECT number FROM replica WHERE id = ?"
        let found = try file.first(sql, .bits(replica.rawValue)) {
            (row) throws(StorageError) in try row.int(0)
        }
        if let found { remember(replica, as: found) }
        return found
    }

    func number(of replica: ReplicaID) throws(StorageError) -> Int64 {
        if let known = try knownNumber(of: replica) { return known }
        try file.run("INSERT INTO replica (id) VALUES (?)", .bits(replica.rawValue))
        let number = file.lastInsertedRow
        remember(replica, as: number)
        return number
    }

    private func remember(_ replica: ReplicaID, as number: Int64) {
        content.replicas[number] = replica
        content.replicaNumbers[replica] = number
    }

    /// A transaction from two columns, of which this is the first; nil for null.
    func transaction(
        _ row: SQLiteRow, _ column: Int
    ) throws(StorageError) -> TransactionID? {
        if row.isNull(column) { return nil }
        return TransactionID(
            replica: try replica(try row.int(column)), sequence: try row.bits(column + 1))
    }

    func columns(of transaction: TransactionID?) throws(StorageError) -> [SQLiteValue] {
        guard let transaction else { return [.null, .null] }
        return [.int(try number(of: transaction.replica)), .bits(transaction.sequence)]
    }

    /// A slot or element from three columns, of which this is the first; nil for null.
    func slotID(_ row: SQLiteRow, _ column: Int) throws(StorageError) -> SlotID? {
        guard let transaction = try transaction(row, column) else { return nil }
        guard let ordinal = UInt32(exactly: try row.int(column + 2)) else {
            throw row.unexpected(column + 2)
        }
        return SlotID(transaction: transaction, ordinal: ordinal)
    }
}
