package import TarnModel

/// Reads a class as a person writes it:
///
///     class    = ["embedded"] NAME "(" key { "," property } ")"
///     key      = NAME type
///     property = NAME [("list" | "set" | "map") "of"] type ["?"] {"unique" | "owning"} ["=" value]
///     type     = bool | int | double | string | data | date | uuid | the name of a class
package struct SchemaReader {
    /// By scalars: to Swift, a sign and an accent behind it are one character.
    private var rest: Substring.UnicodeScalarView

    package static func read(_ text: String) throws(CommandError) -> ClassSchema {
        var reader = SchemaReader(rest: text.unicodeScalars[...])
        let schema = try reader.schema()
        guard reader.peek() == nil else { throw reader.expected("the end of the class") }
        return schema
    }

    private mutating func schema() throws(CommandError) -> ClassSchema {
        var name = try word("the name of a class")
        var isEmbedded = false
        if name == "embedded", peek() != "(" {
            isEmbedded = true
            name = try word("the name of a class")
        }
        try expect("(")
        let key = try property()
        var properties: [PropertySchema] = []
        while take(",") { properties.append(try property()) }
        try expect(")")
        return ClassSchema(
            name, primaryKey: key, properties: properties, isEmbedded: isEmbedded)
    }

    private mutating func property() throws(CommandError) -> PropertySchema {
        let name = try word("the name of a property")
        let (kind, typeName) = try kindAndType()
        let type = ValueType(word: typeName)
        let isOptional = take("?")
        var (isUnique, isOwning) = (false, false)
        while let word = nextWord() {
            switch word {
            case "unique" where !isUnique: isUnique = true
            case "owning" where !isOwning: isOwning = true
            default: throw expected("unique, owning, a default, a comma or the end of the class")
            }
            _ = try self.word("")
        }
        var defaultValue: Value?
        if take("=") {
            guard !type.isLink else {
                throw CommandError(.badData, "\(name) is a link, and has no default but null")
            }
            let value = try TypedValue.read(
                try defaultText(), as: type, of: "the default of \(name)", in: Schema())
            defaultValue = value == .null ? nil : value
        }
        return PropertySchema(
            name, type, kind, isOptional: isOptional, isUnique: isUnique, isOwning: isOwning,
            default: defaultValue)
    }

    private mutating func kindAndType() throws(CommandError) -> (PropertyKind, String) {
        let first = try word("a type")
        guard nextWord() == "of" else { return (.value, first) }
        let kinds: [String: PropertyKind] = ["list": .list, "set": .set, "map": .map]
        guard let kind = kinds[first] else {
            throw CommandError(
                .badData, "before \"of\" stands list, set or map, not \"\(first)\"")
        }
        _ = try word("of")
        return (kind, try word("a type"))
    }

    /// Up to a comma or the class's end, outside of quotes and parentheses.
    private mutating func defaultText() throws(CommandError) -> String {
        _ = peek()
        var text = String.UnicodeScalarView()
        var quote: Unicode.Scalar?
        var (isEscaped, depth) = (false, 0)
        while let next = rest.first {
            if let open = quote {
                if next == open, !isEscaped { quote = nil }
                isEscaped = next == "\\" && !isEscaped
            } else if depth == 0, next == "," || next == ")" {
                break
            } else if next == "\"" || next == "'" {
                quote = next
            } else if next == "(" {
                depth += 1
            } else if next == ")" {
                depth -= 1
            }
            text.append(next)
            rest = rest.dropFirst()
        }
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        guard !text.isEmpty, quote == nil else { throw expected("a value") }
        return String(text)
    }

    // MARK: - Words and signs

    /// The next character that is no blank.
    private mutating func peek() -> Unicode.Scalar? {
        rest = rest.drop { $0.properties.isWhitespace }
        return rest.first
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard peek() == sign else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func expect(_ sign: Unicode.Scalar) throws(CommandError) {
        guard take(sign) else { throw expected("\"\(sign)\"") }
    }

    private mutating func nextWord() -> String? {
        _ = peek()
        let word = rest.prefix(while: \.isNamePart)
        return word.isEmpty ? nil : String(word)
    }

    private mutating func word(_ expectation: String) throws(CommandError) -> String {
        guard let word = nextWord() else { throw expected(expectation) }
        rest = rest.dropFirst(word.unicodeScalars.count)
        return word
    }

    private func expected(_ expectation: String) -> CommandError {
        let found = rest.isEmpty ? "the end" : "\"\(String(rest.prefix(20)))\""
        return CommandError(.badData, "\(expectation) was expected, not \(found)")
    }
}

extension Unicode.Scalar {
    /// Whether names of classes and properties may have it.
    var isNamePart: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}
