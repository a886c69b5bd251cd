package import TarnClient
package import TarnModel

extension WriteTransaction {
    /// Does an edit to an object, with its value read as the schema says.
    package mutating func apply(_ edit: ObjectEdit, to object: ObjectID) throws {
        let owner = try reader.classSchema(of: object)
        let property = try owner.expect(edit.property)
        let place = "\(owner.name).\(property.name)"
        switch property.kind {
        case .value: try applyToCell(edit, property, place, of: object)
        case .list: try applyToList(edit, property, place, of: object)
        case .set: try applyToSet(edit, property, place, of: object)
        case .map: try applyToMap(edit, property, place, of: object)
        }
    }

    private func value(
        _ text: String, _ property: PropertySchema, _ place: String
    ) throws(CommandError) -> Value {
        try TypedValue.read(text, as: property.type, of: place, in: reader.schema)
    }

    private mutating func applyToCell(
        _ edit: ObjectEdit, _ property: PropertySchema, _ place: String, of object: ObjectID
    ) throws {
        guard edit.entry == nil else {
            throw CommandError(.badData, "\(place) is one value, and has no entries")
        }
        let value = try value(edit.value, property, place)
        guard edit.operation != .set else {
            return try set(property.name, of: object, to: value)
        }
        guard case .int(let amount) = value else {
            throw CommandError(
                .badData, "\(edit.operation.rawValue) is for whole numbers, sets and lists")
        }
        // Wrapping, as increments are: the least number has no opposite.
        try increment(
            property.name, of: object, by: edit.operation == .add ? amount : 0 &- amount)
    }

    private mutating func applyToList(
        _ edit: ObjectEdit, _ property: PropertySchema, _ place: String, of object: ObjectID
    ) throws {
        let value = try value(edit.value, property, place)
        switch (edit.operation, edit.entry) {
        case (.add, nil): try append(value, to: property.name, of: object)
        case (.take, nil):
            let elements = try reader.elements(property.name, of: object)
            guard let index = elements.firstIndex(of: value) else {
                throw CommandError(.notFound, "\(place) has no element \(edit.value)")
            }
            try remove(at: index, in: property.name, of: object)
        case (.set, let text?):
            guard let index = Int(text) else {
                throw CommandError(.badData, "\(place) is a list: in brackets stands an index")
            }
            let count = try reader.elements(property.name, of: object).count
            guard (0..<count).contains(index) else {
                throw CommandError(
                    .badData, "there is no place \(index) in a list of \(count)")
            }
            try replace(at: index, in: property.name, of: object, by: value)
        case (.set, nil), (.add, .some), (.take, .some):
            throw CommandError(
                .badData, "\(place) is a list: += appends, -= removes, [INDEX]= replaces")
        }
    }

    private mutating func applyToSet(
        _ edit: ObjectEdit, _ property: PropertySchema, _ place: String, of object: ObjectID
    ) throws {
        let value = try value(edit.value, property, place)
        switch (edit.operation, edit.entry) {
        case (.add, nil): try insert(member: value, into: property.name, of: object)
        case (.take, nil):
            guard try reader.elements(property.name, of: object).contains(value) else {
                throw CommandError(.notFound, "\(place) has no element \(edit.value)")
            }
            try remove(member: value, from: property.name, of: object)
        case (.set, _), (.add, .some), (.take, .some):
            throw CommandError(.badData, "\(place) is a set: += puts in, -= takes out")
        }
    }

    private mutating func applyToMap(
        _ edit: ObjectEdit, _ property: PropertySchema, _ place: String, of object: ObjectID
    ) throws {
        switch (edit.operation, edit.entry) {
        case (.set, let key?):
            try set(
                try value(edit.value, property, place), under: key, in: property.name, of: object)
        case (.take, nil):
            let isThere = try reader.entries(property.name, of: object).contains {
                $0.entry == .string(edit.value)
            }
            guard isThere else {
                throw CommandError(.notFound, "\(place) has nothing under \(edit.value)")
            }
            try remove(key: edit.value, from: property.name, of: object)
        case (.set, nil), (.add, _), (.take, .some):
            throw CommandError(
                .badData, "\(place) is a map: [KEY]= sets an entry, -=KEY takes it out")
        }
    }
}
