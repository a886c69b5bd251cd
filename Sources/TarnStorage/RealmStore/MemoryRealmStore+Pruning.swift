package import TarnModel

extension MemoryRealmStore {
    package func advanceFloor(to version: Version) throws(StorageError) {
        try write { (state) throws(StorageError) in
            precondition(version <= state.applied.version, "the floor stands on what was applied")
            state.floor = max(state.floor, version)
        }
    }

    package func prune(limit: Int) throws(StorageError) -> Bool {
        try write { (state) throws(StorageError) in state.prune(limit: limit) }
    }

    package func noteMoment(_ milliseconds: Int64) throws(StorageError) {
        try write { (state) throws(StorageError) in
            let version = state.applied.version
            guard !state.moments.contains(where: { $0.version == version }) else { return }
            state.moments.append(VersionMoment(version: version, milliseconds: milliseconds))
        }
    }

    package func version(at milliseconds: Int64) throws(StorageError) -> Version {
        state.moments.filter { $0.milliseconds <= milliseconds }.map(\.version).max() ?? .zero
    }

    package func lastMoment() throws(StorageError) -> VersionMoment? { state.moments.last }
}
