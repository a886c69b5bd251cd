import TarnCBOR
package import TarnModel
package import TarnStorage

extension SQLiteRealmStore {
    package func head(of replica: ReplicaID) throws(StorageError) -> ReplicaHead? {
        guard let number = try knownNumber(of: replica) else { return nil }
        return try connection.first(
            """
            SELECT user, sequence, hash, ticks, confirmed, confirmed_hash, integrated,
                integrated_salt
            FROM head WHERE replica = ?
            """, .int(number)
        ) { (row) throws(StorageError) in
            var head = ReplicaHead(user: try user(try row.int(0)))
            head.sequence = try row.bits(1)
            head.hash = try Self.hash(row, 2)
            head.ticks = try row.bits(3)
            head.confirmedSequence = try row.bits(4)
            head.confirmedHash = try Self.hash(row, 5)
            head.integrated = ResumePoint(
                version: Version(try row.bits(6)), salt: Salt(try row.bits(7)))
            return head
        }
    }

    package func put(_ head: ReplicaHead, of replica: ReplicaID) throws(StorageError) {
        try expectTransaction()
        try connection.run(
            "INSERT OR REPLACE INTO head VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            .int(try number(of: replica)), .int(try number(ofUser: head.user)),
            .bits(head.sequence), .blob(head.hash.bytes), .bits(head.ticks),
            .bits(head.confirmedSequence), .blob(head.confirmedHash.bytes),
            .bits(head.integrated.version.number), .bits(head.integrated.salt.rawValue))
    }

    package func receipts(
        of replica: ReplicaID, after sequence: UInt64
    ) throws(StorageError) -> [Receipt] {
        guard let number = try knownNumber(of: replica) else { return [] }
        return try connection.all(
            "SELECT body FROM receipt WHERE replica = ? AND sequence > ? ORDER BY sequence",
            .int(number), .int(Int64(clamping: sequence))
        ) { (row) throws(StorageError) in try Self.receipt(row, 0) }
    }

    package func put(_ receipt: Receipt, of replica: ReplicaID) throws(StorageError) {
        try expectTransaction()
        var writer = CBORWriter()
        writer.write(receipt)
        try connection.run(
            "INSERT OR REPLACE INTO receipt VALUES (?, ?, ?)", .int(try number(of: replica)),
            .int(Int64(clamping: receipt.sequence)), .blob(writer.bytes))
    }

    package func dropReceipts(
        of replica: ReplicaID, through sequence: UInt64
    ) throws(StorageError) {
        try expectTransaction()
        guard let number = try knownNumber(of: replica) else { return }
        try connection.run(
            "DELETE FROM receipt WHERE replica = ? AND sequence <= ?", .int(number),
            .int(Int64(clamping: sequence)))
    }

    private static func hash(_ row: SQLiteRow, _ column: Int) throws(StorageError) -> ChainHash {
        guard let hash = ChainHash(prefixOf: try row.blob(column)) else {
            throw row.unexpected(column)
        }
        return hash
    }

    private static func receipt(_ row: SQLiteRow, _ column: Int) throws(StorageError) -> Receipt {
        var reader = CBORReader(try row.blob(column))
        do throws(CBORError) {
            let receipt = try reader.readReceipt()
            try reader.expectEnd()
            return receipt
        } catch {
            throw row.unexpected(column)
        }
    }
}
