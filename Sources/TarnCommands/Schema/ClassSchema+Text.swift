package import TarnModel
import TarnQuery

extension ClassSchema {
    /// A class as it is written, on one line: `Task(id uuid, title string = "new", tags set of
    /// string)`. `SchemaReader` reads it.
    package var text: String {
        let parts = [primaryKey.text] + properties.map(\.text)
        return "\(isEmbedded ? "embedded " : "")\(name)(\(parts.joined(separator: ", ")))"
    }
}

extension PropertySchema {
    package var text: String {
        var text = "\(name) \(kind.prefix)\(type.word)"
        // A link that is in no collection may always be null.
        if isOptional, !(isCell && type.isLink) { text += "?" }
        if isUnique { text += " unique" }
        if isOwning { text += " owning" }
        if let defaultValue { text += " = \(Literal.text(of: defaultValue))" }
        return text
    }
}

extension PropertyKind {
    fileprivate var prefix: String {
        switch self {
        case .value: ""
        case .list: "list of "
        case .set: "set of "
        case .map: "map of "
        }
    }
}

extension ValueType {
    /// Its name in a schema; a link's is that of the class.
    package var word: String {
        switch self {
        case .bool: "bool"
        case .int: "int"
        case .string: "string"
        case .uuid: "uuid"
        case .date: "date"
        case .double: "double"
        case .data: "data"
        case .link(let className): className
        }
    }

    /// The type of that name; what is none is a class to link to.
    package init(word: String) {
        let plain: [ValueType] = [.bool, .int, .string, .uuid, .date, .double, .data]
        self = plain.first { $0.word == word } ?? .link(word)
    }
}
