package import TarnModel

extension MemoryReplicaStore {
    package func lease() throws(StorageError) -> Lease { state.lease }

    package func setLease(_ lease: Lease) throws(StorageError) {
        try check(.write)
        state.lease = lease
    }

    package func syncStatus() throws(StorageError) -> SyncStatus { state.status }

    package func setSyncStatus(_ status: SyncStatus) throws(StorageError) {
        try check(.write)
        state.status = status
    }

    package func noteChanges(_ objects: [ObjectID]) throws(StorageError) {
        try check(.write)
        guard !objects.isEmpty else { return }
        state.notes.append(Set(objects).sorted())
        state.lastNote += 1
        var count = state.notes.reduce(0) { $0 + $1.count }
        while state.notes.count > ReplicaLimits.notesMax
            || count > ReplicaLimits.notedObjectsMax
        {
            count -= state.notes.removeFirst().count
        }
    }

    package func lastNote() throws(StorageError) -> Int64 { state.lastNote }

    package func changes(after note: Int64) throws(StorageError) -> [ObjectID]? {
        guard (0...state.lastNote).contains(note) else { return nil }
        let missed = state.lastNote - note
        guard missed <= state.notes.count else { return nil }
        return Set(state.notes.suffix(Int(missed)).joined()).sorted()
    }
}
