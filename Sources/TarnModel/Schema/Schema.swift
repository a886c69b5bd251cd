/// The type of a property's value, or of each element of a list.
package enum ValueType: Hashable, Sendable {
    case bool, int, string, uuid, date
    /// To an object of the class of that name.
    case link(String)

    package var isLink: Bool { linkedClass != nil }

    package var linkedClass: String? {
        if case .link(let name) = self { name } else { nil }
    }
}

/// One property of a class.
package struct PropertySchema: Hashable, Sendable {
    package let name: String
    package let type: ValueType
    /// Whether null is a value. A link that is not in a list is always optional.
    package let isOptional: Bool
    package let isList: Bool
    /// What an object has where its creator said nothing; nil for null, or for the type's zero
    /// value where the property is not optional.
    package let defaultValue: Value?

    package init(
        _ name: String, _ type: ValueType, isOptional: Bool = false, isList: Bool = false,
        default defaultValue: Value? = nil
    ) {
        self.name = name
        self.type = type
        self.isOptional = isList ? isOptional : isOptional || type.isLink
        self.isList = isList
        self.defaultValue = defaultValue
    }

    package static func list(_ name: String, of type: ValueType) -> PropertySchema {
        PropertySchema(name, type, isList: true)
    }

    /// The value of an object whose creator said nothing of this property.
    package var initialValue: Value {
        if let defaultValue { return defaultValue }
        if isOptional || isList { return .null }
        return switch type {
        case .bool: .bool(false)
        case .int: .int(0)
        case .string: .string("")
        case .uuid: .uuid(UUIDValue(high: 0, low: 0))
        case .date: .date(Timestamp(milliseconds: 0))
        case .link: .null
        }
    }

    /// Whether a cell of this property (or, for a list, an element) may hold the value.
    package func accepts(_ value: Value) -> Bool {
        switch (value, type) {
        case (.null, _): isOptional && !isList
        case (.bool, .bool), (.int, .int), (.string, .string), (.uuid, .uuid), (.date, .date): true
        case (.link, .link): true
        default: false
        }
    }
}

/// A class: its primary key, and the properties beside it.
package struct ClassSchema: Hashable, Sendable {
    package let name: String
    /// The property that is the primary key; it is not among `properties`.
    package let primaryKey: PropertySchema
    package let properties: [PropertySchema]

    package init(_ name: String, primaryKey: PropertySchema, properties: [PropertySchema]) {
        self.name = name
        self.primaryKey = primaryKey
        self.properties = properties
    }

    package func property(_ name: String) -> PropertySchema? {
        properties.first { $0.name == name }
    }

    package func accepts(key: PrimaryKey) -> Bool { primaryKey.accepts(Value(key)) }
}

/// The classes of a realm. It only grows.
package struct Schema: Hashable, Sendable {
    package private(set) var classes: [ClassSchema]

    package init(_ classes: [ClassSchema] = []) { self.classes = classes }

    package subscript(_ name: String) -> ClassSchema? { classes.first { $0.name == name } }

    /// Replaces the class of that name, or appends it.
    package mutating func put(_ schema: ClassSchema) {
        if let index = classes.firstIndex(where: { $0.name == schema.name }) {
            classes[index] = schema
        } else {
            classes.append(schema)
        }
    }
}
