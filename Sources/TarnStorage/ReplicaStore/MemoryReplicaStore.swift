package import TarnModel
package import TarnQuery

/// One process's hold on a replica in memory, the plainest way to keep the port's promises: a
/// transaction copies the whole state, which costs a few references, and gives the copy back.
///
/// It may be given from thread to thread with its transactions, but has no more than one at a time.
package final class MemoryReplicaStore: ReplicaStore {
    private let replica: MemoryReplica
    private var kind: TransactionKind?
    private var boot = 0
    private var copy = MemoryReplicaState()
    /// Asked before each call that writes.
    package var fault: StorageFault = { _ in nil }

    /// A hold on a replica that others may hold, too.
    package init(on replica: MemoryReplica) { self.replica = replica }

    package convenience init() { self.init(on: MemoryReplica()) }

    deinit { rollback() }

    /// The open transaction's state.
    var state: MemoryReplicaState {
        get {
            precondition(kind != nil, "reading stands inside a transaction")
            return copy
        }
        _modify {
            precondition(kind != nil && kind != .reading, "writing stands inside a transaction")
            yield &copy
        }
    }

    func check(_ call: StorageCall) throws(StorageError) {
        if let error = fault(call) { throw error }
    }

    package func begin(_ kind: TransactionKind) throws(StorageError) {
        precondition(self.kind == nil, "one transaction at a time")
        switch kind {
        case .reading:
            (copy, boot) = replica.read()
        case .writing:
            try check(.begin)
            guard let locked = replica.lock(for: ObjectIdentifier(self)) else {
                throw StorageError(.busy, while: "beginning to write to the replica")
            }
            (copy, boot) = locked
        }
        self.kind = kind
    }

    package func commit() throws(StorageError) {
        guard case .writing(let durability) = kind else {
            rollback()
            return
        }
        defer { rollback() }
        try check(.commit)
        try state.dropLoosened()
        guard replica.commit(copy, durability, of: boot) else {
            throw StorageError(
                .unavailable, while: "committing to the replica", cause: "the machine crashed")
        }
        kind = nil
    }

    package func rollback() {
        if let kind, kind != .reading { replica.unlock(of: boot) }
        kind = nil
        // Nothing keeps the copy, so that the next writer need not copy what it shares.
        copy = MemoryReplicaState()
    }

    package func identity() throws(StorageError) -> ReplicaIdentity? { state.identity }

    package func setIdentity(_ identity: ReplicaIdentity) throws(StorageError) {
        try check(.write)
        state.identity = identity
    }

    package var schema: Schema { kind == nil ? replica.read().state.schema : copy.schema }

    package func putClass(_ schema: ClassSchema) throws(StorageError) {
        try check(.write)
        state.schema.put(schema)
        guard let number = state.schema.number(of: schema.name) else { return }
        guard number < state.classes.count else {
            state.classes.append(MemoryReplicaClass())
            return
        }
        for object in state.classes[number].rows.keys {
            let count = state.classes[number].rows[object]?.values.count ?? 0
            state.classes[number].rows[object]?.values += schema.properties.dropFirst(count).map(
                \.initialValue)
        }
    }

    package func resumePoint() throws(StorageError) -> ResumePoint { state.resumePoint }

    package func setResumePoint(_ point: ResumePoint) throws(StorageError) {
        try check(.write)
        state.resumePoint = point
        state.note(point)
    }

    package func evaluate(_ query: BoundQuery) throws(StorageError) -> [ObjectID] {
        do {
            return try query.evaluate(in: self)
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.unavailable, while: "evaluating a query", cause: "\(error)")
        }
    }
}
