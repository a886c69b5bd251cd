import TarnStorage

/// What came of setting a transaction back.
package struct UndoReport: Equatable, Sendable {
    /// The transaction that was set back.
    package let sequence: UInt64
    /// How many of its changes are.
    package let undoneCount: Int
    /// What was not set back, and why: a sentence each, without a full stop.
    package let kept: [String]

    package init(sequence: UInt64, undoneCount: Int, kept: [String]) {
        self.sequence = sequence
        self.undoneCount = undoneCount
        self.kept = kept
    }
}

extension WriteTransaction {
    /// Sets back what still comes from one of the transactions that were written here, and tells of
    /// the rest: what others, or later writes, have changed since stays as it is. It works offline
    /// as any write.
    ///
    /// - Parameter sequence: nil for the last one that was not set back yet.
    ///
    /// Throws `nothingToUndo` where that transaction is not remembered, was set back already or is
    /// too large for it, as an import is.
    package mutating func undo(_ sequence: UInt64? = nil) throws(ReplicaError) -> UndoReport {
        let store = store
        var entry = try Self.entry(sequence, in: reader)
        let steps = try UndoCoding.decode(entry.record)
        var undoing = try Undoing(steps, in: reader)
        for step in steps.reversed() { try undoing.setBack(step, in: &self) }
        // Where nothing could be set back, it may be tried again another day.
        if undoing.count > 0 {
            entry.state = .undone
            let undone = entry
            try reader.stored { () throws(StorageError) in try store.keepUndo(undone) }
            isUndoing = true
        }
        return UndoReport(
            sequence: entry.sequence, undoneCount: undoing.count, kept: undoing.kept)
    }

    private static func entry(
        _ sequence: UInt64?, in reader: ReplicaReader
    ) throws(ReplicaError) -> UndoEntry {
        let store = reader.store
        guard let sequence else {
            let last = try reader.stored { () throws(StorageError) in try store.lastDone() }
            guard let last else { throw ReplicaError(.nothingToUndo, "there is nothing to undo") }
            return try ofBearableSize(last)
        }
        let entry = try reader.stored { () throws(StorageError) in
            try store.undoEntry(sequence)
        }
        guard let entry else {
            throw ReplicaError(
                .nothingToUndo,
                "transaction \(sequence) cannot be undone: it was not written here, is one of an "
                    + "import, or is too long ago")
        }
        guard entry.state != .undone else {
            throw ReplicaError(.nothingToUndo, "transaction \(sequence) is undone already")
        }
        return try ofBearableSize(entry)
    }

    private static func ofBearableSize(_ entry: UndoEntry) throws(ReplicaError) -> UndoEntry {
        guard entry.record.isEmpty else { return entry }
        throw ReplicaError(
            .nothingToUndo,
            "transaction \(entry.sequence) cannot be undone: it is one of an import, or too large; "
                + "an earlier one can be, by its number")
    }
}
