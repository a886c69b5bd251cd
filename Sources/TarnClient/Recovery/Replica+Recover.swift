import TarnModel
import TarnProtocol
import TarnStorage

extension Replica {
    /// Does what a recovery says, inside the transaction that takes in the group which came with
    /// it: what has been decided leaves the outbox as by receipts, and the rest gets its new names.
    ///
    /// - Returns: the objects that the outbox touched, all of which have to be folded again.
    func carryOut(_ recovery: Recovery, with group: Group) throws -> Set<ObjectID> {
        var identity = try reader().identity
        var chain = try store.chain()
        guard identity.replica == recovery.replica,
            chain.acknowledgedSequence == recovery.acknowledged
        else {
            throw ReplicaError(.misfit, "the replica is not any more what the server was asked of")
        }
        var renewed: Set<ObjectID> = []
        var last = ChainState.Link(
            sequence: chain.acknowledgedSequence, hash: chain.acknowledgedHash)
        var name = recovery.replica
        // What follows a decided transaction of one's own is later than it under any name.
        var ticks: UInt64 = 0
        try store.forEachPending(after: recovery.acknowledged) { entry in
            renewed.formUnion(try store.objects(touchedBy: entry.sequence))
            let old = TransactionID(replica: recovery.replica, sequence: entry.sequence)
            let id = recovery.renaming(old)
            if id.replica != name {
                name = id.replica
                last = .zero
            }
            var moved = try moved(entry, to: id, behind: last, by: recovery.renaming)
            if entry.sequence <= recovery.settled {
                let receipt = recovery.receipts[entry.sequence]
                try store.removePending(entry.sequence)
                try store.settle(moved, by: receipt, as: id, behind: last.hash, in: group)
                ticks = max(ticks, receipt?.ticks ?? 0)
            } else if id != old {
                ticks = max(moved.sealed.clockTicks, ticks == .max ? .max : ticks + 1)
                moved.sealed.clockTicks = ticks
                try store.replacePending(entry.sequence, by: moved)
            }
            last = ChainState.Link(sequence: id.sequence, hash: moved.sealed.hash)
        }
        chain.ticks = max(chain.ticks, ticks)
        chain.acknowledgedSequence = recovery.head.sequence
        chain.acknowledgedHash = recovery.head.hash
        if name != recovery.successor { last = .zero }
        chain.sequence = max(last.sequence, recovery.head.sequence)
        chain.hash = chain.sequence == last.sequence ? last.hash : recovery.head.hash
        try store.setChain(chain)
        if recovery.isRenamed {
            identity.formerReplicas.append(identity.replica)
            identity.replica = recovery.successor
            try store.setIdentity(identity)
            // It goes by sequences, which name other transactions now.
            try store.dropUndo()
        }
        return renewed
    }

    private func moved(
        _ entry: OutboxEntry, to id: TransactionID, behind last: ChainState.Link,
        by renaming: Renaming
    ) throws -> OutboxEntry {
        let body = try renaming.body(of: entry)
        if body == entry.sealed.body { return entry }
        let sealed = SealedTransaction(
            body: body, hash: last.hash.extended(by: body, sha256: sha256),
            clockTicks: entry.sealed.clockTicks)
        return OutboxEntry(sequence: id.sequence, sealed: sealed, standing: entry.standing)
    }
}

extension ReplicaStore {
    /// Files a transaction that has been decided: into the archive, and what was not taken as it
    /// was written into the drawer, too.
    func settle(
        _ entry: OutboxEntry, by receipt: Receipt, as id: TransactionID, behind hash: ChainHash,
        at time: Int64
    ) throws(StorageError) {
        switch receipt.outcome {
        case .accepted: break
        case .overridden: try keep(KeptReceipt(receipt: receipt, body: nil))
        case .refused, .parked:
            // Its author has been told already of what was undone before.
            guard entry.standing != .undone else { break }
            try keep(KeptReceipt(receipt: receipt, body: entry.sealed.body))
        }
        let sealed = SealedTransaction(
            body: entry.sealed.body, hash: entry.sealed.hash, clockTicks: receipt.ticks)
        try archive(
            ArchivedTransaction(
                id: id, sealed: sealed, previous: hash, version: receipt.version, decided: time,
                isUndone: receipt.outcome.isUndone))
    }

    /// The same for one whose receipt may be gone: it counts as accepted, not later than the group.
    fileprivate func settle(
        _ entry: OutboxEntry, by receipt: Receipt?, as id: TransactionID, behind hash: ChainHash,
        in group: Group
    ) throws(StorageError) {
        let assumed = Receipt(
            sequence: id.sequence, hash: entry.sealed.hash, version: group.to.version,
            ticks: entry.sealed.clockTicks, outcome: .accepted)
        try settle(entry, by: receipt ?? assumed, as: id, behind: hash, at: group.time)
    }
}

extension Outcome {
    /// Whether nothing of the transaction was applied.
    package var isUndone: Bool {
        switch self {
        case .accepted, .overridden: false
        case .refused, .parked: true
        }
    }
}
