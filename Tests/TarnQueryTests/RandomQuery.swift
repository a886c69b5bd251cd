import TarnModel
import TarnQuery
import TarnTesting

/// Queries that mostly fit a random world: texts with their arguments.
struct RandomQuery {
    private(set) var arguments: [Value] = []
    private(set) var text = ""
    private var world: RandomWorld

    /// Continues with the world's random numbers.
    init(in world: inout RandomWorld) {
        self.world = world
        let classes = world.store.schema.classes
        let root = classes[Int.random(in: 0..<classes.count, using: &self.world.random)]
        text = root.name
        if chance(95) { text += " WHERE " + predicate(root, depth: 3) }
        if chance(40) {
            let terms = (0...Int.random(in: 0...1, using: &self.world.random)).map { _ in
                path(root, listsMay: false).text + (chance(50) ? " DESC" : "")
            }
            text += " SORT(\(terms.joined(separator: ", ")))"
        }
        if chance(30) { text += " LIMIT(\(Int.random(in: 0...6, using: &self.world.random)))" }
        world.random = self.world.random
    }

    private mutating func predicate(_ root: ClassSchema, depth: Int) -> String {
        switch Int.random(in: 0..<10, using: &world.random) {
        case 0..<2 where depth > 0:
            return "(\(predicate(root, depth: depth - 1)) AND \(predicate(root, depth: depth - 1)))"
        case 2..<4 where depth > 0:
            return "(\(predicate(root, depth: depth - 1)) OR \(predicate(root, depth: depth - 1)))"
        case 4..<6 where depth > 0: return "NOT \(predicate(root, depth: depth - 1))"
        case 6 where chance(10): return chance(50) ? "TRUEPREDICATE" : "FALSEPREDICATE"
        default: return comparison(root)
        }
    }

    private struct Path {
        var text: String
        var property: PropertySchema
        var isMany: Bool
    }

    private mutating func path(_ root: ClassSchema, listsMay: Bool) -> Path {
        var (schema, names, isMany) = (root, [String](), false)
        for _ in 0..<3 where chance(40) {
            let links = schema.properties.filter { $0.type.isLink && (listsMay || $0.isCell) }
            guard let link = links.randomElement(using: &world.random),
                let next = link.type.linkedClass.flatMap({ world.store.schema[$0] })
            else { break }
            names.append(link.name)
            isMany = isMany || !link.isCell
            schema = next
        }
        let all = schema.properties + [schema.primaryKey, schema.primaryKey]
        let leaves = all.filter {
            listsMay || ($0.isCell && !$0.type.isLink && $0.type != .data)
        }
        let leaf = leaves.randomElement(using: &world.random) ?? schema.primaryKey
        names.append(leaf.name)
        return Path(
            text: names.joined(separator: "."), property: leaf, isMany: isMany || !leaf.isCell)
    }

    private mutating func comparison(_ root: ClassSchema) -> String {
        var path = path(root, listsMay: true)
        if !path.property.isCell, chance(35) {
            path.property = PropertySchema("count", .int)
            path.text += ".@count"
            path.isMany = false
        }
        let quantifiers = ["", "ANY ", "SOME ", "ALL ", "NONE "]
        let quantifier = path.isMany ? quantifiers.randomElement(using: &world.random) ?? "" : ""
        let subject = quantifier + path.text
        let type = path.property.type
        if type.isLink, chance(40) { return "\(subject).@state \(state())" }
        if type.isLink {
            return "\(subject) \(chance(50) ? "==" : "!=") \(other(root, type))"
        }
        let fold = type == .string && chance(40) ? "[c]" : ""
        switch Int.random(in: 0..<10, using: &world.random) {
        case 0:
            let values = (0...Int.random(in: 0...3, using: &world.random)).map { _ in
                literal(type, mayBeNull: true)
            }
            return "\(subject) IN\(fold) {\(values.joined(separator: ", "))}"
        case 1 where type != .bool && type != .data:
            let bounds = [literal(type, mayBeNull: false), literal(type, mayBeNull: false)]
            return "\(subject) BETWEEN {\(bounds.joined(separator: ", "))}"
        case 2..<6 where type == .string:
            let operators = ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"]
            let textOperator = operators.randomElement(using: &world.random) ?? ""
            if textOperator == "LIKE" { return "\(subject) LIKE\(fold) \(pattern())" }
            let (left, right) =
                chance(70) ? (subject, other(root, type)) : (other(root, type), subject)
            return "\(left) \(textOperator)\(fold) \(right)"
        case 6..<8 where type != .bool && type != .data:
            let comparators = ["<", "<=", ">", ">="]
            return side(subject, comparators.randomElement(using: &world.random) ?? "", root, type)
        default:
            return side(subject, (chance(50) ? "==" : "!=") + fold, root, type)
        }
    }

    private mutating func side(
        _ subject: String, _ comparator: String, _ root: ClassSchema, _ type: ValueType
    ) -> String {
        let other = other(root, type)
        return chance(70)
            ? "\(subject) \(comparator) \(other)" : "\(other) \(comparator) \(subject)"
    }

    private mutating func other(_ root: ClassSchema, _ type: ValueType) -> String {
        if chance(35) {
            for _ in 0..<12 {
                let candidate = path(root, listsMay: type.isLink)
                let isComparable =
                    candidate.property.type == type
                    || Self.isNumber(candidate.property.type) && Self.isNumber(type)
                if isComparable, !candidate.isMany { return candidate.text }
            }
        }
        return literal(type, mayBeNull: true)
    }

    private mutating func literal(_ type: ValueType, mayBeNull: Bool) -> String {
        if mayBeNull, chance(12) { return "null" }
        if type == .string, chance(8) { return "$user" }
        let isDouble = Self.isNumber(type) && chance(30)
        let value = world.value(isDouble ? .double : type)
        if type.isLink || (chance(25) && arguments.count < QueryLimits.argumentsMax) {
            guard arguments.count < QueryLimits.argumentsMax else { return "null" }
            arguments.append(value)
            return "$\(arguments.count - 1)"
        }
        return Literal.text(of: value)
    }

    private static func isNumber(_ type: ValueType) -> Bool { type == .int || type == .double }

    private mutating func state() -> String {
        let words = LinkState.allCases.filter { _ in chance(50) }.map { "'\($0.rawValue)'" }
        return words.count == 1
            ? "\(chance(50) ? "==" : "!=") \(words[0])"
            : "IN {\((words + ["'null'"]).joined(separator: ", "))}"
    }

    private mutating func pattern() -> String {
        let parts = (0...Int.random(in: 0...3, using: &world.random)).map { _ in
            chance(60) ? ["*", "?"].randomElement(using: &world.random) ?? "" : world.string()
        }
        return Literal.quoted(parts.joined())
    }

    private mutating func chance(_ percent: Int) -> Bool { world.chance(percent) }
}
