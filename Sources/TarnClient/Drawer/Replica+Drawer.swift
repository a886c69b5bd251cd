import TarnModel
package import TarnStorage

/// What came of trying a transaction from the drawer again.
package struct RetryReport: Equatable, Sendable {
    package let changeCount: Int
    /// What cannot be said any more, and why: a sentence each, without a full stop.
    package let lost: [String]

    package init(changeCount: Int, lost: [String]) {
        self.changeCount = changeCount
        self.lost = lost
    }
}

/// The drawer: what the server did not take as it was written stays until its author has looked.
extension WriteTransaction {
    /// Writes what a refused or parked transaction said once more, on what is here now, and takes
    /// the old one out of the drawer. What others did since stays, as with any write. Where nothing
    /// of it can be said any more, it stays in the drawer.
    ///
    /// Throws `nothingToRetry` for what was applied, if with losses, or is not in the drawer.
    package mutating func retry(_ kept: KeptReceipt) throws(ReplicaError) -> RetryReport {
        let number = kept.receipt.sequence
        guard let body = kept.body else {
            throw ReplicaError(
                .nothingToRetry,
                "transaction \(number) was applied; only what was lost of it is kept")
        }
        guard try reader.keptReceipts().contains(kept) else {
            throw ReplicaError(.nothingToRetry, "transaction \(number) is not in the drawer")
        }
        var retrial = Retrial()
        for change in try reader.changes(of: body) { try retrial.say(change, in: &self) }
        if retrial.count > 0 {
            let store = store
            try reader.stored { () throws(StorageError) in try store.dropReceipt(kept.receipt) }
        }
        return RetryReport(changeCount: retrial.count, lost: retrial.lost)
    }
}

extension Replica {
    /// Throws what is kept of a transaction away, for good.
    package func drop(_ kept: KeptReceipt) throws(ReplicaError) {
        do {
            try inTransaction(.writing(.full)) { try store.dropReceipt(kept.receipt) }
        } catch {
            throw ReplicaError(error)
        }
    }
}

/// Says the changes of an old transaction anew. Objects go by their keys, since the old lives may
/// be gone or never have been; elements by what they are.
private struct Retrial {
    private(set) var count = 0
    private(set) var lost: [String] = []

    mutating func say(
        _ change: Change, in transaction: inout WriteTransaction
    ) throws(ReplicaError) {
        do throws(ReplicaError) {
            try Self.say(change, &transaction)
            count += 1
        } catch {
            switch error.code {
            case .storage, .limitExceeded: throw error
            default: lost.append(error.sentence)
            }
        }
    }

    private static func say(
        _ change: Change, _ transaction: inout WriteTransaction
    ) throws(ReplicaError) {
        switch change {
        case .addClass(let schema): try transaction.addClass(schema)
        case .create(let className, let key, let values):
            guard let present = try transaction.reader.find(className, key) else {
                _ = try transaction.create(className, key, values)
                return
            }
            // As two creations of one key are one object.
            for value in values where !value.isDefault {
                try transaction.set(value.property, of: present, to: value.value)
            }
        case .set(let name, let property, let value):
            try transaction.set(property, of: try find(name, transaction), to: value)
        case .delete(let name), .deleteOwned(let name):
            try transaction.delete(try find(name, transaction))
        case .insert(let name, let property, _, let place, let value):
            let object = try find(name, transaction)
            let index = try transaction.index(of: place, in: property, of: object)
            try transaction.insert(value, at: index, in: property, of: object)
        case .move(let name, let property, let element, _, let place):
            let object = try find(name, transaction)
            let source = try transaction.index(of: element, in: property, of: object)
            let target = try transaction.index(of: place, in: property, of: object)
            try transaction.move(
                from: source, to: target > source ? target - 1 : target, in: property, of: object)
        case .remove(let name, let property, let element):
            let object = try find(name, transaction)
            let index = try transaction.index(of: element, in: property, of: object)
            try transaction.remove(at: index, in: property, of: object)
        case .increment(let name, let property, let amount):
            try transaction.increment(property, of: try find(name, transaction), by: amount)
        case .setEntry(let name, let property, let entry, let value):
            let object = try find(name, transaction)
            if case .string(let key) = entry, try transaction.isMap(property, of: object) {
                try transaction.set(value, under: key.string, in: property, of: object)
            } else {
                try transaction.insert(member: entry, into: property, of: object)
            }
        case .removeEntry(let name, let property, let entry):
            let object = try find(name, transaction)
            if case .string(let key) = entry, try transaction.isMap(property, of: object) {
                try transaction.remove(key: key.string, from: property, of: object)
            } else {
                try transaction.remove(member: entry, from: property, of: object)
            }
        }
    }

    private static func find(
        _ name: ObjectName, _ transaction: WriteTransaction
    ) throws(ReplicaError) -> ObjectID {
        guard let object = try transaction.reader.find(name.className, name.key) else {
            throw ReplicaError(.objectGone, "\(name.className) \(name.key) is not here")
        }
        return object
    }
}

extension WriteTransaction {
    fileprivate func isMap(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) -> Bool {
        try reader.classSchema(of: object).property(property)?.kind == .map
    }

    /// The index right behind the slot that a place follows; that before which it stands, where the
    /// one is gone; else the end.
    fileprivate func index(
        of place: ListPlace, in property: String, of object: ObjectID
    ) throws(ReplicaError) -> Int {
        let slots = try visibleSlots(in: try list(property, of: object))
        guard let after = place.after else { return 0 }
        if let index = slots.firstIndex(where: { $0.slot == after }) { return index + 1 }
        return slots.firstIndex { $0.slot == place.before } ?? slots.count
    }

    fileprivate func index(
        of element: ElementID, in property: String, of object: ObjectID
    ) throws(ReplicaError) -> Int {
        let slots = try visibleSlots(in: try list(property, of: object))
        guard let index = slots.firstIndex(where: { $0.element == element }) else {
            throw ReplicaError(.indexOutOfRange, "the element is not in \(property) any more")
        }
        return index
    }
}
