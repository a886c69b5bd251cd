package import TarnModel
import TarnStorage

/// Lists, by the indices that the user sees.
extension WriteTransaction {
    /// Costs the same however long the list is.
    package mutating func append(
        _ value: Value, to property: String, of object: ObjectID
    ) throws(ReplicaError) {
        let name = try name(of: object)
        let list = try list(property, of: object)
        let resolved = try resolve(value, for: property, name.className, .list)
        let place = ListPlace(after: try lastVisibleSlot(in: list), before: nil)
        try make(
            .insert(name, property: property, slot: nextSlot(), place: place, value: resolved),
            on: object)
        try hold(resolved, by: try schema(of: property, object))
    }

    private func lastVisibleSlot(in list: ListID) throws(ReplicaError) -> SlotID? {
        let store = store
        return try reader.stored { () throws(StorageError) in
            var last = try store.lastSlot(in: list)
            while let id = last, try store.slot(id, in: list)?.isVisible == false {
                last = try store.predecessor(of: id, in: list)
            }
            return last
        }
    }

    /// The element has that index afterwards.
    package mutating func insert(
        _ value: Value, at index: Int, in property: String, of object: ObjectID
    ) throws(ReplicaError) {
        let name = try name(of: object)
        let slots = try visibleSlots(in: try list(property, of: object))
        guard (0...slots.count).contains(index) else { throw outOfRange(index, slots.count) }
        let resolved = try resolve(value, for: property, name.className, .list)
        let place = place(at: index, among: slots)
        try make(
            .insert(name, property: property, slot: nextSlot(), place: place, value: resolved),
            on: object)
        try hold(resolved, by: try schema(of: property, object))
    }

    /// The element at one index has the other one afterwards.
    package mutating func move(
        from source: Int, to destination: Int, in property: String, of object: ObjectID
    ) throws(ReplicaError) {
        let name = try name(of: object)
        var slots = try visibleSlots(in: try list(property, of: object))
        for index in [source, destination] where !slots.indices.contains(index) {
            throw outOfRange(index, slots.count)
        }
        guard source != destination else { return }
        let moved = slots.remove(at: source)
        let place = place(at: destination, among: slots)
        try make(
            .move(
                name, property: property, element: moved.element, slot: nextSlot(), place: place),
            on: object)
    }

    package mutating func remove(
        at index: Int, in property: String, of object: ObjectID
    ) throws(ReplicaError) {
        let name = try name(of: object)
        let slots = try visibleSlots(in: try list(property, of: object))
        guard slots.indices.contains(index) else { throw outOfRange(index, slots.count) }
        try doubt(slots[index].value, of: try schema(of: property, object))
        try make(.remove(name, property: property, element: slots[index].element), on: object)
    }

    /// Takes out all elements that are here, of a list, set or map; what others add meanwhile
    /// stays.
    package mutating func clear(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) {
        let name = try name(of: object)
        let schema = try schema(of: property, object)
        guard schema.isList else { return try clearEntries(property, of: object) }
        for slot in try visibleSlots(in: try list(property, of: object)) {
            try doubt(slot.value, of: schema)
            try make(.remove(name, property: property, element: slot.element), on: object)
        }
    }

    private func schema(
        of property: String, _ object: ObjectID
    ) throws(ReplicaError) -> PropertySchema {
        let number = try reader.property(property, of: object, .list, .set, .map)
        return try reader.classSchema(of: object).properties[number]
    }

    func list(_ property: String, of object: ObjectID) throws(ReplicaError) -> ListID {
        ListID(
            object: object, property: try reader.property(property, of: object, .list))
    }

    func visibleSlots(in list: ListID) throws(ReplicaError) -> [ReplicaSlot] {
        let store = store
        return try reader.stored { () throws(StorageError) in
            try store.slots(in: list).filter(\.isVisible)
        }
    }

    private func place(at index: Int, among slots: [ReplicaSlot]) -> ListPlace {
        ListPlace(
            after: index > 0 ? slots[index - 1].slot : nil,
            before: index < slots.count ? slots[index].slot : nil)
    }

    private func outOfRange(_ index: Int, _ count: Int) -> ReplicaError {
        ReplicaError(.indexOutOfRange, "there is no place \(index) in a list of \(count)")
    }
}
