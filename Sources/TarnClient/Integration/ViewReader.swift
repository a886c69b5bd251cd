import TarnModel
import TarnProtocol
import TarnStorage

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
    ) throws(ReplicaError) -> (values: [Int: Value], lists: [Int: [SlotContent]]) {
        guard arrival.properties.count <= translation.properties.count else {
            throw unreadable(translation)
        }
        var values: [Int: Value] = [:]
        var lists: [Int: [SlotContent]] = [:]
        for (number, content) in arrival.properties.enumerated() {
            switch content {
            case .value(let value):
                guard let property = translation.property(number, isList: false) else {
                    throw unreadable(translation)
                }
                values[property] = try checked(value, property, in: translation)
            case .list(let slots):
                guard let property = translation.property(number, isList: true) else {
                    throw unreadable(translation)
                }
                lists[property] = try checked(slots, property, in: translation)
            }
        }
        return (values, lists)
    }

    func values(
        of change: ObjectChange, in translation: ClassTranslation
    ) throws(ReplicaError) -> [Int: Value] {
        var values: [Int: Value] = [:]
        for entry in change.values {
            guard let property = translation.property(entry.property, isList: false) else {
                throw unreadable(translation)
            }
            values[property] = try checked(entry.value, property, in: translation)
        }
        return values
    }

    func list(
        _ change: ListChange, in translation: ClassTranslation
    ) throws(ReplicaError) -> Int {
        guard let property = translation.property(change.property, isList: true) else {
            throw unreadable(translation)
        }
        for slot in change.placed {
            _ = try checked(slot.content.value, property, in: translation)
        }
        return property
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
