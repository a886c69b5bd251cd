package import TarnModel

extension Query: CustomStringConvertible {
    /// The canonical text.
    package var description: String {
        var text = className
        if predicate != .always(true) { text += " WHERE \(predicate)" }
        if !sort.isEmpty {
            let terms = sort.map { "\($0.path) \($0.isAscending ? "ASC" : "DESC")" }
            text += " SORT(\(terms.joined(separator: ", ")))"
        }
        if let limit { text += " LIMIT(\(limit))" }
        return text
    }
}

extension Predicate: CustomStringConvertible {
    package var description: String {
        switch self {
        case .always(let holds): return holds ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .all(let parts):
            return parts.map { $0.isDisjunction ? "(\($0))" : "\($0)" }.joined(separator: " AND ")
        case .any(let parts): return parts.map(\.description).joined(separator: " OR ")
        case .not(let part): return part.isCompound ? "NOT (\(part))" : "NOT \(part)"
        case .comparison(let comparison):
            let fold = comparison.folds ? "[c]" : ""
            return "\(comparison.left) \(comparison.comparator.rawValue)\(fold) \(comparison.right)"
        case .membership(let membership):
            let values = membership.values.map(\.description).joined(separator: ", ")
            return "\(membership.subject) IN\(membership.folds ? "[c]" : "") {\(values)}"
        case .range(let subject, let lower, let upper):
            return "\(subject) BETWEEN {\(lower), \(upper)}"
        }
    }

    private var isDisjunction: Bool { if case .any = self { true } else { false } }

    private var isCompound: Bool {
        switch self {
        case .any, .all: true
        case .always, .not, .comparison, .membership, .range: false
        }
    }
}

extension Operand: CustomStringConvertible {
    package var description: String {
        switch self {
        case .path(let path, nil): path.description
        case .path(let path, let quantifier?): "\(quantifier.rawValue) \(path)"
        case .count(let path): "\(path).@count"
        case .state(let path, nil): "\(path).@state"
        case .state(let path, let quantifier?): "\(quantifier.rawValue) \(path).@state"
        case .literal(let literal): literal.description
        }
    }
}

extension PropertyPath: CustomStringConvertible {
    package var description: String { names.joined(separator: ".") }
}

extension Literal: CustomStringConvertible {
    package var description: String {
        switch content {
        case .user: return "$user"
        case .argument(let number): return "$\(number)"
        case .value(let value): return Self.text(of: value)
        }
    }

    /// A value as a literal; a link cannot be written, and is null.
    package static func text(of value: Value) -> String {
        switch value {
        case .null, .link: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .string(let text): quoted(text.string)
        case .uuid(let value): "uuid(\"\(value)\")"
        case .date(let time): time.description
        case .double(let real): written(real.value)
        case .data(let bytes): "B64\"\(Base64.text(of: bytes))\""
        }
    }

    /// With a point or an exponent, so that it is read as a double again.
    private static func written(_ number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-infinity" : "infinity" }
        return number.description
    }

    /// A string as a literal that stands on one line.
    package static func quoted(_ string: String) -> String {
        var literal = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
