import TarnModel
import TarnQuery
import TarnStorage

/// What is looked at when all changes of a write are made: what dies with its owner, as far as this
/// replica can tell, and values that should stand once. The server looks again, at all there is.
extension WriteTransaction {
    mutating func settle() throws(ReplicaError) {
        while let object = doubtful.min() {
            doubtful.remove(object)
            try settle(object)
        }
        for cell in unique.sorted() { try check(cell) }
    }

    private mutating func settle(_ object: ObjectID) throws(ReplicaError) {
        let store = store
        let row = try reader.stored { () throws(StorageError) in try store.row(of: object) }
        guard let row, row.isVisible else { return }
        let schema = try reader.classSchema(of: object)
        switch OwnershipRule.fate(owners: try ownerCount(of: object), isPart: schema.isEmbedded) {
        case .stays: return
        case .refuses:
            throw ReplicaError(
                .heldTwice, "\(schema.name) \(row.key) is a part, and would have two places")
        case .dies:
            guard !born.contains(object) || letGo.contains(object) else {
                throw ReplicaError(
                    .heldTwice,
                    "\(schema.name) \(row.key) is a part: it needs a place in another object")
            }
            let name = try name(of: object)
            try delete(object, .deleteOwned(name), name)
        }
    }

    private func ownerCount(of object: ObjectID) throws(ReplicaError) -> Int {
        let (store, schema) = (store, store.schema)
        let key = try reader.key(of: object)
        let link = Value.link(Link(key: key, life: nil))
        return try reader.stored { () throws(StorageError) in
            var count = 0
            for holder in try store.holders(of: object) where holder.object != object {
                let property = try schema.property(
                    holder.property, in: holder.object.classNumber)
                guard schema.isOwning(property) else { continue }
                let list = ListID(object: holder.object, property: holder.property)
                switch property.kind {
                case .value: count += 1
                case .list:
                    count += try store.slots(in: list).count { $0.isVisible && $0.value == link }
                case .set, .map:
                    count += try store.entries(in: list).count { $0.visiblyHolds(link) }
                }
            }
            return count
        }
    }

    // MARK: Who comes into doubt

    /// A part lets nobody else have it: one that is replaced or taken out dies at the end.
    mutating func doubt(_ value: Value, of property: PropertySchema) throws(ReplicaError) {
        guard store.schema.leadsToPart(property), case .link(let link) = value,
            let linked = property.type.linkedClass, let target = try reader.find(linked, link.key)
        else { return }
        doubtful.insert(target)
        letGo.insert(target)
    }

    /// A part that is put into a place: that must be its only one.
    mutating func hold(_ value: Value, by property: PropertySchema) throws(ReplicaError) {
        guard store.schema.leadsToPart(property), case .link(let link) = value,
            let linked = property.type.linkedClass, let target = try reader.find(linked, link.key)
        else { return }
        doubtful.insert(target)
    }

    /// What stands under an entry that is replaced or taken out.
    mutating func doubt(
        entry: Value, in collection: ListID, _ property: PropertySchema
    ) throws(ReplicaError) {
        guard store.schema.leadsToPart(property) else { return }
        let store = store
        let present = try reader.stored { () throws(StorageError) in
            try store.entry(entry, in: collection)
        }
        guard let visible = present?.visible else { return }
        try doubt(property.kind == .set ? entry : visible, of: property)
    }

    /// What an object owns that is about to be deleted.
    mutating func doubtAll(ownedBy object: ObjectID) throws(ReplicaError) {
        for (number, property) in try reader.classSchema(of: object).properties.enumerated()
        where store.schema.isOwning(property) {
            let targets: [ObjectID]
            do {
                targets =
                    property.isCell
                    ? try store.target(number, of: object).map { [$0] } ?? []
                    : try store.targets(number, of: object)
            } catch {
                throw ReplicaError(error)
            }
            doubtful.formUnion(targets)
            letGo.formUnion(targets)
        }
    }

    /// A new object: a part needs a place, and its unique values nobody else may have.
    mutating func noteBirth(of object: ObjectID) throws(ReplicaError) {
        let schema = try reader.classSchema(of: object)
        if schema.isEmbedded {
            doubtful.insert(object)
            born.insert(object)
        }
        for number in schema.properties.indices { noteUnique(number, of: object) }
    }

    // MARK: Values that stand once

    /// A cell that no other object may hold the value of.
    struct UniqueCell: Hashable, Comparable {
        let object: ObjectID
        let property: Int

        static func < (left: UniqueCell, right: UniqueCell) -> Bool {
            (left.object, left.property) < (right.object, right.property)
        }
    }

    mutating func noteUnique(_ property: Int, of object: ObjectID) {
        guard store.schema.schema(number: object.classNumber)?.properties[property].isUnique == true
        else { return }
        unique.insert(UniqueCell(object: object, property: property))
    }

    private func check(_ cell: UniqueCell) throws(ReplicaError) {
        let store = store
        let row = try reader.stored { () throws(StorageError) in
            try store.row(of: cell.object)
        }
        guard let row, row.isVisible else { return }
        let schema = try reader.classSchema(of: cell.object)
        let property = schema.properties[cell.property].name
        let value = try reader.value(property, of: cell.object)
        let holders = try reader.results(
            of: "\(schema.name) WHERE \(property) == $0", arguments: [value]
        ).objects
        guard UniqueRule.refuses(value, others: holders.count { $0 != cell.object }) else {
            return
        }
        throw ReplicaError(
            .notUnique,
            "\(schema.name).\(property) must be unique, and another object has that value")
    }
}
