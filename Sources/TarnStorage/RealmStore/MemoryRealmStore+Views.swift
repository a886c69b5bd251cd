package import TarnModel

extension MemoryRealmStore {
    package func view(_ key: ViewKey) throws(StorageError) -> ViewRecord? { state.views[key] }

    package func createView(_ key: ViewKey) throws(StorageError) -> ViewRecord {
        try write { (state) throws(StorageError) in
            precondition(state.views[key] == nil, "a view is created once")
            let version = state.applied.version
            let record = ViewRecord(
                number: (state.views.values.map(\.number).max() ?? 0) + 1, created: version,
                maintained: version)
            state.views[key] = record
            return record
        }
    }

    package func setMaintained(_ version: Version, of view: Int64) throws(StorageError) {
        try write { (state) throws(StorageError) in
            for (key, record) in state.views where record.number == view {
                state.views[key]?.maintained = version
            }
        }
    }

    package func gaps() throws(StorageError) -> [VersionGap] {
        state.gaps.filter { $0.last >= state.floor }
    }

    package func addGap(_ gap: VersionGap) throws(StorageError) {
        try write { (state) throws(StorageError) in state.gaps.append(gap) }
    }

    package func members(of view: Int64) throws(StorageError) -> [Member] {
        (state.members[view] ?? []).filter { $0.left == nil }
    }

    package func member(_ object: ObjectID, of view: Int64) throws(StorageError) -> Member? {
        state.members[view]?.first { $0.object == object && $0.left == nil }
    }

    package func members(
        of view: Int64, behind object: ObjectID?, limit: Int
    ) throws(StorageError) -> [Member] {
        let behind = (state.members[view] ?? []).filter { member in
            member.left == nil && object.map { member.object > $0 } ?? true
        }
        return Array(behind.sorted { $0.object < $1.object }.prefix(limit))
    }

    package func departures(
        of view: Int64, since version: Version, wereIn: Bool, behind object: ObjectID?,
        through last: ObjectID?, limit: Int
    ) throws(StorageError) -> [ObjectID] {
        let gone = (state.members[view] ?? []).filter { member in
            guard let left = member.left, left > version, !wereIn || member.entered <= version
            else { return false }
            return object.map { member.object > $0 } ?? true
                && last.map { member.object <= $0 } ?? true
        }
        return Array(Set(gone.map(\.object)).sorted().prefix(limit))
    }

    package func memberChanges(
        of view: Int64, since version: Version
    ) throws(StorageError) -> [Member] {
        (state.members[view] ?? []).filter { member in
            member.entered > version || member.left.map { $0 > version } == true
        }
    }

    package func enter(
        _ object: ObjectID, isRoot: Bool, view: Int64, at version: Version
    ) throws(StorageError) {
        try write { (state) throws(StorageError) in
            let isIn = state.members[view]?.contains { $0.object == object && $0.left == nil }
            precondition(isIn != true, "an object enters a view that it is not in")
            state.members[view, default: []].append(
                Member(object: object, isRoot: isRoot, entered: version, left: nil))
        }
    }

    package func leave(
        _ object: ObjectID, view: Int64, at version: Version
    ) throws(StorageError) {
        try write { (state) throws(StorageError) in
            guard
                let index = state.members[view]?.firstIndex(where: {
                    $0.object == object && $0.left == nil
                }), let member = state.members[view]?[index]
            else { return }
            state.members[view]?[index] = Member(
                object: object, isRoot: member.isRoot, entered: member.entered, left: version)
        }
    }
}
