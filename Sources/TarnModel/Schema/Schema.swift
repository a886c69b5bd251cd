/// The type of a property's value, or of each element of a collection.
package enum ValueType: Hashable, Sendable {
    case bool, int, string, uuid, date, double, data
    /// To an object of the class of that name.
    case link(String)

    package var isLink: Bool { linkedClass != nil }

    package var linkedClass: String? {
        if case .link(let name) = self { name } else { nil }
    }
}

/// What a property holds: one value, or a collection of them.
package enum PropertyKind: Hashable, Sendable {
    case value
    /// In an order that people give, each as often as they put it in.
    case list
    /// Each once, in no order.
    case set
    /// Each under a string.
    case map
}

/// One property of a class.
package struct PropertySchema: Hashable, Sendable {
    package let name: String
    package let type: ValueType
    package let kind: PropertyKind
    /// Whether null is a value. A link that is in no collection is always optional; of a
    /// collection, only a map's values may be null.
    package let isOptional: Bool
    /// Whether no two objects of the class may have the same value, other than null.
    package let isUnique: Bool
    /// Whether what it links to belongs to the object: when that is deleted it dies, too, unless
    /// another owner has it.
    package let isOwning: Bool
    /// What an object has where its creator said nothing; nil for null, or for the type's zero
    /// value where the property is not optional.
    package let defaultValue: Value?

    package init(
        _ name: String, _ type: ValueType, _ kind: PropertyKind = .value, isOptional: Bool = false,
        isUnique: Bool = false, isOwning: Bool = false, default defaultValue: Value? = nil
    ) {
        self.name = name
        self.type = type
        self.kind = kind
        self.isOptional = isOptional || kind == .value && type.isLink
        self.isUnique = isUnique
        self.isOwning = isOwning
        self.defaultValue = defaultValue
    }

    package static func list(
        _ name: String, of type: ValueType, isOwning: Bool = false
    ) -> PropertySchema {
        PropertySchema(name, type, .list, isOwning: isOwning)
    }

    package static func set(
        _ name: String, of type: ValueType, isOwning: Bool = false
    ) -> PropertySchema {
        PropertySchema(name, type, .set, isOwning: isOwning)
    }

    package static func map(
        _ name: String, of type: ValueType, isOptional: Bool = false, isOwning: Bool = false
    ) -> PropertySchema {
        PropertySchema(name, type, .map, isOptional: isOptional, isOwning: isOwning)
    }

    package var isList: Bool { kind == .list }

    /// Whether it is a set or a map: what has entries, each of which is a register by itself.
    package var hasEntries: Bool { kind == .set || kind == .map }

    /// Whether it holds one value.
    package var isCell: Bool { kind == .value }

    /// The value of an object whose creator said nothing of this property.
    package var initialValue: Value {
        if let defaultValue { return defaultValue }
        if isOptional || !isCell { return .null }
        return switch type {
        case .bool: .bool(false)
        case .int: .int(0)
        case .string: .string("")
        case .uuid: .uuid(UUIDValue(high: 0, low: 0))
        case .date: .date(Timestamp(milliseconds: 0))
        case .double: .double(0)
        case .data: .data([])
        case .link: .null
        }
    }

    /// Whether a cell of this property (or, for a collection, an element) may hold the value.
    package func accepts(_ value: Value) -> Bool {
        switch (value, type) {
        case (.null, _): isOptional && (isCell || kind == .map)
        case (.bool, .bool), (.int, .int), (.string, .string), (.uuid, .uuid), (.date, .date): true
        case (.double, .double), (.data, .data), (.link, .link): true
        default: false
        }
    }

    /// Whether a set or map may hold the value under that entry. A set's entry is the element, and
    /// holds true; a map's is a string.
    package func acceptsEntry(_ entry: Value, holding value: Value) -> Bool {
        acceptsEntry(entry) && (kind == .set ? value == .bool(true) : accepts(value))
    }

    /// Whether a set or map may have an entry of that name, whatever it holds.
    package func acceptsEntry(_ entry: Value) -> Bool {
        guard entry.isShortEnoughForEntry else { return false }
        return switch kind {
        case .set: accepts(entry)
        case .map: if case .string = entry { true } else { false }
        case .value, .list: false
        }
    }
}

extension Value {
    /// Entries stand in indices, as keys do, so they have a key's limit.
    fileprivate var isShortEnoughForEntry: Bool {
        switch self {
        case .string(let text): text.string.utf8.count <= TransactionLimits.keyBytesMax
        case .data(let bytes): bytes.count <= TransactionLimits.keyBytesMax
        default: true
        }
    }
}

/// A class: its primary key, and the properties beside it.
package struct ClassSchema: Hashable, Sendable {
    package let name: String
    /// The property that is the primary key; it is not among `properties`.
    package let primaryKey: PropertySchema
    package let properties: [PropertySchema]
    /// Whether its objects are parts of others: each is held in one place, and dies when it is not.
    package let isEmbedded: Bool

    package init(
        _ name: String, primaryKey: PropertySchema, properties: [PropertySchema],
        isEmbedded: Bool = false
    ) {
        self.name = name
        self.primaryKey = primaryKey
        self.properties = properties
        self.isEmbedded = isEmbedded
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

    /// Whether what a property links to belongs to its holder, by the property or by the class.
    package func isOwning(_ property: PropertySchema) -> Bool {
        property.isOwning || leadsToPart(property)
    }

    /// Whether a property links to objects that are parts of their holder.
    package func leadsToPart(_ property: PropertySchema) -> Bool {
        property.type.linkedClass.flatMap { self[$0] }?.isEmbedded == true
    }

    /// Replaces the class of that name, or appends it.
    package mutating func put(_ schema: ClassSchema) {
        if let index = classes.firstIndex(where: { $0.name == schema.name }) {
            classes[index] = schema
        } else {
            classes.append(schema)
        }
    }
}
