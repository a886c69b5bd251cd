import TarnModel

/// Who leads to whom, and which bare rows nothing keeps any more.
extension MemoryReplicaState {
    /// The object that a property's value leads to; nil for what is no link, or an unknown key.
    func target(of value: Value, _ property: PropertySchema) throws(StorageError) -> ObjectID? {
        guard case .link(let link) = value else { return nil }
        return object(link.key, in: try schema.linkedClass(of: property))
    }

    /// Notes that a place leads to what its value names, for which a bare row is made if need be.
    mutating func reference(_ value: Value, from holder: Holder) throws(StorageError) {
        guard case .link(let link) = value else { return }
        let property = try schema.property(holder.property, in: holder.object.classNumber)
        let classNumber = try schema.linkedClass(of: property)
        let target: ObjectID
        if let present = object(link.key, in: classNumber) {
            target = present
        } else {
            target = try insertRow(
                of: link.key, in: classNumber, life: nil, isConfirmed: false, isVisible: false)
        }
        references[target, default: [:]][holder, default: 0] += 1
    }

    /// Notes that a place does not lead there any more.
    mutating func unreference(_ value: Value, from holder: Holder) throws(StorageError) {
        let property = try schema.property(holder.property, in: holder.object.classNumber)
        guard let target = try target(of: value, property) else { return }
        let places = references[target]?[holder] ?? 0
        references[target]?[holder] = places > 1 ? places - 1 : nil
        if references[target]?.isEmpty == true { references[target] = nil }
        loosened.insert(target)
    }

    /// Whether the property leads to the object in what the user sees.
    func visiblyHolds(_ holder: Holder, _ object: ObjectID) throws(StorageError) -> Bool {
        guard let row = self[holder.object], let key = self[object]?.row.key else { return false }
        let property = try schema.property(holder.property, in: holder.object.classNumber)
        guard try schema.linkedClass(of: property) == object.classNumber else { return false }
        let link = Value.link(Link(key: key, life: nil))
        if property.isCell { return row.values[holder.property] == link }
        if property.hasEntries {
            return (row.entries[holder.property] ?? [:]).values.contains { $0.visiblyHolds(link) }
        }
        return (row.lists[holder.property] ?? []).contains { $0.isVisible && $0.value == link }
    }

    /// Empties a row and takes it, or leaves it bare where something keeps it.
    mutating func removeRow(_ object: ObjectID) throws(StorageError) {
        let present = try expectRow(object)
        for (property, value) in present.values.enumerated() {
            try unreference(value, from: Holder(object: object, property: property))
        }
        for (property, slots) in present.lists {
            for slot in slots {
                try unreference(slot.value, from: Holder(object: object, property: property))
            }
        }
        for (property, entries) in present.entries {
            let holder = Holder(object: object, property: property)
            for link in entries.values.flatMap(\.links) { try unreference(link, from: holder) }
        }
        for subscription in members.keys { members[subscription]?[object] = nil }
        self[object] = MemoryReplicaRow(
            row: ReplicaRow(
                object: object, key: present.row.key, life: nil, isConfirmed: false,
                isVisible: false),
            values: Array(repeating: .null, count: present.values.count))
        if !isKept(object) { erase(object) }
    }

    /// Takes the bare rows that nothing keeps since this transaction.
    mutating func dropLoosened() throws(StorageError) {
        while let object = loosened.popFirst() {
            guard let present = self[object], present.row.isBare, present.shadow == nil,
                !isKept(object), !isMember(object)
            else { continue }
            try removeRow(object)
        }
    }

    func isMember(_ object: ObjectID) -> Bool {
        members.values.contains { $0[object] != nil }
    }

    private func isKept(_ object: ObjectID) -> Bool {
        references[object] != nil || touching[object] != nil
    }

    private mutating func erase(_ object: ObjectID) {
        guard let key = self[object]?.row.key else { return }
        classes[object.classNumber].numbers[key] = nil
        classes[object.classNumber].rows[object.number] = nil
    }
}
