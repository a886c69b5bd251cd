import TarnModel
import TarnProtocol
import TarnStorage

extension Replica {
    /// Does what a recovery says, inside the transaction that takes in the group which came with
    /// it: what has been decided leaves the outbox as by receipts, what the server has lost comes
    /// back into it, and whatever has to gets its new name.
    ///
    /// - Returns: the objects that the outbox touches or touched, all to be folded again.
    func carryOut(_ recovery: Recovery, with group: Group) throws -> Set<ObjectID> {
        let identity = try reader().identity
        let chain = try store.chain()
        guard identity.replica == recovery.replica,
            chain.acknowledgedSequence == recovery.acknowledged
        else {
            throw ReplicaError(.misfit, "the replica is not any more what the server was asked of")
        }
        var plan = RecoveryPlan(recovery, on: chain, of: self)
        for item in recovery.items { try plan.take(item) }
        // What was written since the server was asked.
        let asked = recovery.items.last { !$0.isArchived }?.id.sequence
        try store.forEachPending(after: asked ?? recovery.acknowledged) { entry in
            // A copy of it would find another name, and do it twice.
            guard !recovery.isNamedByChance else {
                throw ReplicaError(
                    .misfit, "the replica is not any more what the server was asked of")
            }
            let id = TransactionID(replica: identity.replica, sequence: entry.sequence)
            try plan.take(
                Recovery.Item(id: id, isArchived: false, isDecided: false, receipt: nil))
        }
        let renewed = try plan.carryOut(with: group)
        try become(recovery, identity, plan)
        return renewed
    }

    private func become(
        _ recovery: Recovery, _ identity: ReplicaIdentity, _ plan: RecoveryPlan
    ) throws {
        var chain = try store.chain()
        chain.ticks = max(chain.ticks, plan.ticks)
        chain.acknowledgedSequence = recovery.head.sequence
        chain.acknowledgedHash = recovery.head.hash
        let last = plan.last ?? recovery.head
        (chain.sequence, chain.hash) = (last.sequence, last.hash)
        try store.setChain(chain)
        var identity = identity
        if recovery.successor != recovery.replica {
            identity.formerReplicas.append(identity.replica)
            identity.replica = recovery.successor
            // It goes by sequences, which name other transactions now.
            try store.dropUndo()
        }
        if recovery.isRewound {
            identity.common = recovery.common(after: identity.common)
            try store.dropPoints(above: recovery.point.version)
        }
        try store.setIdentity(identity)
    }
}

extension Recovery {
    /// What bases that are not of the server's history count as: of two rewinds one behind the
    /// other, the lower, since who wrote before the first had seen nothing above that.
    func common(after earlier: ResumePoint?) -> ResumePoint? {
        guard isRewound else { return earlier }
        guard let earlier, earlier.version < point.version else { return point }
        return earlier
    }
}

/// A recovery's way through the outbox: first all is read, then all is written.
struct RecoveryPlan {
    private let recovery: Recovery
    private let replica: Replica
    private var store: any ReplicaStore { replica.store }

    /// What stays undecided, in order, and where it goes.
    private var moves: [Move] = []
    /// What leaves, with the link before it.
    private var decided: [(item: Recovery.Item, previous: ChainHash)] = []
    /// By id: the last transaction that was read.
    private var read: [ReplicaID: ChainState.Link]
    /// The highest ticks that a decided one was given: what follows it is later, by any name.
    private(set) var ticks: UInt64 = 0
    /// The end of the outbox as it will be; nil where it will be empty.
    private(set) var last: ChainState.Link?

    private struct Move {
        let item: Recovery.Item
        let id: TransactionID
        let hash: ChainHash
        let ticks: UInt64
    }

    init(_ recovery: Recovery, on chain: ChainState, of replica: Replica) {
        self.recovery = recovery
        self.replica = replica
        let acknowledged = ChainState.Link(
            sequence: chain.acknowledgedSequence, hash: chain.acknowledgedHash)
        read = [recovery.replica: acknowledged]
    }

    mutating func take(_ item: Recovery.Item) throws {
        let sealed = try sealed(item)
        let id = recovery.renaming(item.id)
        let previous = read[id.replica]?.hash ?? .zero
        var hash = sealed.hash
        if id != item.id {
            hash = previous.extended(
                by: try recovery.renaming.body(of: sealed.body), sha256: replica.sha256)
        }
        if item.isDecided {
            decided.append((item, previous))
            ticks = max(ticks, item.receipt?.ticks ?? (item.isArchived ? sealed.clockTicks : 0))
        } else {
            var claimed = sealed.clockTicks
            if id != item.id, sealed.standing == .new, ticks > 0 {
                claimed = max(claimed, ticks == .max ? .max : ticks + 1)
                ticks = claimed
            }
            moves.append(Move(item: item, id: id, hash: hash, ticks: claimed))
            last = ChainState.Link(sequence: id.sequence, hash: hash)
        }
        read[id.replica] = ChainState.Link(sequence: id.sequence, hash: hash)
    }

    private func sealed(_ item: Recovery.Item) throws -> SealedTransaction {
        try store.sealed(OwnWork.Item(id: item.id, hash: .zero, isArchived: item.isArchived))
    }

    // MARK: - Writing

    func carryOut(with group: Group) throws -> Set<ObjectID> {
        var renewed: Set<ObjectID> = []
        for (item, previous) in decided {
            try settle(item, behind: previous, with: group, &renewed)
        }
        // To higher places from the last, to lower ones from the first: a place is free by then.
        let present = moves.filter { !$0.item.isArchived }
        let isRising = present.contains { $0.id.sequence > $0.item.id.sequence }
        for move in isRising ? present.reversed() : present {
            renewed.formUnion(try store.objects(touchedBy: move.item.id.sequence))
            guard move.id != move.item.id else { continue }
            try store.replacePending(move.item.id.sequence, by: try entry(for: move))
        }
        for move in moves where move.item.isArchived {
            let entry = try entry(for: move)
            try store.removeArchived(move.item.id)
            let touched = try touch(entry)
            try store.append(entry, touching: touched.sorted())
            renewed.formUnion(touched)
        }
        return renewed
    }

    private func settle(
        _ item: Recovery.Item, behind previous: ChainHash, with group: Group,
        _ renewed: inout Set<ObjectID>
    ) throws {
        let id = recovery.renaming(item.id)
        let sealed = try sealed(item)
        let body = try recovery.renaming.body(of: sealed.body)
        let hash =
            id == item.id ? sealed.hash : previous.extended(by: body, sha256: replica.sha256)
        let receipt =
            item.receipt
            ?? Receipt(
                sequence: id.sequence, hash: hash, version: group.to.version,
                ticks: sealed.clockTicks, outcome: .accepted)
        if item.isArchived {
            guard let known = try store.archived(item.id) else { return }
            try store.removeArchived(item.id)
            if let told = item.receipt {
                // A copy brought it back: what became of it may be something else by now.
                let entry = OutboxEntry(
                    sequence: id.sequence,
                    sealed: SealedTransaction(
                        body: body, hash: hash, clockTicks: told.ticks,
                        standing: known.sealed.standing))
                return try store.settle(
                    entry, by: told, as: id, behind: id == item.id ? known.previous : previous,
                    at: group.time)
            }
            try store.archive(
                ArchivedTransaction(
                    id: id,
                    sealed: SealedTransaction(
                        body: body, hash: hash, clockTicks: receipt.ticks,
                        standing: known.sealed.standing),
                    previous: id == item.id ? known.previous : previous,
                    version: receipt.version, decided: known.decided))
            return
        }
        renewed.formUnion(try store.objects(touchedBy: item.id.sequence))
        try store.removePending(item.id.sequence)
        let entry = OutboxEntry(
            sequence: id.sequence,
            sealed: SealedTransaction(
                body: body, hash: hash, clockTicks: sealed.clockTicks, standing: sealed.standing))
        try store.settle(entry, by: receipt, as: id, behind: previous, at: group.time)
    }

    private func entry(for move: Move) throws -> OutboxEntry {
        let sealed = try sealed(move.item)
        return OutboxEntry(
            sequence: move.id.sequence,
            sealed: SealedTransaction(
                body: try recovery.renaming.body(of: sealed.body), hash: move.hash,
                clockTicks: move.ticks, standing: sealed.standing))
    }

    /// Sets apart what is confirmed of the objects that a transaction touches which comes back.
    private func touch(_ entry: OutboxEntry) throws -> Set<ObjectID> {
        // It is not to happen after all.
        guard entry.sealed.standing != .undone else { return [] }
        let transaction: Transaction
        do throws(FormatError) {
            transaction = try TransactionDecoder.transaction(from: entry.sealed.body)
        } catch {
            throw StorageError(.corrupt, while: "reading the archive", cause: error.description)
        }
        var touched: Set<ObjectID> = []
        for change in transaction.changes {
            guard let reference = change.object,
                let classNumber = store.schema.number(of: reference.className)
            else { continue }
            let row = try store.row(of: reference.key, in: classNumber)
            let object =
                try row?.object
                ?? store.insertRow(
                    of: reference.key, in: classNumber, life: nil, isConfirmed: false,
                    isVisible: false)
            touched.insert(object)
            switch change {
            case .delete, .deleteOwned:
                for holder in try store.holders(of: object) { touched.insert(holder.object) }
            default: break
            }
        }
        for object in touched { try store.makeShadow(of: object) }
        return touched
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
        // What was overridden before a server was restored may hold now.
        case .accepted: if entry.sealed.standing == .decided { try dropReceipt(receipt) }
        case .overridden: try keep(KeptReceipt(receipt: receipt, body: nil, decided: time))
        case .refused, .parked:
            // Its author has been told already of what was undone before.
            guard entry.sealed.standing != .undone else { break }
            try keep(
                KeptReceipt(receipt: receipt, body: entry.sealed.body, decided: time))
        }
        let sealed = SealedTransaction(
            body: entry.sealed.body, hash: entry.sealed.hash, clockTicks: receipt.ticks,
            standing: receipt.outcome.isUndone ? .undone : .decided)
        try archive(
            ArchivedTransaction(
                id: id, sealed: sealed, previous: hash, version: receipt.version, decided: time))
    }
}
