package import TarnModel
import TarnQuery

/// A value as it is typed on a command line, read as what the schema says it is.
package enum TypedValue {
    /// `null` is null. Text stands as it is, or in quotes as in queries; all else as in queries,
    /// where UUIDs, dates and base64 may stand bare. A link is the key of what it leads to, or
    /// CLASS/KEY.
    package static func read(
        _ text: String, as type: ValueType, of place: String, in schema: Schema
    ) throws(CommandError) -> Value {
        if text == "null" { return .null }
        let value: Value? =
            switch type {
            case .string: try string(text, place)
            case .bool, .int: literal(text)
            case .double: real(text)
            case .uuid: UUIDValue(text).map(Value.uuid) ?? literal(text)
            case .date: Timestamp(text).map(Value.date) ?? literal(text)
            case .data: Base64.bytes(of: text).map(Value.data) ?? literal(text)
            case .link(let className): try link(text, className, place, schema)
            }
        guard let value, PropertySchema("", type).accepts(value) else {
            throw CommandError(.badData, "\(place) takes \(wanted(type)), not \"\(text)\"")
        }
        return value
    }

    /// A primary key of that class.
    package static func key(
        _ text: String, of schema: ClassSchema
    ) throws(CommandError) -> PrimaryKey {
        let place = "the key \(schema.name).\(schema.primaryKey.name)"
        let value = try read(text, as: schema.primaryKey.type, of: place, in: Schema())
        guard let key = value.primaryKey else {
            throw CommandError(.badData, "\(place) is never null")
        }
        return key
    }

    private static func string(
        _ text: String, _ place: String
    ) throws(CommandError) -> Value {
        // By scalars: to Swift, a quote and an accent behind it are one character.
        let scalars = text.unicodeScalars
        guard scalars.count >= 2, let first = scalars.first, first == scalars.last,
            first == "\"" || first == "'"
        else { return .string(text) }
        do throws(QueryError) {
            return try Literal.value(of: text)
        } catch {
            throw CommandError(.badData, "\(place): \(error)")
        }
    }

    private static func literal(_ text: String) -> Value? { try? Literal.value(of: text) }

    private static func real(_ text: String) -> Value? {
        if case .int(let whole) = literal(text) { return .double(Double(whole)) }
        return literal(text)
    }

    private static func link(
        _ text: String, _ className: String, _ place: String, _ schema: Schema
    ) throws(CommandError) -> Value {
        guard let linked = schema[className] else {
            throw CommandError(
                .notFound, "\(place) leads to the class \(className), which does not exist yet")
        }
        let prefix = "\(className)/"
        let key = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
        return .link(Link(key: try Self.key(key, of: linked), life: nil))
    }

    private static func wanted(_ type: ValueType) -> String {
        switch type {
        case .bool: "true or false"
        case .int: "a whole number"
        case .double: "a number"
        case .string: "text"
        case .uuid: "a UUID"
        case .date: "a date as 2026-11-30 or 2026-11-30T08:15:00Z"
        case .data: "base64"
        case .link(let className): "the key of an object of \(className)"
        }
    }
}
