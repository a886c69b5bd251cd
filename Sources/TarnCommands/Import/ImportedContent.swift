import TarnClient
import TarnModel
import TarnStorage

/// An imported object beside its class: what its members mean.
struct ImportedContent {
    private let imported: ImportedObject
    private let schema: ClassSchema
    private let classes: Schema
    /// Whether the transaction may end in the midst of it.
    private let mayBreak: Bool

    init(
        _ imported: ImportedObject, _ schema: ClassSchema, in classes: Schema, mayBreak: Bool
    ) {
        self.imported = imported
        self.schema = schema
        self.classes = classes
        self.mayBreak = mayBreak
    }

    func key() throws(CommandError) -> PrimaryKey {
        let value = try imported.key.value(for: schema.primaryKey, of: schema.name, in: classes)
        guard let key = value.primaryKey else {
            throw CommandError(.badData, "an object of \(schema.name) needs a key")
        }
        return key
    }

    /// What leads nowhere.
    func plainValues() throws(CommandError) -> [InitialValue] {
        var values: [InitialValue] = []
        for member in imported.values {
            let property = try property(of: member)
            guard property.isCell else { continue }
            let value = try value(member.value, property)
            if !property.type.isLink { values.append(InitialValue(property.name, value)) }
        }
        return values
    }

    /// Whether every member makes sense, those too that are written later.
    func check() throws(CommandError) {
        for member in imported.values {
            let property = try property(of: member)
            switch property.kind {
            case .value: _ = try value(member.value, property)
            case .list, .set: _ = try elements(member.value, property)
            case .map: _ = try entries(member.value, property)
            }
        }
    }

    /// - Returns: whether it is all written; a collection may be longer than what a transaction has
    ///   room for, and what is missing is written the next time.
    func writeLinks(on object: ObjectID, into transaction: inout WriteTransaction) throws -> Bool {
        // Parts are there by now, and need their places before the transaction may end.
        let members = try imported.values.map { ($0, try property(of: $0)) }
        let ordered =
            members.filter { classes.leadsToPart($0.1) }
            + members.filter { !classes.leadsToPart($0.1) }
        for (member, property) in ordered {
            switch property.kind {
            case .value:
                guard property.type.isLink else { continue }
                let wanted = try value(member.value, property)
                let present = try transaction.reader.value(property.name, of: object)
                guard present.withoutLife != wanted else { continue }
                try transaction.set(property.name, of: object, to: wanted)
            case .list:
                let wanted = try elements(member.value, property)
                guard try assign(wanted, to: property, of: object, in: &transaction) else {
                    return false
                }
            case .set:
                let wanted = Set(try elements(member.value, property))
                guard try assign(wanted, to: property, of: object, in: &transaction) else {
                    return false
                }
            case .map:
                let wanted = try entries(member.value, property)
                guard try assign(wanted, to: property, of: object, in: &transaction) else {
                    return false
                }
            }
        }
        return true
    }

    /// How many values have room. What is in a collection of parts has it always: they are there.
    private func room(
        for values: some Sequence<Value>, _ property: PropertySchema,
        in transaction: WriteTransaction
    ) -> Int {
        mayBreak && !classes.leadsToPart(property)
            ? ImportCommand.room(for: values, in: transaction) : .max
    }

    /// Most lists are there already, or not at all: then there is no difference to be found.
    private func assign(
        _ wanted: [Value], to property: PropertySchema, of object: ObjectID,
        in transaction: inout WriteTransaction
    ) throws -> Bool {
        let list = property.name
        let present = try transaction.reader.elements(list, of: object).map(\.withoutLife)
        if present == wanted { return true }
        if wanted.starts(with: present) {
            let missing = wanted.dropFirst(present.count)
            let room = room(for: missing, property, in: transaction)
            for value in missing.prefix(room) {
                try transaction.append(value, to: list, of: object)
            }
            return missing.count <= room
        }
        let difference = wanted.difference(from: present)
        let gone = difference.removals.reversed()
        let removable = room(for: gone.lazy.map { _ in .null }, property, in: transaction)
        for case .remove(let offset, _, _) in gone.prefix(removable) {
            try transaction.remove(at: offset, in: list, of: object)
        }
        guard gone.count <= removable else { return false }
        let new = difference.insertions.map(\.place)
        let room = room(for: new.lazy.map(\.value), property, in: transaction)
        for (offset, value) in new.prefix(room) {
            try transaction.insert(value, at: offset, in: list, of: object)
        }
        return new.count <= room
    }

    private func assign(
        _ wanted: Set<Value>, to property: PropertySchema, of object: ObjectID,
        in transaction: inout WriteTransaction
    ) throws -> Bool {
        let present = Set(
            try transaction.reader.elements(property.name, of: object).map(\.withoutLife))
        let gone = present.subtracting(wanted).sorted()
        let kept = gone.dropFirst(room(for: gone, property, in: transaction))
        let rest = present.intersection(wanted).union(kept)
        try transaction.assign(members: rest, to: property.name, of: object)
        guard kept.isEmpty else { return false }
        let missing = wanted.subtracting(present).sorted()
        let late = missing.dropFirst(room(for: missing, property, in: transaction))
        try transaction.assign(members: wanted.subtracting(late), to: property.name, of: object)
        return late.isEmpty
    }

    private func assign(
        _ wanted: [String: Value], to property: PropertySchema, of object: ObjectID,
        in transaction: inout WriteTransaction
    ) throws -> Bool {
        var present: [String: Value] = [:]
        for entry in try transaction.reader.entries(property.name, of: object) {
            guard case .string(let key) = entry.entry else { continue }
            present[key.string] = entry.value.withoutLife
        }
        let gone = present.keys.filter { wanted[$0] == nil }.sorted()
        let kept = gone.dropFirst(
            room(for: gone.lazy.map { .string($0) }, property, in: transaction))
        var rest = present.filter { wanted[$0.key] != nil }
        for key in kept { rest[key] = present[key] }
        try transaction.assign(rest, toMap: property.name, of: object)
        guard kept.isEmpty else { return false }
        let missing = wanted.filter { present[$0.key] != $0.value }.keys.sorted()
        let values = missing.lazy.compactMap { wanted[$0] }
        let late = missing.dropFirst(room(for: values, property, in: transaction))
        for key in late { rest[key] = present[key] }
        for key in missing.dropLast(late.count) { rest[key] = wanted[key] }
        try transaction.assign(rest, toMap: property.name, of: object)
        return late.isEmpty
    }

    private func property(of member: JSONValue.Member) throws(CommandError) -> PropertySchema {
        guard let property = schema.property(member.name) else {
            throw CommandError(.badData, "there is no property \(schema.name).\(member.name)")
        }
        return property
    }

    private func value(
        _ json: JSONValue, _ property: PropertySchema
    ) throws(CommandError) -> Value {
        try json.value(for: property, of: schema.name, in: classes)
    }

    private func elements(
        _ json: JSONValue, _ property: PropertySchema
    ) throws(CommandError) -> [Value] {
        guard case .array(let elements) = json else {
            throw CommandError(.badData, "\(schema.name).\(property.name) is a \(property.kind)")
        }
        var values: [Value] = []
        for element in elements { values.append(try value(element, property)) }
        return values
    }

    private func entries(
        _ json: JSONValue, _ property: PropertySchema
    ) throws(CommandError) -> [String: Value] {
        guard case .object(let members) = json else {
            throw CommandError(.badData, "\(schema.name).\(property.name) is a map")
        }
        var values: [String: Value] = [:]
        for member in members { values[member.name] = try value(member.value, property) }
        return values
    }
}

extension CollectionDifference.Change {
    fileprivate var place: (offset: Int, value: ChangeElement) {
        switch self {
        case .insert(let offset, let element, _), .remove(let offset, let element, _):
            (offset, element)
        }
    }
}
