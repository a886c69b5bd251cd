import TarnModel
import TarnStorage

/// Folds the outbox over the confirmed state anew, object by object: visible becomes confirmed,
/// then the pending transactions that touch the object are applied in order. When none is left the
/// object loses its shadow, and its row if the server has not sent it either.
struct Refolding {
    private let layer: VisibleLayer
    private var outbox: Outbox

    init(_ outbox: Outbox) {
        layer = outbox.layer
        self.outbox = outbox
    }

    private var store: any ReplicaStore { layer.store }

    /// Whether the user sees something else afterwards.
    mutating func refold(_ object: ObjectID) throws(StorageError) -> Bool {
        guard try store.row(of: object) != nil else { return false }
        let before = try Appearance(of: object, in: store)
        let revealed = try resetToConfirmed(object)
        for target in revealed { try touch(object, byDeletersOf: target, above: 0) }
        var folded: UInt64 = 0
        while let next = try store.sequences(touching: object).first(where: { $0 > folded }) {
            try fold(next, into: object)
            folded = next
        }
        if folded == 0 { try settle(object) }
        return try Appearance(of: object, in: store) != before
    }

    private func settle(_ object: ObjectID) throws(StorageError) {
        try store.setShadow(nil, of: object)
        guard let row = try store.row(of: object), !row.isConfirmed else { return }
        try store.removeRow(object)
    }

    /// - Returns: what the object now links to again. Links that stayed in sight were known when
    ///   their targets were deleted, or when they were downloaded.
    private func resetToConfirmed(_ object: ObjectID) throws(StorageError) -> Set<ObjectID> {
        guard var row = try store.row(of: object),
            let schema = store.schema.schema(number: object.classNumber)
        else { return [] }
        // An object without a shadow shows what is confirmed already.
        guard let shadow = try store.shadow(of: object) else { return [] }
        row.life = shadow.life
        row.isVisible = row.isConfirmed
        try store.update(row)
        let present = try store.values(of: object)
        var revealed: Set<ObjectID> = []
        for (number, property) in schema.properties.enumerated() {
            let targetClass = property.type.linkedClass.flatMap { store.schema.number(of: $0) }
            var links: [Value] = []
            let list = ListID(object: object, property: number)
            if property.isList {
                if targetClass != nil {
                    links = try store.slots(in: list).filter { $0.isConfirmed && !$0.isVisible }
                        .map(\.value)
                }
                try store.resetToConfirmed(list)
            } else if property.hasEntries {
                if targetClass != nil {
                    links = try store.entries(in: list).filter { $0.confirmed != $0.visible }
                        .flatMap { [$0.entry, $0.confirmed].compactMap(\.self) }
                }
                try store.resetEntriesToConfirmed(list)
            } else {
                let value = shadow.value(of: number, property, isConfirmed: row.isConfirmed)
                if present[number] != value { try store.set(value, number, of: object) }
                links = [value]
            }
            guard let targetClass else { continue }
            for case .link(let link) in links {
                if let target = try store.row(of: link.key, in: targetClass) {
                    revealed.insert(target.object)
                }
            }
        }
        return revealed
    }

    /// Who comes to hold an object that is deleted further on in the outbox is touched by that.
    private mutating func touch(
        _ holder: ObjectID, byDeletersOf target: ObjectID, above sequence: UInt64
    ) throws(StorageError) {
        let deleters = try outbox.deleters(of: target).filter { $0 > sequence }
        guard !deleters.isEmpty else { return }
        let known = Set(try store.sequences(touching: holder))
        for deleter in deleters where !known.contains(deleter) {
            try store.addTouch(holder, by: deleter)
        }
    }

    private mutating func fold(
        _ sequence: UInt64, into object: ObjectID
    ) throws(StorageError) {
        guard let reference = try outbox.reference(to: object) else { return }
        let pending = try outbox.transaction(sequence)
        var position = 0
        for place in pending.places[reference] ?? [] {
            try dropDeleted(of: object, by: pending, in: position..<place)
            let change = pending.transaction.changes[place]
            try layer.apply(change, to: object, by: pending.transaction.id)
            if let target = try target(of: change, from: object) {
                try touch(object, byDeletersOf: target, above: sequence)
            }
            position = place + 1
        }
        let end = pending.transaction.changes.count
        try dropDeleted(of: object, by: pending, in: position..<end)
    }

    private func target(
        of change: Change, from object: ObjectID
    ) throws(StorageError) -> ObjectID? {
        guard let link = change.link,
            let property = store.schema.schema(number: object.classNumber)?.property(link.property),
            let className = property.type.linkedClass,
            let classNumber = store.schema.number(of: className)
        else { return nil }
        return try store.row(of: link.key, in: classNumber)?.object
    }

    /// Drops the object's links to what those changes of a pending transaction delete.
    private mutating func dropDeleted(
        of object: ObjectID, by pending: PendingTransaction, in range: Range<Int>
    ) throws(StorageError) {
        guard !pending.deletes.isEmpty, !range.isEmpty,
            let schema = store.schema.schema(number: object.classNumber)
        else { return }
        for (number, property) in schema.properties.enumerated() {
            guard let className = property.type.linkedClass,
                let classNumber = store.schema.number(of: className)
            else { continue }
            let holder = Holder(object: object, property: number)
            for key in try keys(heldBy: holder, property.kind) {
                let reference = ObjectReference(className: className, key: key)
                guard let target = try store.row(of: key, in: classNumber) else { continue }
                for place in pending.deletes[reference] ?? [] where range.contains(place) {
                    let sequence = pending.transaction.id.sequence
                    if try outbox.deleteApplies(to: target.object, in: sequence, at: place) {
                        try layer.dropLink(at: holder, to: target.object, named: key)
                        break
                    }
                }
            }
        }
    }

    private func keys(
        heldBy holder: Holder, _ kind: PropertyKind
    ) throws(StorageError) -> Set<PrimaryKey> {
        var values: [Value] = []
        let list = ListID(object: holder.object, property: holder.property)
        switch kind {
        case .value: values = [try store.values(of: holder.object)[holder.property]]
        case .list: values = try store.slots(in: list).filter(\.isVisible).map(\.value)
        case .set, .map:
            values = try store.entries(in: list).flatMap { entry in
                entry.visible.map { [entry.entry, $0] } ?? []
            }
        }
        return Set(
            values.compactMap { value in
                if case .link(let link) = value { link.key } else { nil }
            })
    }
}

extension Shadow {
    /// The confirmed value, also of a property that the class has gained since.
    func value(of number: Int, _ property: PropertySchema, isConfirmed: Bool) -> Value {
        guard isConfirmed else { return .null }
        return values.indices.contains(number) ? values[number] : property.initialValue
    }
}
