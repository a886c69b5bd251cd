package import TarnModel

extension MemoryReplicaStore {
    package func archive(_ transaction: ArchivedTransaction) throws(StorageError) {
        state.archive.removeAll { $0.id == transaction.id }
        state.archive.append(transaction)
    }

    package func archived(_ id: TransactionID) throws(StorageError) -> ArchivedTransaction? {
        state.archive.first { $0.id == id }
    }

    /// All that is kept, in the order in which it came.
    package func allArchived() throws(StorageError) -> [ArchivedTransaction] { state.archive }

    package func archivedIDs(after version: Version) throws(StorageError) -> [TransactionID] {
        let kept = state.archive.filter { $0.version > version }
        return kept.sorted { $0.version < $1.version }.map(\.id)
    }

    package func removeArchived(_ id: TransactionID) throws(StorageError) {
        state.archive.removeAll { $0.id == id }
    }

    package func trimArchive(
        to bounds: ArchiveBounds, now: Int64
    ) throws(StorageError) {
        var byteCount = state.archive.reduce(0) { $0 + $1.sealed.body.count }
        while let first = state.archive.first,
            byteCount > bounds.byteCount || first.decided < now - bounds.age
        {
            byteCount -= first.sealed.body.count
            state.archive.removeFirst()
        }
    }

    package func points() throws(StorageError) -> [ResumePoint] { state.points }

    package func dropPoints(above version: Version) throws(StorageError) {
        state.points.removeAll { $0.version > version }
    }
}

extension MemoryReplicaState {
    mutating func note(_ point: ResumePoint) {
        guard point != .zero, points.last != point else { return }
        // A server that was restored counts anew.
        points.removeAll { $0.version >= point.version }
        points.append(point)
        guard points.count > ReplicaLimits.pointsMax else { return }
        // Every other one of the older half goes.
        let half = points.count / 2
        points = points.indices.filter { $0 >= half || $0 % 2 == 0 }.map { points[$0] }
    }
}
