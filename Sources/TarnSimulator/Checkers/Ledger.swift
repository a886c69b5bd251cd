import TarnModel
import TarnStorage

/// Everything that a `write` has returned for, by all the names that it has had, and all outcomes
/// that were ever decided.
final class Ledger {
    private(set) var wordings: [ChainHash: Wording] = [:]
    private var first: [Work: Wording] = [:]
    /// In worlds with mishaps, where names change.
    private var marked: [Int64: Work] = [:]
    private let namesChange: Bool
    /// Whatever any server has decided, also what was lost with it.
    private var outcomes: Set<Receipt> = []
    /// What was only where it is no more when a disk or the server became what it was before. It
    /// may be on its way, and come all the same.
    private(set) var mayBeLost: Set<Work> = []
    private(set) var decidedCount = 0
    /// Of them: those that lost something, and those that were refused.
    private(set) var overriddenCount = 0
    private(set) var refusedCount = 0

    init(namesChange: Bool) { self.namesChange = namesChange }

    var works: [(work: Work, realm: Int)] {
        first.map { ($0.key, $0.value.realm) }.sorted { $0.0 < $1.0 }
    }

    /// A transaction lies in an outbox that nobody knew by this hash.
    /// - Parameter isWritten: whether a `write` has just returned; what else comes is known under
    ///   another name, and says the same.
    func enter(
        _ transaction: Transaction, hash: ChainHash, in realm: HostedRealm, isWritten: Bool
    ) throws(Violation) -> Work {
        let mark = namesChange ? Mark.number(of: transaction) : nil
        if let mark, let work = marked[mark], let known = first[work] {
            let (old, new) = (known.transaction.text, transaction.text)
            guard old == new, known.realm == realm.place, !isWritten else {
                throw Violation(.receipts, "\(work) was renamed, and says something else", old, new)
            }
            wordings[hash] = Wording(
                work: work, transaction: transaction, realm: realm.place,
                renamed: realm.timesRestored)
            return work
        }
        guard isWritten else {
            throw Violation(.receipts, "an outbox has \(transaction.id), which nobody wrote")
        }
        let work = Work(number: first.count + 1)
        let wording = Wording(
            work: work, transaction: transaction, realm: realm.place, renamed: nil)
        wordings[hash] = wording
        first[work] = wording
        if let mark { marked[mark] = work }
        return work
    }

    /// A record is in the log.
    func decided(
        _ record: LogRecord, in realm: HostedRealm
    ) throws(Violation) -> Wording {
        let history = realm.history
        let id = record.origin.transaction
        guard let wording = wordings[record.origin.hash], wording.transaction.id == id,
            wording.realm == realm.place
        else { throw Violation(.receipts, "the log has \(id), which nobody wrote so") }
        if let earlier = history.decision(of: wording.work),
            !isExcused(earlier.hash, record.origin.hash, in: realm)
        {
            throw Violation(
                .atomicity, "\(wording.work) was decided twice", "\(earlier)", "\(record.receipt)")
        }
        let last = history.last(of: id.replica)?.sequence ?? 0
        guard id.sequence == last + 1 else {
            throw Violation(.receipts, "\(id) was decided after \(last)")
        }
        decidedCount += 1
        switch record.outcome {
        case .accepted: break
        case .overridden: overriddenCount += 1
        case .refused, .parked: refusedCount += 1
        }
        outcomes.insert(record.receipt)
        return wording
    }

    /// Whether a work is done twice because the server has lost what one of its names was taken
    /// for: a disk that is older than that name brings it by the first one, and nobody can tell.
    private func isExcused(_ one: ChainHash, _ other: ChainHash, in realm: HostedRealm) -> Bool {
        [one, other].contains { hash in
            guard let times = wordings[hash]?.renamed else { return false }
            return times < realm.timesRestored
        }
    }

    /// Whether any server has ever decided so.
    func knows(_ receipt: Receipt) -> Bool { outcomes.contains(receipt) }

    func lose(_ works: some Sequence<Work>) { mayBeLost.formUnion(works) }

    /// Everything that was written has been decided, unless nobody has it any more.
    func checkAllDecided(in realm: Int, _ history: RealmHistory) throws(Violation) {
        for (work, place) in works
        where place == realm && history.decision(of: work) == nil && !mayBeLost.contains(work) {
            throw Violation(
                .progress,
                "\(work), \(first[work].map { "\($0.transaction.id)" } ?? "?"), is not "
                    + "decided, and was not lost with a disk")
        }
    }
}

extension Transaction {
    /// What it says, without the names that change.
    fileprivate var text: String {
        "\(base): " + changes.map(\.summary).joined(separator: "; ")
    }
}
