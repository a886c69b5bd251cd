extension MemoryReplicaStore {
    package func keepUndo(_ entry: UndoEntry) throws(StorageError) {
        state.undo.removeAll { $0.sequence == entry.sequence }
        let index = state.undo.firstIndex { $0.sequence > entry.sequence }
        state.undo.insert(entry, at: index ?? state.undo.count)
        let surplus = state.undo.count - ReplicaLimits.undoMax
        if surplus > 0 { state.undo.removeFirst(surplus) }
    }

    package func undoEntry(_ sequence: UInt64) throws(StorageError) -> UndoEntry? {
        state.undo.first { $0.sequence == sequence }
    }

    package func lastDone() throws(StorageError) -> UndoEntry? {
        state.undo.last { $0.state == .done }
    }

    package func dropUndo(_ sequence: UInt64) throws(StorageError) {
        state.undo.removeAll { $0.sequence == sequence }
    }

    package func dropUndo() throws(StorageError) { state.undo = [] }
}
