import TarnStorage

/// What came of setting a transaction back.
package struct UndoReport: Equatable, Sendable {
    /// The transaction that was set back.
    package let sequence: UInt64
    /// How many of its changes are.
    package let undoneCount: Int
    /// What was not set back, and why: a sentence each, without a full stop.
    package let kept: [String]
}

extension Replica {
    /// Sets back what still comes from one of the transactions that were written here, as a
    /// transaction of its own, and tells of the rest: what others, or later writes, have changed
    /// since stays as it is. It works offline as any write.
    ///
    /// - Parameter sequence: nil for the last one that was not set back yet.
    ///
    /// Throws `nothingToUndo` where that transaction is not remembered, was set back already or was
    /// an import.
    package func undo(
        _ sequence: UInt64? = nil, clockTicks: UInt64
    ) throws -> UndoReport {
        try write(clockTicks: clockTicks) { transaction in
            let store = store
            var entry = try Self.entry(sequence, in: store)
            let steps = try UndoCoding.decode(entry.record)
            var undoing = Undoing()
            for step in steps.reversed() { try undoing.setBack(step, in: &transaction) }
            // Where nothing could be set back, it may be tried again another day.
            if undoing.count > 0 {
                entry.state = .undone
                try store.keepUndo(entry)
                transaction.isUndoing = true
            }
            return UndoReport(
                sequence: entry.sequence, undoneCount: undoing.count, kept: undoing.kept)
        }
    }

    private static func entry(
        _ sequence: UInt64?, in store: any ReplicaStore
    ) throws -> UndoEntry {
        guard let sequence else {
            guard let last = try store.lastDone() else {
                throw ReplicaError(.nothingToUndo, "there is nothing to undo")
            }
            return last
        }
        guard let entry = try store.undoEntry(sequence) else {
            throw ReplicaError(
                .nothingToUndo,
                "transaction \(sequence) cannot be undone: it was not written here, is an import, "
                    + "or is too long ago")
        }
        guard entry.state != .undone else {
            throw ReplicaError(.nothingToUndo, "transaction \(sequence) is undone already")
        }
        return entry
    }
}
