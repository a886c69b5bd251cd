/// What a property, or an element of a collection, holds.
package enum Value: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case string(Text)
    case uuid(UUIDValue)
    case date(Timestamp)
    case double(Real)
    case data([UInt8])
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
        case .null, .bool, .date, .double, .data, .link: nil
        }
    }
}

extension Value {
    /// Of a string, in UTF-8, of data, or of a link's key; zero for all else, which is short.
    package var byteCount: Int {
        switch self {
        case .string(let text): text.string.utf8.count
        case .data(let bytes): bytes.count
        case .link(let link): link.key.byteCount
        case .null, .bool, .int, .uuid, .date, .double: 0
        }
    }

    var isLink: Bool {
        if case .link = self { true } else { false }
    }
}

extension PrimaryKey {
    /// Of a string, in UTF-8; zero for all else, which is short.
    package var byteCount: Int {
        if case .string(let text) = self { text.string.utf8.count } else { 0 }
    }
}

extension Value {
    package static func double(_ value: Double) -> Value { .double(Real(value)) }
}

extension Value: Comparable {
    /// A total order, which has no meaning but that it is the same everywhere: values of one type
    /// in their own order, types in the order of the cases.
    package static func < (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): !left && right
        case (.int(let left), .int(let right)): left < right
        case (.string(let left), .string(let right)): left < right
        case (.uuid(let left), .uuid(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
        case (.link(let left), .link(let right)): left.key < right.key
        default: left.rank < right.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .int: 2
        case .string: 3
        case .uuid: 4
        case .date: 5
        case .double: 6
        case .data: 7
        case .link: 8
        }
    }
}
