/// What a property, or an element of a list, holds.
package enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case string(Text)
    case uuid(UUIDValue)
    case date(Timestamp)
    case link(Link)
}

/// Where a link points: a key of the class that the schema names, and the life that was meant.
package struct Link: Hashable, Sendable {
    package let key: PrimaryKey
    /// Nil in what comes from the server: at one version a key names one object.
    package let life: TransactionID?

    package init(key: PrimaryKey, life: TransactionID?) {
        self.key = key
        self.life = life
    }
}

extension Value {
    package static func string(_ value: String) -> Value { .string(Text(value)) }

    package init(_ key: PrimaryKey) {
        switch key {
        case .int(let value): self = .int(value)
        case .string(let value): self = .string(value)
        case .uuid(let value): self = .uuid(value)
        }
    }

    /// The value as a key; nil for what cannot be one.
    package var primaryKey: PrimaryKey? {
        switch self {
        case .int(let value): .int(value)
        case .string(let value): .string(value)
        case .uuid(let value): .uuid(value)
        case .null, .bool, .date, .link: nil
        }
    }
}
