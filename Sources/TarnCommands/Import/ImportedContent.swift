import TarnClient
import TarnModel
import TarnStorage

/// An imported object beside its class: what its members mean.
struct ImportedContent {
    private let imported: ImportedObject
    private let schema: ClassSchema
    private let classes: Schema

    init(_ imported: ImportedObject, _ schema: ClassSchema, in classes: Schema) {
        self.imported = imported
        self.schema = schema
        self.classes = classes
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
        for member in imported.values {
            let property = try property(of: member)
            switch property.kind {
            case .value:
                guard property.type.isLink else { continue }
                let wanted = try value(member.value, property)
                let present = try transaction.reader.value(property.name, of: object)
                guard present.withoutLife != wanted else { continue }
                try transaction.set(property.name, of: object, to: wanted)
            case .list:
                let wanted = try elements(member.value, property)
                guard try assign(wanted, to: property.name, of: object, in: &transaction) else {
                    return false
                }
            case .set:
                let wanted = Set(try elements(member.value, property))
                let present = try transaction.reader.elements(property.name, of: object)
                let missing = wanted.subtracting(present.map(\.withoutLife)).sorted()
                let late = missing.dropFirst(room(for: missing, in: transaction))
                try transaction.assign(
                    members: wanted.subtracting(late), to: property.name, of: object)
                if !late.isEmpty { return false }
            case .map:
                let wanted = try entries(member.value, property)
                var present: [Value: Value] = [:]
                for entry in try transaction.reader.entries(property.name, of: object) {
                    present[entry.entry] = entry.value.withoutLife
                }
                let missing = wanted.filter { present[.string(Text($0.key))] != $0.value }
                let keys = missing.keys.sorted()
                let values = keys.lazy.compactMap { missing[$0] }
                let late = keys.dropFirst(room(for: values, in: transaction))
                let now = late.reduce(into: wanted) { $0[$1] = present[.string(Text($1))] }
                try transaction.assign(now, toMap: property.name, of: object)
                if !late.isEmpty { return false }
            }
        }
        return true
    }

    private func room(
        for values: some Sequence<Value>, in transaction: WriteTransaction
    ) -> Int {
        schema.isEmbedded ? .max : ImportCommand.room(for: values, in: transaction)
    }

    /// Most lists are there already, or not at all: then there is no difference to be found.
    private func assign(
        _ wanted: [Value], to list: String, of object: ObjectID,
        in transaction: inout WriteTransaction
    ) throws -> Bool {
        let present = try transaction.reader.elements(list, of: object).map(\.withoutLife)
        if present == wanted { return true }
        guard wanted.starts(with: present) else {
            try transaction.assign(wanted, to: list, of: object)
            return true
        }
        let missing = wanted.dropFirst(present.count)
        let room = room(for: missing, in: transaction)
        for value in missing.prefix(room) { try transaction.append(value, to: list, of: object) }
        return missing.count <= room
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
