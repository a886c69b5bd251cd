package import TarnModel

/// A query's argument as it is typed: `true`, `false`, `null`, a whole number, a UUID, a date as
/// queries write it, or else text. What stands in quotes is text in any case.
package enum ArgumentValue {
    package static func read(_ text: String) -> Value {
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default: break
        }
        if text.utf8.count >= 2, let first = text.first, first == text.last,
            first == "\"" || first == "'"
        {
            return .string(String(text.dropFirst().dropLast()))
        }
        if let number = Int64(text) { return .int(number) }
        if let uuid = UUIDValue(text) { return .uuid(uuid) }
        if let date = Timestamp(text) { return .date(date) }
        return .string(text)
    }
}
