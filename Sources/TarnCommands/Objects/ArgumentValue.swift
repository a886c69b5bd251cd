package import TarnModel
import TarnQuery

/// A query's argument as it is typed: `true`, `false`, `null`, a number, a UUID, a date or data as
/// queries write them, or else text. What stands in quotes is text in any case.
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
        // In other capitals, the words for numbers are text.
        let isWord = text.contains { $0.isLetter } && !text.contains { $0.isNumber }
        switch try? Literal.value(of: text) {
        case .double(let number)? where !isWord || text == text.lowercased():
            return .double(number)
        case .data(let bytes)?: return .data(bytes)
        default: break
        }
        return .string(text)
    }
}
