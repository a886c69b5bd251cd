import TarnModel
import TarnStorage

/// Sets steps back, the last one first: each only where what it did is still so.
struct Undoing {
    private(set) var count = 0
    private(set) var kept: [String] = []
    /// Objects that were made by what is undone, and are as they were then.
    private var unchanged: Set<ObjectReference> = []
    /// Elements that were put back, by what they were.
    private var restored: [ElementID: ElementID] = [:]

    /// Looks at everything before anything is set back, which would change it.
    init(_ steps: [UndoStep], in reader: ReplicaReader) throws(ReplicaError) {
        for case .created(let reference, let after) in steps {
            guard let object = try reader.find(reference.className, reference.key),
                try UndoPicture(of: object, in: reader) == after
            else { continue }
            unchanged.insert(reference)
        }
    }

    mutating func setBack(
        _ step: UndoStep, in transaction: inout WriteTransaction
    ) throws(ReplicaError) {
        let name = "\(step.object.className) \(step.object.key)"
        do throws(ReplicaError) {
            guard let problem = try undo(step, in: &transaction) else {
                count += 1
                return
            }
            kept.append("\(name) \(problem)")
        } catch {
            // A storage failure takes the whole write back; what cannot be said any more is told.
            guard error.code != .storage, error.code != .limitExceeded else { throw error }
            kept.append("\(name): \(error.sentence)")
        }
    }

    /// - Returns: why it stays as it is; nil where it was set back.
    private mutating func undo(
        _ step: UndoStep, in transaction: inout WriteTransaction
    ) throws(ReplicaError) -> String? {
        if case .deleted(let reference, let before, let places) = step {
            return try restore(reference, before, places, in: &transaction)
        }
        guard let object = try transaction.reader.find(step.object.className, step.object.key)
        else { return "is not on this machine any more" }
        switch step {
        case .deleted: return nil
        case .created(let reference, _):
            guard unchanged.contains(reference) else { return "was changed since, and stays" }
            try transaction.delete(object)
        case .set(_, let property, let before, let after):
            guard try transaction.reader.value(property, of: object) == after else {
                return "has another \(property) since"
            }
            try transaction.set(property, of: object, to: before)
        case .added(_, let property, let amount):
            try transaction.increment(property, of: object, by: 0 &- amount)
        case .inserted(_, let property, let element):
            guard let index = try index(of: element, property, object, transaction) else {
                return "has lost that element of \(property) since"
            }
            try transaction.remove(at: index, in: property, of: object)
        case .moved(_, let property, let element, let old, let slot):
            let slots = try transaction.reader.slots(property, of: object)
            // One that was put back just now stands where the move had put it.
            let isRestored = restored[element] != nil
            guard
                let index = slots.firstIndex(where: { $0.element == restored[element] ?? element }),
                isRestored || slots[index].slot == slot
            else { return "has moved that element of \(property) since" }
            try transaction.move(
                from: index, to: min(old, slots.count - 1), in: property, of: object)
        case .removed(_, let property, let removed, let index):
            try put(
                removed.value, as: removed.element, at: index, in: property, of: object,
                &transaction)
        case .entry(_, let property, let entry, let before, let after):
            guard try transaction.reader.entry(entry, in: property, of: object) == after else {
                return "has something else under that entry of \(property) since"
            }
            try put(before, under: entry, in: property, of: object, &transaction)
        }
        return nil
    }

    private func index(
        of element: ElementID, _ property: String, _ object: ObjectID,
        _ transaction: WriteTransaction
    ) throws(ReplicaError) -> Int? {
        let element = restored[element] ?? element
        return try transaction.reader.slots(property, of: object).firstIndex {
            $0.element == element
        }
    }

    private mutating func put(
        _ value: Value, as element: ElementID, at index: Int, in property: String,
        of object: ObjectID, _ transaction: inout WriteTransaction
    ) throws(ReplicaError) {
        let count = try transaction.reader.slots(property, of: object).count
        let place = min(index, count)
        try transaction.insert(value, at: place, in: property, of: object)
        restored[element] = try transaction.reader.slots(property, of: object)[place].element
    }

    private func put(
        _ value: Value?, under entry: Value, in property: String, of object: ObjectID,
        _ transaction: inout WriteTransaction
    ) throws(ReplicaError) {
        let isMap = try transaction.reader.classSchema(of: object).property(property)?.kind == .map
        switch (value, entry) {
        case (let value?, .string(let key)) where isMap:
            try transaction.set(value, under: key.string, in: property, of: object)
        case (nil, .string(let key)) where isMap:
            try transaction.remove(key: key.string, from: property, of: object)
        case (nil, _): try transaction.remove(member: entry, from: property, of: object)
        default: try transaction.insert(member: entry, into: property, of: object)
        }
    }

    // MARK: Deleted objects

    /// Makes a deleted object again, as another life of its key, with what it held and in the
    /// places where it was held.
    private mutating func restore(
        _ reference: ObjectReference, _ before: UndoPicture, _ places: [HeldPlace],
        in transaction: inout WriteTransaction
    ) throws(ReplicaError) -> String? {
        guard try transaction.reader.find(reference.className, reference.key) == nil else {
            return "is there again"
        }
        var values: [InitialValue] = []
        for (property, value) in before.values.sorted(by: { $0.key < $1.key })
        where try isHere(value, reference, property, transaction.reader) {
            values.append(InitialValue(property, value))
        }
        let object = try transaction.create(reference.className, reference.key, values)
        for (property, elements) in before.lists.sorted(by: { $0.key < $1.key }) {
            for element in elements
            where try isHere(element.value, reference, property, transaction.reader) {
                try put(
                    element.value, as: element.element, at: .max, in: property, of: object,
                    &transaction)
            }
        }
        for (property, entries) in before.entries.sorted(by: { $0.key < $1.key }) {
            for entry in entries {
                guard try isHere(entry.entry, reference, property, transaction.reader),
                    try isHere(entry.value, reference, property, transaction.reader)
                else { continue }
                try put(entry.value, under: entry.entry, in: property, of: object, &transaction)
            }
        }
        for place in places { try hold(object, at: place, in: &transaction) }
        return nil
    }

    /// Whether a value is no link, or one to what is here: what is restored later is linked to
    /// then, by its own places.
    private func isHere(
        _ value: Value, _ holder: ObjectReference, _ property: String, _ reader: ReplicaReader
    ) throws(ReplicaError) -> Bool {
        guard case .link(let link) = value else { return true }
        let schema = reader.schema[holder.className]?.property(property)
        guard let linked = schema?.type.linkedClass else { return false }
        return try reader.find(linked, link.key) != nil
    }

    private mutating func hold(
        _ object: ObjectID, at place: HeldPlace, in transaction: inout WriteTransaction
    ) throws(ReplicaError) {
        let reader = transaction.reader
        guard let holder = try reader.find(place.holder.className, place.holder.key) else { return }
        let link = try transaction.link(to: object)
        if let entry = place.entry {
            let value = if case .link = entry.value { link } else { entry.value }
            let name = if case .link = entry.entry { link } else { entry.entry }
            // What somebody has put there since stays.
            guard try reader.entry(name, in: place.property, of: holder) == nil else { return }
            try put(value, under: name, in: place.property, of: holder, &transaction)
        } else if let element = place.element {
            try put(
                link, as: element.element, at: element.index, in: place.property, of: holder,
                &transaction)
        } else if try reader.value(place.property, of: holder) == .null {
            try transaction.set(place.property, of: holder, to: link)
        }
    }
}
