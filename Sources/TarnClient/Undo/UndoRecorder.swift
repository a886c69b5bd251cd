import TarnModel
import TarnStorage

/// Notes what each change of a write is about to do. A write of many changes is noted no further:
/// it is an import, and is not taken back in one.
struct UndoRecorder {
    /// Below what an import writes at once, and what takes it back may be some more changes.
    static let changesMax = 400

    private var steps: [Step] = []
    private var created: Set<ObjectID> = []
    private(set) var isComplete = true

    private enum Step {
        case ready(UndoStep)
        /// What it is when all is done is not known yet.
        case created(ObjectID)
    }

    /// Nothing is noted any more, and what was is forgotten.
    mutating func giveUp() { (isComplete, steps) = (false, []) }

    /// To be called before the change is done.
    mutating func note(
        _ change: Change, on object: ObjectID, count: Int, in reader: ReplicaReader
    ) throws(ReplicaError) {
        guard isComplete, count < Self.changesMax else { return giveUp() }
        guard let reference = change.object else { return }
        if case .create = change {
            created.insert(object)
            steps.append(.created(object))
            return
        }
        // What is done to an object that was made in the same write goes with it.
        if created.contains(object) {
            if change.isDelete { created.remove(object) }
            return
        }
        if let step = try step(change, reference, object, reader) { steps.append(.ready(step)) }
    }

    /// All steps, with what was made as it is now.
    func finished(in reader: ReplicaReader) throws(ReplicaError) -> [UndoStep] {
        guard isComplete else { return [] }
        var finished: [UndoStep] = []
        for step in steps {
            switch step {
            case .ready(let step): finished.append(step)
            case .created(let object) where created.contains(object):
                let schema = try reader.classSchema(of: object)
                let reference = ObjectReference(
                    className: schema.name, key: try reader.key(of: object))
                finished.append(
                    .created(reference, after: try UndoPicture(of: object, in: reader)))
            // It was deleted in the same write.
            case .created: break
            }
        }
        return finished
    }

    private func step(
        _ change: Change, _ reference: ObjectReference, _ object: ObjectID, _ reader: ReplicaReader
    ) throws(ReplicaError) -> UndoStep? {
        switch change {
        case .addClass, .create: return nil
        case .set(_, let property, let value):
            return .set(
                reference, property: property, before: try reader.value(property, of: object),
                after: value.withoutLife)
        case .delete, .deleteOwned:
            return .deleted(
                reference, before: try UndoPicture(of: object, in: reader),
                places: try places(of: object, in: reader))
        case .insert(_, let property, let slot, _, _):
            return .inserted(reference, property: property, ElementID(insertedIn: slot))
        case .move(_, let property, let element, let slot, _):
            guard let (index, _) = try find(element, property, object, reader) else { return nil }
            return .moved(reference, property: property, element, from: index, to: slot)
        case .remove(_, let property, let element):
            guard let (index, value) = try find(element, property, object, reader) else {
                return nil
            }
            let removed = UndoElement(element: element, value: value)
            return .removed(reference, property: property, removed, at: index)
        case .increment(_, let property, let amount):
            return .added(reference, property: property, amount: amount)
        case .setEntry(_, let property, let entry, let value):
            return .entry(
                reference, property: property, entry.withoutLife,
                before: try present(entry, property, object, reader), after: value.withoutLife)
        case .removeEntry(_, let property, let entry):
            return .entry(
                reference, property: property, entry.withoutLife,
                before: try present(entry, property, object, reader), after: nil)
        }
    }

    private func present(
        _ entry: Value, _ property: String, _ object: ObjectID, _ reader: ReplicaReader
    ) throws(ReplicaError) -> Value? {
        try reader.entry(entry, in: property, of: object)
    }

    private func find(
        _ element: ElementID, _ property: String, _ object: ObjectID, _ reader: ReplicaReader
    ) throws(ReplicaError) -> (Int, Value)? {
        let slots = try reader.slots(property, of: object)
        guard let index = slots.firstIndex(where: { $0.element == element }) else { return nil }
        return (index, slots[index].value)
    }

    /// Every place that leads to an object, but those in itself.
    private func places(
        of object: ObjectID, in reader: ReplicaReader
    ) throws(ReplicaError) -> [HeldPlace] {
        let store = reader.store
        let link = Value.link(Link(key: try reader.key(of: object), life: nil))
        let holders = try reader.stored { () throws(StorageError) in
            try store.holders(of: object)
        }
        var places: [HeldPlace] = []
        for holder in holders where holder.object != object {
            let schema = try reader.classSchema(of: holder.object)
            let property = schema.properties[holder.property]
            let reference = ObjectReference(
                className: schema.name, key: try reader.key(of: holder.object))
            func place(_ element: HeldPlace.PlacedElement?, _ entry: Entry?) -> HeldPlace {
                HeldPlace(
                    holder: reference, property: property.name, element: element, entry: entry)
            }
            switch property.kind {
            case .value: places.append(place(nil, nil))
            case .list:
                let slots = try reader.slots(property.name, of: holder.object)
                for (index, slot) in slots.enumerated() where slot.value == link {
                    places.append(place(.init(element: slot.element, index: index), nil))
                }
            case .set, .map:
                for entry in try reader.entries(property.name, of: holder.object)
                where entry.entry == link || entry.value == link {
                    places.append(place(nil, entry))
                }
            }
        }
        return places
    }
}

extension ReplicaReader {
    /// What stands under an entry of a set or map; nil where nothing does.
    func entry(
        _ entry: Value, in property: String, of object: ObjectID
    ) throws(ReplicaError) -> Value? {
        let number = try self.property(property, of: object, .set, .map)
        return try stored { () throws(StorageError) in
            try store.entry(entry, in: ListID(object: object, property: number))?.visible
        }
    }

    /// A list's slots, as the user sees them.
    func slots(_ property: String, of object: ObjectID) throws(ReplicaError) -> [ReplicaSlot] {
        let number = try self.property(property, of: object, .list)
        return try stored { () throws(StorageError) in
            try store.slots(in: ListID(object: object, property: number)).filter(\.isVisible)
        }
    }
}
