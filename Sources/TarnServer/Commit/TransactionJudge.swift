import TarnModel
import TarnStorage

/// Decides one transaction against the realm's state, change by change, by the merge rules. What
/// holds goes to the store at once, inside the open storage transaction, so that each change sees
/// those before it; the effects are kept for the commit log.
struct TransactionJudge {
    let store: any RealmStore
    let transaction: Transaction
    /// As it was sent.
    let bodyBytes: Int
    let origin: Origin
    /// The version that the transaction is to become.
    let point: ResumePoint
    /// This replica's refused transactions that its author may not have known of, by sequence.
    let refused: [UInt64: Version]
    /// Those of them that are parked, and what they wait for.
    let parked: [UInt64: Parking]

    private(set) var effects: [Effect] = []
    private(set) var touched: Set<ObjectID> = []
    var overrides: [Override] = []
    /// Objects whose owners are counted at the end.
    var doubtful: [ObjectID: Doubt] = [:]
    /// Cells of unique properties that were set.
    var unique: Set<UniqueCell> = []
    /// By class: keys that it was to delete, and somebody else had deleted.
    var deletedTwice: [Int: Set<PrimaryKey>] = [:]
    let lastClass = LastClass()
    /// How many slots its insertions and moves were compared with.
    var slotsWalked = 0

    /// What a judgement came to.
    struct Verdict {
        let record: LogRecord
        /// The objects whose cells, lists or existence it changed.
        let touched: Set<ObjectID>
        /// Of what it was asked for (`TransactionLimits`).
        let weight: Int
    }

    init(
        store: any RealmStore, transaction: Transaction, bodyBytes: Int, origin: Origin,
        point: ResumePoint, refused: [UInt64: Version], parked: [UInt64: Parking]
    ) {
        self.store = store
        self.transaction = transaction
        self.bodyBytes = bodyBytes
        self.origin = origin
        self.point = point
        self.refused = refused
        self.parked = parked
    }

    /// Applies the transaction, or nothing of it.
    mutating func decide(in realm: RealmID) throws(StorageError) -> Verdict {
        try store.mark()
        try store.append(point, origin: origin)
        var undone: Outcome?
        do throws(JudgementStop) {
            try checkSize()
            for change in transaction.changes { try judge(change) }
            try settle()
        } catch {
            switch error {
            case .storage(let failure): throw failure
            case .refusal(let reason): undone = .refused(reason)
            case .parking(let parking): undone = .parked(parking)
            }
        }
        guard let undone else {
            try store.releaseMark()
            let outcome: Outcome = overrides.isEmpty ? .accepted : .overridden(overrides)
            return verdict(outcome, in: realm)
        }
        // Refused whole: back to before it, and on with a version that did nothing.
        try store.revertToMark()
        try store.append(point, origin: origin)
        (effects, touched) = ([], [])
        return verdict(undone, in: realm)
    }

    private var weight: Int {
        TransactionLimits.weight(changes: transaction.changes.count, bytes: bodyBytes)
    }

    private func checkSize() throws(JudgementStop) {
        let count = transaction.changes.count
        guard weight > TransactionLimits.weightTakenMax else { return }
        let sentence = TransactionLimits.sentence(changes: count, bytes: bodyBytes)
        throw .refusal(Refusal(.tooLarge, "It is too large: \(sentence)."))
    }

    /// Refuses what a server before had refused, or parked, and told its author so.
    mutating func refuseAgain(in realm: RealmID) throws(StorageError) -> Verdict {
        try store.append(point, origin: origin)
        let refusal = Refusal(
            .refusedBefore, "It was not taken before the server was restored, and is not now.")
        return verdict(.refused(refusal), in: realm)
    }

    private func verdict(_ outcome: Outcome, in realm: RealmID) -> Verdict {
        Verdict(
            record: LogRecord(
                realm: realm, point: point, origin: origin, outcome: outcome, effects: effects),
            touched: touched, weight: weight)
    }

    private mutating func judge(_ change: Change) throws(JudgementStop) {
        switch change {
        case .addClass(let schema):
            try addClass(schema)
        case .create(let className, let key, let values):
            try create(className, key, values)
        case .set(let object, let property, let value):
            try set(object, property, value)
        case .delete(let object):
            try delete(object)
        case .insert(let object, let property, let slot, let place, let value):
            try insert(object, property, slot, place, value)
        case .move(let object, let property, let element, let slot, let place):
            try move(object, property, element, slot, place)
        case .remove(let object, let property, let element):
            try remove(object, property, element)
        case .increment(let object, let property, let amount):
            try increment(object, property, by: amount)
        case .setEntry(let object, let property, let entry, let value):
            try setEntry(object, property, entry, value)
        case .removeEntry(let object, let property, let entry):
            try removeEntry(object, property, entry)
        case .deleteOwned(let object):
            try deleteOwned(object)
        }
    }

    /// Applies and records an effect on an object.
    mutating func apply(_ effect: Effect, touching object: ObjectID?) throws(JudgementStop) {
        try stored { () throws(StorageError) in try store.apply(effect) }
        effects.append(effect)
        if let object { touched.insert(object) }
    }

    mutating func override(
        _ className: String, _ key: PrimaryKey, _ property: String?, _ reason: Override.Reason,
        to winner: Override.Winner?
    ) {
        overrides.append(
            Override(
                className: className, key: key, property: property, reason: reason, winner: winner))
    }
}

/// Why the judgement of a transaction ends before its last change.
enum JudgementStop: Error {
    case storage(StorageError)
    case refusal(Refusal)
    case parking(Parking)
}

/// Passes a storage failure on as the end of the judgement.
func stored<Result>(
    _ body: () throws(StorageError) -> Result
) throws(JudgementStop) -> Result {
    do throws(StorageError) {
        return try body()
    } catch {
        throw .storage(error)
    }
}

extension TransactionJudge {
    mutating func touch(_ object: ObjectID) { touched.insert(object) }
}

extension StorageError {
    /// What an `ObjectReader` threw, which is a storage failure in every store of ours.
    init(wrapping error: any Error, while operation: String) {
        self =
            error as? StorageError
            ?? StorageError(.corrupt, while: operation, cause: String(describing: error))
    }
}
