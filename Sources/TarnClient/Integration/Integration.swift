import TarnModel
import TarnProtocol
import TarnStorage

/// One change of the confirmed state on its way into the store, inside one storage transaction:
/// first all that the server says is written down, then what pending work touches is folded again.
struct Integration {
    let store: any ReplicaStore
    private let replica: ReplicaID
    private let sha256: (_ bytes: [UInt8]) -> [UInt8]
    private let layer: VisibleLayer
    private var confirmed: ConfirmedLayer
    /// Objects that a subscription gave up.
    private var left: Set<ObjectID> = []
    /// Objects that a decided transaction had touched.
    private var decided: Set<ObjectID> = []

    init(_ replica: Replica, as identity: ReplicaIdentity) throws(StorageError) {
        store = replica.store
        sha256 = replica.sha256
        layer = VisibleLayer(store: store, identity: identity)
        self.replica = identity.replica
        confirmed = ConfirmedLayer(store, remembersLinks: try store.pendingCount() > 0)
    }

    /// What a subscription held alone is not held any more.
    mutating func leave(_ objects: some Sequence<ObjectID>) { left.formUnion(objects) }

    /// Objects that pending work touches, and that is called otherwise from now on.
    mutating func renew(_ objects: Set<ObjectID>) { decided.formUnion(objects) }

    // MARK: - Receipts

    /// Takes the decided transactions out of the outbox. Each must be the next one, and the very
    /// one that was written here; else the server speaks of another replica's work.
    mutating func take(_ receipts: [Receipt], at time: Int64) throws {
        guard !receipts.isEmpty else { return }
        var chain = try store.chain()
        for receipt in receipts {
            let isNext = chain.acknowledgedSequence + 1 == receipt.sequence
            guard isNext, let entry = try store.pending(receipt.sequence),
                entry.sealed.hash == receipt.hash
            else {
                throw ReplicaError(
                    .forked,
                    "the server has decided a transaction \(receipt.sequence) that is not the "
                        + "one written here")
            }
            decided.formUnion(try store.objects(touchedBy: receipt.sequence))
            try store.removePending(receipt.sequence)
            try store.settle(
                entry, by: receipt,
                as: TransactionID(replica: replica, sequence: receipt.sequence),
                behind: chain.acknowledgedHash, at: time)
            chain.acknowledgedSequence = receipt.sequence
            chain.acknowledgedHash = receipt.hash
            chain.ticks = max(chain.ticks, receipt.ticks)
        }
        try store.setChain(chain)
    }

    // MARK: - Classes

    mutating func adopt(_ classes: [NumberedClass]) throws {
        for entry in classes {
            switch store.schema.adding(entry.schema) {
            case .nothingNew: break
            case .changed(let schema): try store.putClass(schema)
            case .conflict(let sentence):
                throw ReplicaError(
                    .schemaConflict,
                    "the realm's schema is another than this replica's: \(sentence)")
            }
        }
    }

    // MARK: - Views

    mutating func apply(_ view: GroupView, by dictionary: ClassDictionary) throws {
        let delta = try ViewDelta(decoding: view.delta)
        let reader = ViewReader(dictionary: dictionary, schema: store.schema)
        let replaced = try replacedMembers(of: view)
        left.formUnion(replaced)
        for departure in delta.departures {
            let translation = try reader.translation(of: departure)
            let row = try store.row(of: departure.key, in: translation.classNumber)
            guard let row else { continue }
            try store.removeMember(row.object, of: view.subscription)
            left.insert(row.object)
        }
        var arrived: Set<ObjectID> = []
        for arrival in delta.arrivals {
            let translation = try reader.translation(of: arrival.object)
            let contents = try reader.contents(of: arrival, in: translation)
            let object = try confirmed.arrive(
                arrival.object.key, life: arrival.life, contents, in: translation)
            try store.setMember(object, isRoot: arrival.isRoot, of: view.subscription)
            arrived.insert(object)
        }
        for object in replaced where !arrived.contains(object) {
            try store.removeMember(object, of: view.subscription)
        }
        for change in delta.changes { try apply(change, by: reader) }
    }

    /// What of that which the subscription holds goes, if it does not arrive again.
    private func replacedMembers(of view: GroupView) throws(StorageError) -> [ObjectID] {
        switch view.replaced {
        case .nothing: return []
        case .everything: return try store.members(of: view.subscription)
        case .buckets(let buckets):
            guard !buckets.isEmpty else { return [] }
            var replaced: [ObjectID] = []
            for object in try store.members(of: view.subscription) {
                let name = try store.heldName(of: object)
                let bucket = name.bucket(of: buckets.bucketCount, sha256: sha256)
                if buckets.contains(bucket) { replaced.append(object) }
            }
            return replaced
        }
    }

    private mutating func apply(_ change: ObjectChange, by reader: ViewReader) throws {
        let translation = try reader.translation(of: change.object)
        let row = try store.row(of: change.object.key, in: translation.classNumber)
        guard let row, row.isConfirmed else {
            throw ReplicaError(
                .misfit, "the server changes an object that it has not sent: \(change.object.key)")
        }
        try confirmed.set(try reader.values(of: change, in: translation), of: row.object)
        for list in change.lists {
            let number = try reader.list(list, in: translation)
            try confirmed.change(
                ListID(object: row.object, property: number), vacated: list.vacated,
                placed: list.placed)
        }
        for entries in change.entries {
            let (number, changes) = try reader.entries(entries, in: translation)
            try confirmed.change(ListID(object: row.object, property: number), changes)
        }
    }

    // MARK: - Folding

    /// Folds again what needs it. Answers every object of which the user may see something else.
    mutating func finish() throws(StorageError) -> Set<ObjectID> {
        for object in left.sorted() where try !store.isMember(object) {
            try confirmed.lose(object)
        }
        var outbox = Outbox(layer)
        var affected = confirmed.shadowed.union(decided)
        for object in confirmed.reborn.union(decided).sorted() {
            // Whether a pending delete applies decides what the holders of its object show.
            for deleter in try outbox.deleters(of: object) {
                affected.formUnion(try store.objects(touchedBy: deleter))
            }
        }
        for (holder, targets) in confirmed.links.sorted(by: { $0.key < $1.key }) {
            guard try store.row(of: holder) != nil else { continue }
            for target in targets.sorted() {
                for deleter in try outbox.deleters(of: target) {
                    try store.makeShadow(of: holder)
                    try store.addTouch(holder, by: deleter)
                    affected.insert(holder)
                }
            }
        }
        var changed = confirmed.noted
        var refolding = Refolding(outbox)
        for object in affected.sorted() where try refolding.refold(object) {
            changed.insert(object)
        }
        return changed
    }
}
