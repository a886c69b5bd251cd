package import TarnStorage

extension SQLiteReplicaStore {
    package func keepUndo(_ entry: UndoEntry) throws(StorageError) {
        expectWriting()
        try file.run(
            "REPLACE INTO undo (sequence, state, record) VALUES (?, ?, ?)", .bits(entry.sequence),
            .bits(entry.state.rawValue), .blob(entry.record))
        try file.run(
            """
            DELETE FROM undo WHERE sequence <=
                (SELECT sequence FROM undo ORDER BY sequence DESC LIMIT 1 OFFSET ?)
            """, .int(ReplicaLimits.undoMax))
    }

    package func undoEntry(_ sequence: UInt64) throws(StorageError) -> UndoEntry? {
        try undo(where: "sequence = ?", .bits(sequence))
    }

    package func lastDone() throws(StorageError) -> UndoEntry? {
        try undo(where: "state = ?", .bits(UndoEntry.State.done.rawValue))
    }

    package func dropUndo(_ sequence: UInt64) throws(StorageError) {
        expectWriting()
        try file.run("DELETE FROM undo WHERE sequence = ?", .bits(sequence))
    }

    package func dropUndo() throws(StorageError) {
        expectWriting()
        try file.run("DELETE FROM undo")
    }

    private func undo(
        where condition: String, _ value: SQLiteValue
    ) throws(StorageError) -> UndoEntry? {
        expectOpen()
        let sql =
            "SELECT sequence, state, record FROM undo WHERE \(condition) "
            + "ORDER BY sequence DESC LIMIT 1"
        return try file.first(sql, value) { (row) throws(StorageError) in
            guard let state = UndoEntry.State(rawValue: try row.bits(1)) else {
                throw row.unexpected(1)
            }
            return UndoEntry(
                sequence: try row.bits(0), state: state, record: try row.blob(2))
        }
    }
}
