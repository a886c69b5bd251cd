import TarnModel
import TarnStorage

/// Every transaction that a `write` has returned for, and the one outcome that each may have.
final class Ledger {
    struct Entry {
        let hash: ChainHash
        let transaction: Transaction
        let realm: Int
        var receipt: Receipt?
    }

    private(set) var entries: [TransactionID: Entry] = [:]
    /// By replica: its last transaction that was decided, and that was written.
    private(set) var decidedLast: [ReplicaID: UInt64] = [:]
    private(set) var writtenLast: [ReplicaID: UInt64] = [:]
    private(set) var decidedCount = 0
    /// Of them: those that lost something, and those that were refused.
    private(set) var overriddenCount = 0
    private(set) var refusedCount = 0

    func wrote(_ transaction: Transaction, hash: ChainHash, realm: Int) throws(Violation) {
        let id = transaction.id
        guard entries[id] == nil, id.sequence == (writtenLast[id.replica] ?? 0) + 1 else {
            throw Violation(.receipts, "\(id) was written after \(writtenLast[id.replica] ?? 0)")
        }
        entries[id] = Entry(hash: hash, transaction: transaction, realm: realm, receipt: nil)
        writtenLast[id.replica] = id.sequence
    }

    /// A record is in the log.
    func decided(_ record: LogRecord, in realm: Int) throws(Violation) -> Transaction {
        let id = record.origin.transaction
        guard var entry = entries[id], entry.hash == record.origin.hash, entry.realm == realm else {
            throw Violation(.receipts, "the log has \(id), which nobody wrote so")
        }
        if let receipt = entry.receipt {
            throw Violation(
                .atomicity, "\(id) was decided twice", "\(receipt)", "\(record.receipt)")
        }
        guard id.sequence == (decidedLast[id.replica] ?? 0) + 1 else {
            throw Violation(.receipts, "\(id) was decided after \(decidedLast[id.replica] ?? 0)")
        }
        decidedLast[id.replica] = id.sequence
        decidedCount += 1
        switch record.outcome {
        case .accepted: break
        case .overridden: overriddenCount += 1
        case .refused, .parked: refusedCount += 1
        }
        entry.receipt = record.receipt
        entries[id] = entry
        return entry.transaction
    }

    /// A receipt is told.
    func check(_ receipt: Receipt, of replica: ReplicaID) throws(Violation) {
        let id = TransactionID(replica: replica, sequence: receipt.sequence)
        guard let known = entries[id]?.receipt else {
            throw Violation(.durability, "a receipt of \(id) is told that is not in the log")
        }
        guard known == receipt else {
            throw Violation(
                .receipts, "the outcome of \(id) is told otherwise", "decided: \(known)",
                "told: \(receipt)")
        }
    }

    /// What a replica remembers of its own work fits what was written and decided.
    func check(
        _ chain: ChainState, _ kept: [KeptReceipt], of replica: ReplicaID
    ) throws(Violation) {
        guard chain.sequence == writtenLast[replica] ?? 0 else {
            throw Violation(
                .durability, "a replica has lost work", "wrote \(writtenLast[replica] ?? 0)",
                "has \(chain.sequence)")
        }
        let acknowledged = chain.acknowledgedSequence
        guard acknowledged <= decidedLast[replica] ?? 0 else {
            throw Violation(.durability, "a replica has a receipt of what was not decided")
        }
        let tip = TransactionID(replica: replica, sequence: acknowledged)
        guard acknowledged == 0 || entries[tip]?.hash == chain.acknowledgedHash else {
            throw Violation(.receipts, "a replica's acknowledged chain is another one at \(tip)")
        }
        var told = 0
        for receipt in kept {
            try check(receipt.receipt, of: replica)
            told += 1
        }
        var wanted = 0
        for sequence in 0..<acknowledged {
            let id = TransactionID(replica: replica, sequence: sequence + 1)
            if let outcome = entries[id]?.receipt?.outcome, outcome != .accepted { wanted += 1 }
        }
        guard told == wanted else {
            throw Violation(
                .receipts, "a replica does not tell of all it lost", "kept: \(told)",
                "decided against: \(wanted)")
        }
    }

    /// Everything that was written has been decided.
    func checkAllDecided() throws(Violation) {
        for (id, entry) in entries.sorted(by: { $0.key < $1.key }) where entry.receipt == nil {
            throw Violation(.progress, "\(id) was never decided")
        }
    }
}
