import TarnClient
import TarnModel
import TarnQuery
import TarnStorage

/// A transaction as a program of another age might write it: it edits and creates as any other, and
/// names a property that there is not, so that the server must refuse all of it. The replica's own
/// door would not let it through, so it goes in by the port, shadows and all.
struct ForgedWrite {
    let replica: Replica
    let dice: Dice
    let clockTicks: UInt64
    /// What it is known by.
    let mark: Int64

    private static let className = "Item"

    func run() throws {
        do {
            try write()
        } catch let error as StorageError {
            throw ReplicaError(error)
        }
    }

    private func write() throws {
        let store = replica.store
        try store.begin(.writing(.full))
        do {
            if try !write(in: store) { return store.rollback() }
            try store.commit()
        } catch {
            store.rollback()
            throw error
        }
    }

    private func write(in store: any ReplicaStore) throws -> Bool {
        guard let number = store.schema.number(of: Self.className),
            let title = store.schema.classes[number].number(of: "body")
        else { return false }
        let chain = try store.chain()
        // It may be another one by now than when it was opened.
        guard let identity = try store.identity() else { return false }
        let id = TransactionID(replica: identity.replica, sequence: chain.sequence + 1)
        let objects = try store.objects(in: number).map { (try store.key(of: $0), $0) }
            .sorted { $0.0 < $1.0 }
        var change: Change
        let object: ObjectID
        if dice.once(in: 2), let (_, known) = dice.pick(objects),
            let row = try store.row(of: known),
            let life = row.life
        {
            object = known
            let name = ObjectName(Self.className, row.key, life: life)
            if try store.shadow(of: object) == nil {
                let values = try store.values(of: object)
                try store.setShadow(Shadow(life: life, values: values), of: object)
            }
            change = .set(name, property: "body", value: .string("refused"))
        } else {
            let key = PrimaryKey.int(Int64(dice.roll(0...40)))
            guard try store.row(of: key, in: number) == nil else { return false }
            object = try store.insertRow(
                of: key, in: number, life: id, isConfirmed: false, isVisible: true)
            let values = try store.values(of: object)
            try store.setShadow(
                Shadow(life: nil, values: values.map { _ in .null }), of: object)
            for (place, property) in store.schema.classes[number].properties.enumerated()
            where !property.isList {
                try store.set(property.initialValue, place, of: object)
            }
            change = .create(
                className: Self.className, key: key,
                values: [InitialValue("body", .string("refused"))])
        }
        try store.set(.string("refused"), title, of: object)
        guard let row = try store.row(of: object), let life = row.life else { return false }
        let nonsense = Change.set(
            ObjectName(Self.className, row.key, life: life), property: Mark.nonsense,
            value: .int(mark))
        try seal([change, nonsense], touching: object, id, chain, in: store)
        return true
    }

    private func seal(
        _ changes: [Change], touching object: ObjectID, _ id: TransactionID, _ chain: ChainState,
        in store: any ReplicaStore
    ) throws {
        let body = TransactionEncoder.body(
            of: Transaction(id: id, base: try store.resumePoint(), changes: changes))
        var next = chain
        next.sequence = id.sequence
        next.hash = chain.hash.extended(by: body, sha256: Digest.digest)
        next.ticks = max(clockTicks, chain.ticks + 1)
        try store.append(
            OutboxEntry(
                sequence: id.sequence,
                sealed: SealedTransaction(body: body, hash: next.hash, clockTicks: next.ticks)),
            touching: [object])
        try store.setChain(next)
        try store.noteChanges([object])
    }
}
