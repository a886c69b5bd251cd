extension MemoryReplicaStore {
    package func stagedSeries() throws(StorageError) -> StagedSeries? { state.stagedSeries }

    package func stage(_ group: StagedGroup, of series: StagedSeries) throws(StorageError) {
        try check(.write)
        state.staged.append(group)
        state.stagedSeries = series
    }

    package func forEachStaged(_ body: (StagedGroup) throws -> Void) throws {
        for group in state.staged { try body(group) }
    }

    package func dropStaged() throws(StorageError) {
        guard state.stagedSeries != nil else { return }
        try check(.write)
        state.staged = []
        state.stagedSeries = nil
    }
}
