import TarnModel
import TarnQuery
import TarnStorage

/// What is decided when all changes of a transaction are applied: which objects die with their
/// owners, and whether values that should stand once do.
extension TransactionJudge {
    /// A property of an object that no other one may hold the value of.
    struct UniqueCell: Hashable, Comparable {
        let object: ObjectID
        let property: Int

        static func < (left: UniqueCell, right: UniqueCell) -> Bool {
            (left.object, left.property) < (right.object, right.property)
        }
    }

    /// Why an object's owners are counted.
    enum Doubt {
        /// Its author took an owner of it away.
        case meant
        /// It was made here for an owner that it may not have got.
        case unmeant
    }

    mutating func settle() throws(JudgementStop) {
        while let object = doubtful.keys.min(), let doubt = doubtful.removeValue(forKey: object) {
            try settle(object, doubt)
        }
        for cell in unique.sorted() { try check(cell) }
    }

    private mutating func settle(_ object: ObjectID, _ doubt: Doubt) throws(JudgementStop) {
        guard let schema = store.schema.schema(number: object.classNumber),
            let key = try livingKey(of: object)
        else { return }
        let owners = try ownerCount(of: object)
        switch OwnershipRule.fate(owners: owners, isPart: schema.isEmbedded) {
        case .stays: return
        case .refuses:
            throw .refusal(
                Refusal(
                    .heldTwice, "\(schema.name) \(key) is a part, and would have two places."))
        case .dies:
            if doubt == .unmeant {
                overrides.append(
                    Override(
                        className: schema.name, key: key, property: nil, reason: .ownerDeleted))
            }
            try deleteObject(object, schema.name, key)
        }
    }

    /// How many places hold an object as their own. An object is not its own owner.
    private func ownerCount(of object: ObjectID) throws(JudgementStop) -> Int {
        let schema = store.schema
        return try stored { () throws(StorageError) in
            var count = 0
            for holder in try store.holders(of: object) where holder.object != object {
                let property = try schema.property(
                    holder.property, in: holder.object.classNumber)
                guard schema.isOwning(property) else { continue }
                let list = ListID(object: holder.object, property: holder.property)
                switch property.kind {
                case .value: count += 1
                case .list: count += try store.slots(holding: object, in: list).count
                case .set, .map: count += try store.entries(holding: object, in: list).count
                }
            }
            return count
        }
    }

    private func livingKey(of object: ObjectID) throws(JudgementStop) -> PrimaryKey? {
        try stored { () throws(StorageError) in
            let key: PrimaryKey
            do {
                key = try store.key(of: object)
            } catch {
                throw StorageError(wrapping: error, while: "reading a key")
            }
            return try store.object(key, in: object.classNumber) == object ? key : nil
        }
    }

    // MARK: Who comes into doubt

    /// An object that was just made.
    mutating func born(_ object: ObjectID, in owner: NamedClass) {
        if owner.schema.isEmbedded { doubtful[object] = doubtful[object] ?? .unmeant }
        for (number, property) in owner.schema.properties.enumerated() where property.isUnique {
            unique.insert(UniqueCell(object: object, property: number))
        }
    }

    /// A place leads to that value no more, as its author wanted. Only a part dies of that.
    mutating func letGo(_ value: Value?, of property: PropertySchema) throws(JudgementStop) {
        guard store.schema.leadsToPart(property), let target = try target(of: value, property)
        else { return }
        doubtful[target] = .meant
    }

    /// A place leads to that value now: if it is a part, that must be its only place.
    mutating func hold(_ value: Value, by property: PropertySchema) throws(JudgementStop) {
        guard store.schema.leadsToPart(property), let target = try target(of: value, property)
        else { return }
        doubtful[target] = doubtful[target] ?? .unmeant
    }

    /// An object that is about to be deleted lets go of all that it owns.
    mutating func letGoOfAll(ownedBy object: ObjectID) throws(JudgementStop) {
        guard let schema = store.schema.schema(number: object.classNumber) else { return }
        for (number, property) in schema.properties.enumerated()
        where store.schema.isOwning(property) {
            var targets: [ObjectID] = []
            do {
                if property.isCell {
                    targets = try store.target(number, of: object).map { [$0] } ?? []
                } else {
                    targets = try store.targets(number, of: object)
                }
            } catch {
                throw .storage(StorageError(wrapping: error, while: "reading what is owned"))
            }
            for target in targets where target != object { doubtful[target] = .meant }
        }
    }

    /// The place that was to own a value is gone. What was made in this transaction for it goes,
    /// too, unless it has another owner.
    mutating func orphan(
        _ value: Value, of property: PropertySchema
    ) throws(JudgementStop) {
        guard store.schema.isOwning(property), case .link(let link) = value,
            link.life == transaction.id, let target = try target(of: value, property)
        else { return }
        let life = try stored { () throws(StorageError) in try store.life(of: target) }
        // Where the creation met somebody's object, that is not this transaction's.
        guard life == transaction.id else { return }
        doubtful[target] = doubtful[target] ?? .unmeant
    }

    private func target(
        of value: Value?, _ property: PropertySchema
    ) throws(JudgementStop) -> ObjectID? {
        guard case .link(let link)? = value,
            let number = property.type.linkedClass.flatMap({ store.schema.number(of: $0) })
        else { return nil }
        return try stored { () throws(StorageError) in try store.object(link.key, in: number) }
    }

    // MARK: Values that stand once

    private func check(_ cell: UniqueCell) throws(JudgementStop) {
        guard try livingKey(of: cell.object) != nil,
            let schema = store.schema.schema(number: cell.object.classNumber)
        else { return }
        let property = schema.properties[cell.property]
        let (value, holders) = try stored { () throws(StorageError) in
            let value = try store.values(of: cell.object)[cell.property]
            // Null is asked of nobody: it may stand any number of times.
            if value == .null { return (value, [ObjectID]()) }
            return (
                value,
                try store.objects(
                    holding: value, in: cell.property, of: cell.object.classNumber, limit: 2)
            )
        }
        guard UniqueRule.refuses(value, others: holders.count { $0 != cell.object }) else {
            return
        }
        throw .refusal(
            Refusal(
                .notUnique,
                "\(schema.name).\(property.name) must be unique, and another object has that value."
            ))
    }
}
