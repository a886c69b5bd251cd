package import TarnModel
package import TarnQuery

/// A realm in memory, as plainly as it can be kept: the reference that other stores are compared
/// with, and what a simulation runs on.
package final class MemoryRealmStore: RealmStore {
    private(set) var state: RealmState
    /// What a rollback returns to; nil outside a transaction.
    private var before: RealmState?
    private var marked: RealmState?
    /// The state at the last checkpoint, and at each commit since, the newest last.
    private var commits: [RealmState]

    /// Asked before each call that writes.
    package var fault: StorageFault = { _ in nil }

    /// As many commits as a crash may take; older ones count as written out.
    private static let commitsMax = 64

    package init() {
        state = RealmState()
        commits = [state]
    }

    private init(_ state: RealmState) {
        self.state = state
        commits = [state]
    }

    /// What a crash leaves: the store as it was committed so many commits ago, but never as it was
    /// before its last checkpoint. This one stays as it is.
    package func crashed(losingTail count: Int) -> MemoryRealmStore {
        precondition(count >= 0, "a crash brings back no commits")
        return MemoryRealmStore(commits[max(0, commits.count - 1 - count)])
    }

    // MARK: Transactions

    package func begin() throws(StorageError) {
        precondition(before == nil, "transactions do not nest")
        try check(.begin)
        before = state
    }

    package func commit() throws(StorageError) {
        precondition(before != nil, "there is no transaction")
        try check(.commit)
        before = nil
        marked = nil
        commits.append(state)
        if commits.count > Self.commitsMax { commits.removeFirst() }
    }

    package func rollback() {
        if let before { state = before }
        before = nil
        marked = nil
    }

    package func mark() throws(StorageError) {
        precondition(before != nil && marked == nil, "one mark at a time, in a transaction")
        marked = state
    }

    package func releaseMark() throws(StorageError) {
        precondition(marked != nil, "there is no mark")
        marked = nil
    }

    package func revertToMark() throws(StorageError) {
        guard let marked else { preconditionFailure("there is no mark") }
        state = marked
        self.marked = nil
    }

    package func checkpoint() throws(StorageError) {
        precondition(before == nil, "a checkpoint stands outside a transaction")
        try check(.checkpoint)
        commits = [state]
    }

    // MARK: Versions

    package var applied: ResumePoint { state.applied }
    package var schema: Schema { state.schema }
    package var floor: Version { state.floor }

    package func append(_ point: ResumePoint, origin: Origin) throws(StorageError) {
        try write { (state) throws(StorageError) in try state.append(point, origin: origin) }
    }

    package func salt(of version: Version) throws(StorageError) -> Salt? {
        if version == .zero { return .zero }
        return version < state.floor ? nil : kept(version)?.point.salt
    }

    package func author(of version: Version) throws(StorageError) -> VersionAuthor? {
        kept(version).map {
            VersionAuthor(replica: $0.origin.transaction.replica, user: $0.origin.user)
        }
    }

    private func kept(_ version: Version) -> StoredVersion? {
        guard version > .zero, version <= state.applied.version else { return nil }
        return state.versions[Int(version.number - 1)]
    }

    package func highestTicks(through version: Version) throws(StorageError) -> UInt64 {
        guard version > .zero, state.applied.version > .zero else { return 0 }
        let index = Int(min(version, state.applied.version).number) - 1
        return state.versions.dropFirst(index).first { $0 != nil }??.highestTicks ?? 0
    }

    package func apply(_ effect: Effect) throws(StorageError) {
        try write { (state) throws(StorageError) in try state.apply(effect) }
    }

    package func evaluate(_ query: BoundQuery) throws(StorageError) -> [ObjectID] {
        do {
            return try query.evaluate(in: self)
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.corrupt, while: "evaluating a query", cause: "\(error)")
        }
    }

    /// The one way to change anything: in a transaction.
    func write<Result>(
        _ body: (inout RealmState) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        precondition(before != nil, "there is no transaction")
        try check(.write)
        return try body(&state)
    }

    private func check(_ call: StorageCall) throws(StorageError) {
        if let error = fault(call) { throw error }
    }
}
