import TarnModel

/// A realm as simply as it can be said: objects in a dictionary, each change done to all of it. The
/// model server keeps its truth in one, and the naive refold begins with one.
struct PlainRealm: Equatable {
    struct Slot: Equatable {
        let slot: SlotID
        let element: ElementID
        let value: Value
        /// A slot that is out of sight, but serves as an anchor still.
        var isHidden = false
        /// The server has said it.
        var isConfirmed = false
    }

    struct Object: Equatable {
        var life: TransactionID
        var values: [String: Value]
        var lists: [String: [Slot]]
        /// Of sets and maps.
        var entries: [String: [Value: Value]] = [:]
    }

    var objects: [Ref: Object] = [:]
    /// Slots of objects that are deleted, but were confirmed: anchors still.
    var hiddenLists: [Ref: [String: [Slot]]] = [:]
    /// Whether a life that a change names is the one that the object has.
    var means: (_ named: TransactionID, _ present: TransactionID) -> Bool = { $0 == $1 }
    /// Whether what leaves a list leaves an anchor where it was confirmed.
    var keepsAnchors = false

    static func == (left: PlainRealm, right: PlainRealm) -> Bool { left.objects == right.objects }

    mutating func apply(_ change: Change, by id: TransactionID) {
        switch change {
        case .addClass: break
        case .create(let className, let key, let values):
            create(Ref(className: className, key: key), values, by: id)
        case .set(let name, let property, let value):
            guard let ref = find(name) else { return }
            objects[ref]?.values[property] = Self.plain(value)
        case .delete(let name), .deleteOwned(let name):
            let ref = Ref(className: name.className, key: name.key)
            // What is not here is not linked to, either, once somebody wants it gone.
            if objects[ref] == nil { dropLinks(to: ref) }
            if find(name) != nil { delete(ref) }
        case .increment(let name, let property, let amount):
            guard let ref = find(name), case .int(let present) = objects[ref]?.values[property]
            else { return }
            objects[ref]?.values[property] = .int(present &+ amount)
        case .setEntry(let name, let property, let entry, let value):
            guard let ref = find(name) else { return }
            objects[ref]?.entries[property]?[Self.plain(entry)] = Self.plain(value)
        case .removeEntry(let name, let property, let entry):
            guard let ref = find(name) else { return }
            objects[ref]?.entries[property]?[Self.plain(entry)] = nil
        case .insert(let name, let property, let slot, let place, let value):
            guard let ref = find(name) else { return }
            put(
                Slot(slot: slot, element: ElementID(insertedIn: slot), value: Self.plain(value)),
                at: place, in: property, of: ref)
        case .move(let name, let property, let element, let slot, let place):
            guard let ref = find(name), let old = visible(element, property, ref) else { return }
            put(
                Slot(slot: slot, element: element, value: old.value), at: place, in: property,
                of: ref)
            leave(old.slot, property, ref)
        case .remove(let name, let property, let element):
            guard let ref = find(name), let old = visible(element, property, ref) else { return }
            leave(old.slot, property, ref)
        }
    }

    func find(_ name: ObjectName) -> Ref? {
        let ref = Ref(className: name.className, key: name.key)
        guard let object = objects[ref], means(name.life, object.life) else { return nil }
        return ref
    }

    private mutating func create(_ ref: Ref, _ values: [InitialValue], by id: TransactionID) {
        let merges = objects[ref] != nil
        if !merges {
            var object = Object(life: id, values: [:], lists: [:])
            for property in TodoSchema.schema(ref.className).properties {
                switch property.kind {
                case .value: object.values[property.name] = property.initialValue
                case .list: object.lists[property.name] = hiddenLists[ref]?[property.name] ?? []
                case .set, .map: object.entries[property.name] = [:]
                }
            }
            objects[ref] = object
            hiddenLists[ref] = nil
        }
        for value in values where !(merges && value.isDefault) {
            objects[ref]?.values[value.property] = Self.plain(value.value)
        }
    }

    mutating func delete(_ ref: Ref) {
        guard var object = objects.removeValue(forKey: ref) else { return }
        for (property, slots) in object.lists {
            object.lists[property] = slots.filter { keepsAnchors && $0.isConfirmed }.map {
                var slot = $0
                slot.isHidden = true
                return slot
            }
        }
        hiddenLists[ref] = object.lists
        dropLinks(to: ref)
    }

    private mutating func dropLinks(to ref: Ref) {
        let link = Value.link(Link(key: ref.key, life: nil))
        for holder in objects.keys {
            for property in TodoSchema.schema(holder.className).properties
            where property.type.linkedClass == ref.className {
                if property.isList {
                    for slot in objects[holder]?.lists[property.name] ?? []
                    where slot.value == link && !slot.isHidden {
                        leave(slot.slot, property.name, holder)
                    }
                } else if property.hasEntries {
                    let entries = objects[holder]?.entries[property.name] ?? [:]
                    objects[holder]?.entries[property.name] = entries.filter {
                        $0.key != link && $0.value != link
                    }
                } else if objects[holder]?.values[property.name] == link {
                    objects[holder]?.values[property.name] = .null
                }
            }
        }
    }

    private func visible(_ element: ElementID, _ property: String, _ ref: Ref) -> Slot? {
        objects[ref]?.lists[property]?.first { $0.element == element && !$0.isHidden }
    }

    private mutating func put(_ slot: Slot, at place: ListPlace, in property: String, of ref: Ref) {
        guard var slots = objects[ref]?.lists[property] else { return }
        let index: Int
        if place.after == nil {
            index = 0
        } else if let after = slots.firstIndex(where: { $0.slot == place.after }) {
            index = after + 1
        } else {
            index = slots.firstIndex { $0.slot == place.before } ?? slots.count
        }
        slots.insert(slot, at: index)
        objects[ref]?.lists[property] = slots
    }

    private mutating func leave(_ slot: SlotID, _ property: String, _ ref: Ref) {
        guard var slots = objects[ref]?.lists[property],
            let index = slots.firstIndex(where: { $0.slot == slot })
        else { return }
        if keepsAnchors && slots[index].isConfirmed {
            slots[index].isHidden = true
        } else {
            slots.remove(at: index)
        }
        objects[ref]?.lists[property] = slots
    }

    private static func plain(_ value: Value) -> Value {
        if case .link(let link) = value { .link(Link(key: link.key, life: nil)) } else { value }
    }

    var pictures: [Ref: Picture] {
        objects.mapValues { object in
            Picture(
                values: object.values,
                lists: object.lists.mapValues { $0.filter { !$0.isHidden }.map(\.value) },
                entries: object.entries)
        }
    }
}
