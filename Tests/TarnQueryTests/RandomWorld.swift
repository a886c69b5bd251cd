import TarnModel
import TarnQuery
import TarnTesting

/// A schema and objects from a seed: every type, optional and not, links and lists in circles, null
/// values, links to what is dead or was never there, and few different values, so that they meet.
struct RandomWorld {
    var store: MemoryStore
    var random: SeededGenerator

    static let strings = [
        "", "a", "A", "ab", "aB", "ABC", "é", "e\u{301}", "É", "a\0b", "a\0c", "A\0B", "😀", "a😀b",
        "straße", "STRASSE", "İ", "i\u{307}", "Σ", "σ", "ς", "a*b", "a?b", "%", "_", "aaab", "Ǆ",
        "\u{FFFF}", "\u{10000}",
    ]
    static let ints: [Int64] = [.min, -2, -1, 0, 1, 2, 3, 10, .max]
    static let keyTypes: [ValueType] = [.int, .string, .uuid]
    static let doubles: [Double] = [
        -.infinity, -2, -1.5, -0.0, 0, .leastNonzeroMagnitude, 1, 1.5, 2, 3, 1e300, .infinity, .nan,
    ]
    static let scalarTypes: [ValueType] = [.bool, .int, .string, .uuid, .date, .double, .data]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let names = ["Alpha", "Beta", "Gamma"]
        store = MemoryStore(schema: Schema())
        let classes = names.enumerated().map { index, name in
            var properties: [PropertySchema] = []
            for type in Self.scalarTypes {
                let stem = "\(type)"
                properties.append(PropertySchema("\(stem)0", type))
                properties.append(PropertySchema("\(stem)1", type, isOptional: true))
                if Bool.random(using: &random) {
                    properties.append(.list("\(stem)s", of: type))
                }
            }
            for target in names where Int.random(in: 0..<3, using: &random) > 0 {
                properties.append(PropertySchema("to\(target)", .link(target)))
                properties.append(.list("all\(target)", of: .link(target)))
            }
            return ClassSchema(
                name, primaryKey: PropertySchema("key", Self.keyTypes[index]),
                properties: properties.shuffled(using: &random))
        }
        store = MemoryStore(schema: Schema(classes))
        for (number, schema) in classes.enumerated() { addObjects(number, schema) }
    }

    private mutating func addObjects(_ classNumber: Int, _ schema: ClassSchema) {
        var keys: Set<PrimaryKey> = []
        for number in (1...12).shuffled(using: &random) where chance(80) {
            guard let key = value(schema.primaryKey).primaryKey, keys.insert(key).inserted else {
                continue
            }
            var row = MemoryStore.Row(
                key: key, isAlive: chance(85),
                cells: schema.properties.map { $0.isList ? MemoryStore.Cell() : cell($0) })
            for (property, schema) in schema.properties.enumerated() where schema.isList {
                let count = Int.random(in: 0...3, using: &random)
                row.lists[property] = (0..<count).map { _ in cell(schema) }
            }
            store.rows[ObjectID(classNumber: classNumber, number: Int64(number))] = row
        }
    }

    /// Something for a property, or for an element of its list.
    mutating func cell(_ property: PropertySchema) -> MemoryStore.Cell {
        guard let linked = property.type.linkedClass, let number = store.schema.number(of: linked)
        else { return MemoryStore.Cell(value: value(property)) }
        if !property.isList, chance(25) { return MemoryStore.Cell() }
        let target = Int64.random(in: 1...14, using: &random)
        return MemoryStore.Cell(target: ObjectID(classNumber: number, number: target))
    }

    mutating func value(_ property: PropertySchema) -> Value {
        if property.isOptional, !property.isList, chance(30) { return .null }
        return value(property.type)
    }

    /// A value that is not null; links are to random keys.
    mutating func value(_ type: ValueType) -> Value {
        switch type {
        case .bool: return .bool(chance(50))
        case .int: return .int(Self.ints.randomElement(using: &random) ?? 0)
        case .string: return .string(Text(string()))
        case .uuid:
            let halves: [UInt64] = [0, 1, .max, 1 << 63]
            return .uuid(
                UUIDValue(
                    high: halves.randomElement(using: &random) ?? 0,
                    low: halves.randomElement(using: &random) ?? 0))
        case .date:
            let seconds = Int64.random(in: -2...2, using: &random) * 86_400 * 365
            let nanoseconds: [Int32] = [0, 1, 999_999_999]
            let time = Timestamp(
                seconds: seconds, nanoseconds: nanoseconds.randomElement(using: &random) ?? 0)
            return time.map(Value.date) ?? .null
        case .double: return .double(Self.doubles.randomElement(using: &random) ?? 0)
        case .data:
            let count = Int.random(in: 0...2, using: &random)
            return .data((0..<count).map { _ in chance(50) ? 0 : 255 })
        case .link(let name):
            let key = store.schema[name].map { value($0.primaryKey) }
            return .link(Link(key: key?.primaryKey ?? .int(0), life: nil))
        }
    }

    mutating func string() -> String {
        let first = Self.strings.randomElement(using: &random) ?? ""
        guard chance(20), let second = Self.strings.randomElement(using: &random) else {
            return first
        }
        return first + second
    }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }
}
