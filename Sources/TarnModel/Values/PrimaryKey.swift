/// What names an object within its class, never null.
package enum PrimaryKey: Hashable, Sendable {
    case int(Int64)
    case string(Text)
    case uuid(UUIDValue)
}

extension PrimaryKey {
    /// Without the case: the keys of one class are of one type.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .int(let value): hasher.combine(value)
        case .string(let text): hasher.combine(text)
        case .uuid(let value): hasher.combine(value)
        }
    }
}

extension PrimaryKey: Comparable {
    /// Keys of one class are of one type; across types the order is that of the cases.
    package static func < (left: PrimaryKey, right: PrimaryKey) -> Bool {
        switch (left, right) {
        case (.int(let left), .int(let right)): left < right
        case (.string(let left), .string(let right)): left < right
        case (.uuid(let left), .uuid(let right)): left < right
        case (.int, _), (.string, .uuid): true
        case (.string, _), (.uuid, _): false
        }
    }
}

extension PrimaryKey: CustomStringConvertible {
    package var description: String {
        switch self {
        case .int(let value): String(value)
        case .string(let text): text.string
        case .uuid(let value): value.description
        }
    }
}
