import TarnModel
import TarnProtocol
import TarnStorage

/// What an object holds, by the replica's numbers of its properties.
struct ObjectContents {
    var values: [Int: Value] = [:]
    var lists: [Int: [SlotContent]] = [:]
    var entries: [Int: [Entry]] = [:]
}

/// Reads a view's objects in the replica's numbers, and refuses what the schema does not allow:
/// the bytes are the server's, and the store trusts what it is given.
struct ViewReader {
    let dictionary: ClassDictionary
    let schema: Schema

    func translation(of object: ObjectKey) throws(ReplicaError) -> ClassTranslation {
        guard let translation = dictionary.translation(of: object.classNumber, into: schema) else {
            throw ReplicaError(.misfit, "the server names a class \(object.classNumber) unheard of")
        }
        guard translation.schema.accepts(key: object.key) else {
            throw ReplicaError(
                .misfit, "the server sends a key that is none of \(translation.schema.name)'s")
        }
        return translation
    }

    func contents(
        of arrival: Arrival, in translation: ClassTranslation
    ) throws(ReplicaError) -> ObjectContents {
        guard arrival.properties.count <= translation.properties.count else {
            throw unreadable(translation)
        }
        var contents = ObjectContents()
        for (number, content) in arrival.properties.enumerated() {
            switch content {
            case .value(let value):
                guard let property = translation.property(number, .value) else {
                    throw unreadable(translation)
                }
                contents.values[property] = try checked(value, property, in: translation)
            case .list(let slots):
                guard let property = translation.property(number, .list) else {
                    throw unreadable(translation)
                }
                contents.lists[property] = try checked(slots, property, in: translation)
            case .entries(let entries):
                guard let property = translation.property(number, .set, .map) else {
                    throw unreadable(translation)
                }
                contents.entries[property] = try entries.map { (entry) throws(ReplicaError) in
                    try checked(entry, property, in: translation)
                }
            }
        }
        return contents
    }

    func values(
        of change: ObjectChange, in translation: ClassTranslation
    ) throws(ReplicaError) -> [Int: Value] {
        var values: [Int: Value] = [:]
        for entry in change.values {
            guard let property = translation.property(entry.property, .value) else {
                throw unreadable(translation)
            }
            values[property] = try checked(entry.value, property, in: translation)
        }
        return values
    }

    func list(
        _ change: ListChange, in translation: ClassTranslation
    ) throws(ReplicaError) -> Int {
        guard let property = translation.property(change.property, .list) else {
            throw unreadable(translation)
        }
        for slot in change.placed {
            _ = try checked(slot.content.value, property, in: translation)
        }
        return property
    }

    /// The replica's number of the set or map that changed, and what of it did.
    func entries(
        _ change: EntriesChange, in translation: ClassTranslation
    ) throws(ReplicaError) -> (property: Int, changes: [EntryChange]) {
        guard let property = translation.property(change.property, .set, .map) else {
            throw unreadable(translation)
        }
        let changes = try change.changes.map { (change) throws(ReplicaError) in
            guard let value = change.value else {
                return EntryChange(entry: change.entry.withoutLife, value: nil)
            }
            let entry = try checked(
                Entry(entry: change.entry, value: value), property, in: translation)
            return EntryChange(entry: entry.entry, value: entry.value)
        }
        return (property, changes)
    }

    private func checked(
        _ entry: Entry, _ number: Int, in translation: ClassTranslation
    ) throws(ReplicaError) -> Entry {
        let property = translation.schema.properties[number]
        guard property.acceptsEntry(entry.entry, holding: entry.value) else {
            throw unreadable(translation)
        }
        if property.kind == .set {
            return Entry(
                entry: try checked(entry.entry, number, in: translation), value: entry.value)
        }
        return Entry(
            entry: entry.entry, value: try checked(entry.value, number, in: translation))
    }

    private func checked(
        _ slots: [SlotContent], _ property: Int, in translation: ClassTranslation
    ) throws(ReplicaError) -> [SlotContent] {
        var seen: Set<SlotID> = []
        for slot in slots {
            _ = try checked(slot.value, property, in: translation)
            guard seen.insert(slot.slot).inserted else { throw unreadable(translation) }
        }
        return slots
    }

    private func checked(
        _ value: Value, _ number: Int, in translation: ClassTranslation
    ) throws(ReplicaError) -> Value {
        let property = translation.schema.properties[number]
        guard property.accepts(value) else { throw unreadable(translation) }
        guard case .link(let link) = value else { return value }
        guard let linked = property.type.linkedClass.flatMap({ schema[$0] }),
            linked.accepts(key: link.key)
        else { throw unreadable(translation) }
        return value.withoutLife
    }

    private func unreadable(_ translation: ClassTranslation) -> ReplicaError {
        ReplicaError(
            .misfit, "the server sends a \(translation.schema.name) that is not as it should be")
    }
}
