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

    func writeLinks(on object: ObjectID, into transaction: inout WriteTransaction) throws {
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
                try assign(wanted, to: property.name, of: object, in: &transaction)
            case .set:
                let wanted = Set(try elements(member.value, property))
                try transaction.assign(members: wanted, to: property.name, of: object)
            case .map:
                let wanted = try entries(member.value, property)
                try transaction.assign(wanted, toMap: property.name, of: object)
            }
        }
    }

    /// Most lists are there already, or not at all: then there is no difference to be found.
    private func assign(
        _ wanted: [Value], to list: String, of object: ObjectID,
        in transaction: inout WriteTransaction
    ) throws {
        let present = try transaction.reader.elements(list, of: object).map(\.withoutLife)
        if present == wanted { return }
        guard wanted.starts(with: present) else {
            return try transaction.assign(wanted, to: list, of: object)
        }
        for value in wanted.dropFirst(present.count) {
            try transaction.append(value, to: list, of: object)
        }
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
