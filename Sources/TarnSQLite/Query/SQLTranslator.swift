import TarnModel
import TarnQuery

/// Writes predicates as SQL expressions that are 0 or 1, never NULL: SQL's third truth value would
/// come out of a NOT as it went in.
struct SQLTranslator {
    private(set) var values: [SQLiteValue] = []
    private var aliasCount = 0

    /// The parameter for a value.
    mutating func bind(_ value: SQLiteValue) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    /// A name for one more table.
    mutating func alias(_ letter: String) -> String {
        aliasCount += 1
        return "\(letter)\(aliasCount)"
    }

    mutating func condition(_ predicate: BoundPredicate, of root: String) -> String {
        switch predicate {
        case .always(let holds): return holds ? "1" : "0"
        case .all(let parts):
            return Self.joined(parts.map { condition($0, of: root) }[...], by: "AND")
        case .any(let parts):
            return Self.joined(parts.map { condition($0, of: root) }[...], by: "OR")
        case .not(let part): return "NOT \(condition(part, of: root))"
        case .test(let test): return condition(test, of: root)
        }
    }

    /// Joins as a tree of logarithmic depth: SQLite refuses expressions that nest 1000 deep, and
    /// holds a chain for nested.
    static func joined(_ conditions: ArraySlice<String>, by word: String) -> String {
        guard conditions.count > 1 else { return conditions.first ?? "1" }
        let middle = conditions.startIndex + conditions.count / 2
        let left = joined(conditions[..<middle], by: word)
        return "(\(left) \(word) \(joined(conditions[middle...], by: word)))"
    }

    private mutating func condition(_ test: BoundTest, of root: String) -> String {
        guard case .path(let path) = test.subject, path.isMany else {
            let subject = expression(test.subject, test.subject.type, of: root)
            return condition(test.condition, on: subject, of: root)
        }
        let isOnState = if case .hasState = test.condition { true } else { false }
        let walk = walk(path, from: root, endsHere: !isOnState)
        let subject = SQLExpression(walk.columns, path.leafType, path.leafTarget)
        let condition = condition(test.condition, on: subject, of: root)
        switch test.quantifier {
        case .any: return "EXISTS (SELECT 1 \(walk.source) AND \(condition))"
        case .none: return "NOT EXISTS (SELECT 1 \(walk.source) AND \(condition))"
        case .all: return "NOT EXISTS (SELECT 1 \(walk.source) AND NOT \(condition))"
        }
    }

    /// An operand that is one value, as something to compare.
    mutating func expression(
        _ operand: BoundOperand, _ type: ValueType, of root: String
    ) -> SQLExpression {
        switch operand {
        case .path(let path):
            if path.isOwn {
                return SQLExpression(
                    columns(of: path, from: root), path.leafType, path.leafTarget)
            }
            let walk = walk(path, from: root)
            let columns = walk.columns.joined(separator: ", ")
            return SQLExpression(
                text: "(SELECT \(columns) \(walk.source))", type: path.leafType,
                target: path.leafTarget)
        case .count(let path):
            let text = "(SELECT count(*) \(walk(path, from: root).source))"
            return SQLExpression(text: text, type: .int, target: nil)
        case .constant(let value):
            return constant(value, type)
        }
    }

    mutating func constant(_ value: Value, _ type: ValueType) -> SQLExpression {
        // What it is compared with makes no difference, so no parameter stands for it.
        if value.isNaN { return SQLExpression(text: "NULL", type: type, target: nil, isNaN: true) }
        let columns: [SQLiteValue] =
            switch value {
            case .null, .link: type == .date ? [.null, .null] : [.null]
            case .bool(let value): [.flag(value)]
            case .int(let value): [.int(value)]
            case .string(let text): [.text(text.string)]
            case .uuid(let value): [.blob(value.bytes)]
            case .double(let value): [.number(value)]
            case .data(let bytes): [.blob(bytes)]
            case .date(let time): [.int(time.seconds), .int(Int64(time.nanoseconds))]
            }
        return SQLExpression(columns.map { bind($0) }, type, nil, isNaN: false)
    }
}

/// Something that SQL can compare: a column, a parameter or a subquery; for a date, a row of two.
struct SQLExpression {
    let text: String
    let type: ValueType
    /// For a link: the class that it leads to, if there is one.
    let target: Int?
    /// Whether it is a NaN, which stands as a blob; nil where that depends on the object.
    let isNaN: Bool?

    init(text: String, type: ValueType, target: Int?, isNaN: Bool?) {
        self.text = text
        self.type = type
        self.target = target
        self.isNaN = isNaN
    }

    /// Of an object's property.
    init(text: String, type: ValueType, target: Int?) {
        self.init(text: text, type: type, target: target, isNaN: type == .double ? nil : false)
    }

    init(_ columns: [String], _ type: ValueType, _ target: Int?) {
        self.init(text: Self.row(columns), type: type, target: target)
    }

    init(_ columns: [String], _ type: ValueType, _ target: Int?, isNaN: Bool?) {
        self.init(text: Self.row(columns), type: type, target: target, isNaN: isNaN)
    }

    private static func row(_ columns: [String]) -> String {
        let text = columns.joined(separator: ", ")
        return columns.count == 1 ? text : "(\(text))"
    }

    var isNull: String { "\(text) IS \(type == .date ? "(NULL, NULL)" : "NULL")" }
}

extension Value {
    var isNaN: Bool { if case .double(let number) = self { number.value.isNaN } else { false } }
}

extension BoundOperand {
    /// A constant is never what a test looks at.
    fileprivate var type: ValueType {
        if case .path(let path) = self { path.leafType } else { .int }
    }
}
