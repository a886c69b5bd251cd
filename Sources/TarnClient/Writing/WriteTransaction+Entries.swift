package import TarnModel
import TarnStorage

/// Counters, sets and maps.
extension WriteTransaction {
    /// Adds to an int, wrapping. What others add meanwhile adds up, where setting the sum would
    /// replace it. Throws `wrongType` where the property is null.
    package mutating func increment(
        _ property: String, of object: ObjectID, by amount: Int64
    ) throws(ReplicaError) {
        let name = try name(of: object)
        let number = try reader.property(property, of: object, .value)
        guard try reader.classSchema(of: object).properties[number].type == .int else {
            throw ReplicaError(.wrongType, "\(name.className).\(property) is nothing to add to")
        }
        guard try reader.value(property, of: object) != .null else {
            throw ReplicaError(.wrongType, "nothing can be added to null")
        }
        try make(.increment(name, property: property, by: amount), on: object)
        noteUnique(number, of: object)
    }

    /// Puts an element into a set. Where it is there already, that says once more that it should
    /// be.
    package mutating func insert(
        member value: Value, into property: String, of object: ObjectID
    ) throws(ReplicaError) {
        try put(.bool(true), under: value, in: property, of: object, .set)
    }

    /// Takes an element out of a set; nothing happens where it is not there.
    package mutating func remove(
        member value: Value, from property: String, of object: ObjectID
    ) throws(ReplicaError) {
        try take(value, from: property, of: object, .set)
    }

    /// Sets what stands under a key of a map.
    package mutating func set(
        _ value: Value, under key: String, in property: String, of object: ObjectID
    ) throws(ReplicaError) {
        try put(value, under: .string(key), in: property, of: object, .map)
    }

    /// Takes a key out of a map; nothing happens where it is not there.
    package mutating func remove(
        key: String, from property: String, of object: ObjectID
    ) throws(ReplicaError) {
        try take(.string(key), from: property, of: object, .map)
    }

    /// Takes out all that a set or map has here; what others add meanwhile stays.
    mutating func clearEntries(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) {
        let schema = try collection(property, of: object, .set, .map).schema
        for entry in try reader.entries(property, of: object) {
            try take(entry.entry, from: property, of: object, schema.kind)
        }
    }

    private func collection(
        _ property: String, of object: ObjectID, _ kinds: PropertyKind...
    ) throws(ReplicaError) -> (schema: PropertySchema, id: ListID) {
        let number = try reader.property(property, of: object, .set, .map)
        let schema = try reader.classSchema(of: object).properties[number]
        guard kinds.contains(schema.kind) else {
            throw ReplicaError(.wrongType, "\(property) is a \(schema.kind)")
        }
        return (schema, ListID(object: object, property: number))
    }

    private mutating func put(
        _ value: Value, under entry: Value, in property: String, of object: ObjectID,
        _ kind: PropertyKind
    ) throws(ReplicaError) {
        let name = try name(of: object)
        let (schema, id) = try collection(property, of: object, kind)
        guard schema.acceptsEntry(entry, holding: value) else {
            throw ReplicaError(
                .wrongType, "\(name.className).\(property) does not hold such an entry")
        }
        // A set's element, or a map's value: either may be a link.
        let resolvedEntry =
            kind == .set ? try resolve(entry, for: property, name.className, kind) : entry
        let resolved =
            kind == .map ? try resolve(value, for: property, name.className, kind) : value
        try doubt(entry: entry, in: id, schema)
        try make(
            .setEntry(name, property: property, entry: resolvedEntry, value: resolved), on: object)
        try hold(kind == .set ? resolvedEntry : resolved, by: schema)
    }

    private mutating func take(
        _ entry: Value, from property: String, of object: ObjectID, _ kind: PropertyKind
    ) throws(ReplicaError) {
        let name = try name(of: object)
        let (schema, id) = try collection(property, of: object, kind)
        let store = store
        let present = try reader.stored { () throws(StorageError) in
            try store.entry(entry, in: id)
        }
        guard present?.visible != nil else { return }
        try doubt(entry: entry, in: id, schema)
        var named = entry
        if case .link(let link) = entry {
            // An element that leads to what is not here is known by its key alone.
            guard let linked = schema.type.linkedClass,
                let target = try reader.find(linked, link.key)
            else {
                throw ReplicaError(
                    .unresolvedLink,
                    "\(name.className).\(property) leads to \(link.key), which is not here")
            }
            named = try self.link(to: target)
        }
        try make(.removeEntry(name, property: property, entry: named), on: object)
    }
}
