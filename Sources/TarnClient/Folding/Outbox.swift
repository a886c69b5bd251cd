import TarnModel
import TarnStorage

/// The pending transactions as folding needs them: each is read once, however many objects it
/// touches. What is remembered holds as long as confirmed lives and the outbox stay as they are.
struct Outbox {
    let layer: VisibleLayer
    private var transactions: [UInt64: PendingTransaction] = [:]
    private var appliedDeletes: [ObjectID: Set<DeletePlace>] = [:]

    private struct DeletePlace: Hashable {
        let sequence: UInt64
        let place: Int
    }

    init(_ layer: VisibleLayer) { self.layer = layer }

    private var store: any ReplicaStore { layer.store }

    /// Must be called after confirmed lives or the outbox have changed.
    mutating func forgetLives() { appliedDeletes = [:] }

    mutating func transaction(_ sequence: UInt64) throws(StorageError) -> PendingTransaction {
        if let known = transactions[sequence] { return known }
        guard let entry = try store.pending(sequence) else {
            throw StorageError(
                .corrupt, while: "reading the outbox", cause: "transaction \(sequence) is missing")
        }
        do throws(FormatError) {
            let pending = PendingTransaction(
                try TransactionDecoder.transaction(from: entry.sealed.body))
            transactions[sequence] = pending
            return pending
        } catch {
            throw StorageError(.corrupt, while: "reading the outbox", cause: error.description)
        }
    }

    /// The pending transactions that delete an object, whether that applies or not.
    mutating func deleters(of object: ObjectID) throws(StorageError) -> [UInt64] {
        let sequences = try store.sequences(touching: object)
        guard !sequences.isEmpty, let reference = try reference(to: object) else { return [] }
        var deleters: [UInt64] = []
        for sequence in sequences
        where try transaction(sequence).deletes[reference] != nil {
            deleters.append(sequence)
        }
        return deleters
    }

    /// Whether that change of a pending transaction, which deletes the object, finds the life that
    /// it means: told by following the key's lives through the outbox.
    mutating func deleteApplies(
        to object: ObjectID, in sequence: UInt64, at place: Int
    ) throws(StorageError) -> Bool {
        if appliedDeletes[object] == nil {
            appliedDeletes[object] = try followLives(of: object)
        }
        let wanted = DeletePlace(sequence: sequence, place: place)
        return appliedDeletes[object]?.contains(wanted) == true
    }

    private mutating func followLives(
        of object: ObjectID
    ) throws(StorageError) -> Set<DeletePlace> {
        guard let reference = try reference(to: object),
            let row = try store.row(of: object)
        else { return [] }
        var life: TransactionID?
        if row.isConfirmed { life = try store.shadow(of: object)?.life ?? row.life }
        var applied: Set<DeletePlace> = []
        for sequence in try store.sequences(touching: object) {
            let pending = try transaction(sequence)
            for place in pending.places[reference] ?? [] {
                switch pending.transaction.changes[place] {
                case .create:
                    life = life ?? pending.transaction.id
                case .delete(let name), .deleteOwned(let name):
                    // Of what is not here, or not here any more, nothing tells the life: then the
                    // delete is taken at its word.
                    if let life, !layer.means(name.life, life) { continue }
                    applied.insert(DeletePlace(sequence: sequence, place: place))
                    life = nil
                default: break
                }
            }
        }
        return applied
    }

    func reference(to object: ObjectID) throws(StorageError) -> ObjectReference? {
        guard let schema = store.schema.schema(number: object.classNumber),
            let row = try store.row(of: object)
        else { return nil }
        return ObjectReference(className: schema.name, key: row.key)
    }
}
