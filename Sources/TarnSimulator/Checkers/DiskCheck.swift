import TarnModel
import TarnStorage

/// What a replica's disk has of its user's own work, as it is committed.
struct DiskContents {
    let identity: ReplicaIdentity?
    let chain: ChainState
    let resumePoint: ResumePoint
    let outbox: [OutboxEntry]
    let archive: [ArchivedTransaction]
    let kept: [KeptReceipt]

    /// Inside a transaction.
    init(of store: MemoryReplicaStore) throws {
        identity = try store.identity()
        chain = try store.chain()
        resumePoint = try store.resumePoint()
        outbox = try store.pending(after: 0, limit: .max)
        archive = try store.allArchived()
        kept = try store.keptReceipts()
    }

    var sealed: [SealedTransaction] { outbox.map(\.sealed) + archive.map(\.sealed) }
}

/// That a disk has all that was ever written on it, and tells truly what became of it.
struct DiskCheck {
    let contents: DiskContents
    let machine: SimulatedMachine
    let ledger: Ledger
    /// What the server was, or is, where the replica stands.
    let history: RealmHistory
    /// Whether the realm's server was ever restored.
    let isRewound: Bool
    /// Whether nobody else can have this disk's work, or have it from before.
    let isAlone: Bool

    private var replica: ReplicaID? { contents.identity?.replica }
    private var place: String { "machine \(machine.number)" }

    func run() throws(Violation) {
        try checkChain()
        try checkWork()
        try checkReceipts()
    }

    /// The outbox follows what is acknowledged, link by link.
    private func checkChain() throws(Violation) {
        guard let replica else { return }
        let chain = contents.chain
        let last = history.link(of: replica, at: chain.acknowledgedSequence)
        guard last == chain.acknowledgedHash else {
            throw Violation(
                .receipts,
                "\(place) has acknowledged \(chain.acknowledgedSequence) of \(replica), "
                    + "which the server has not decided so", "\(String(describing: last))",
                "\(chain.acknowledgedHash)")
        }
        var sequence = chain.acknowledgedSequence
        var hash = chain.acknowledgedHash
        for entry in contents.outbox {
            let id = ledger.wordings[entry.sealed.hash]?.transaction.id
            sequence += 1
            hash = hash.extended(by: entry.sealed.body, sha256: Digest.digest)
            guard entry.sequence == sequence, entry.sealed.hash == hash,
                id == TransactionID(replica: replica, sequence: sequence)
            else {
                throw Violation(
                    .durability, "the outbox of \(place) has a hole, or another history",
                    "\(entry.sequence)", "\(sequence)")
            }
        }
        guard chain.sequence == sequence, chain.hash == hash else {
            throw Violation(
                .durability, "\(place) has lost work", "wrote \(chain.sequence)", "has \(sequence)")
        }
    }

    /// Nothing is gone that has not been decided, and nothing is there twice.
    private func checkWork() throws(Violation) {
        var found: Set<Work> = []
        for sealed in contents.sealed {
            guard let work = ledger.wordings[sealed.hash]?.work, machine.works.contains(work),
                found.insert(work).inserted
            else {
                throw Violation(
                    .receipts, "\(place) has something twice, or what was never written there",
                    "\(String(describing: ledger.wordings[sealed.hash]))")
            }
        }
        for work in machine.works.subtracting(machine.forgotten).subtracting(found).sorted() {
            // The archive forgets what is old by the server's clock.
            guard isDecided(work) else {
                throw Violation(.durability, "\(place) has lost \(work)")
            }
            machine.forgotten.insert(work)
        }
    }

    private func isDecided(_ work: Work) -> Bool {
        guard let receipt = history.decision(of: work) else { return false }
        return receipt.version <= contents.resumePoint.version
    }

    /// Who lost something is told, and nobody is told what is not so.
    private func checkReceipts() throws(Violation) {
        var told: Set<Work> = []
        for kept in contents.kept {
            guard ledger.knows(kept.receipt), let known = ledger.wordings[kept.receipt.hash] else {
                throw Violation(
                    .receipts, "\(place) tells of an outcome that was never decided",
                    "\(kept.receipt)")
            }
            told.insert(known.work)
            // Its author has perhaps written it otherwise since.
            if isAlone, kept.receipt.outcome.isUndone,
                let now = history.decision(of: known.work), now.outcome.isApplied
            {
                throw Violation(
                    .receipts, "\(place) was told that \(known.work) is not, and then it was done",
                    "\(kept.receipt)", "\(now)")
            }
        }
        let wanted = machine.works.filter { work in
            guard let outcome = history.decision(of: work)?.outcome else { return false }
            return outcome != .accepted && isDecided(work) && !history.twice.contains(work)
        }
        let untold = wanted.subtracting(told)
        guard isRewound ? untold.subtracting(machine.forgotten).isEmpty : told == wanted else {
            throw Violation(
                .receipts, "\(place) does not tell of all it lost, or of what it has not lost",
                "told: \(told.subtracting(wanted).sorted())", "decided against: \(untold.sorted())")
        }
    }
}
