package import TarnModel
import TarnStorage

/// Whole collections at once. Assigning says the difference and nothing more: what others add or
/// take out meanwhile, and elements that stay, are not touched by it.
extension WriteTransaction {
    /// Puts another value in an element's place. The new one is another element: whoever moves the
    /// old one meanwhile moves what is gone.
    package mutating func replace(
        at index: Int, in property: String, of object: ObjectID, by value: Value
    ) throws(ReplicaError) {
        try insert(value, at: index, in: property, of: object)
        try remove(at: index + 1, in: property, of: object)
    }

    /// Makes a list these elements, in this order; those that are in both stay the same elements.
    package mutating func assign(
        _ values: [Value], to property: String, of object: ObjectID
    ) throws(ReplicaError) {
        let old = try reader.elements(property, of: object)
        let difference = values.map(\.withoutLife).difference(from: old)
        for case .remove(let offset, _, _) in difference.removals.reversed() {
            try remove(at: offset, in: property, of: object)
        }
        for case .insert(let offset, _, _) in difference.insertions {
            try insert(values[offset], at: offset, in: property, of: object)
        }
    }

    /// Makes a set these elements.
    package mutating func assign(
        members: Set<Value>, to property: String, of object: ObjectID
    ) throws(ReplicaError) {
        let wanted = Set(members.map(\.withoutLife))
        let old = Set(try reader.entries(property, of: object).map(\.entry))
        for member in old.subtracting(wanted).sorted() {
            try remove(member: member, from: property, of: object)
        }
        for member in members.sorted() where !old.contains(member.withoutLife) {
            try insert(member: member, into: property, of: object)
        }
    }

    /// Makes a map these values under these keys.
    package mutating func assign(
        _ values: [String: Value], toMap property: String, of object: ObjectID
    ) throws(ReplicaError) {
        var old: [Value: Value] = [:]
        for entry in try reader.entries(property, of: object) { old[entry.entry] = entry.value }
        for case .string(let key) in old.keys.sorted() where values[key.string] == nil {
            try remove(key: key.string, from: property, of: object)
        }
        for (key, value) in values.sorted(by: { Text($0.key) < Text($1.key) })
        where old[.string(key)] != value.withoutLife {
            try set(value, under: key, in: property, of: object)
        }
    }
}
