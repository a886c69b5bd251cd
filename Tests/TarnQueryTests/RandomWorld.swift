import TarnModel
import TarnQuery
import TarnTesting

/// A schema and objects from a seed: every type, optional and not, links and collections in
/// circles, null values, links to what is dead or was never there, and few different values, so
/// that they meet.
struct RandomWorld {
    var store: MemoryStore
    var random: SeededGenerator

    static let strings = [
        "", "a", "A", "ab", "aB", "ABC", "é", "e\u{301}", "É", "a\0b", "a\0c", "A\0B", "😀", "a😀b",
        "straße", "STRASSE", "İ", "i\u{307}", "Σ", "σ", "ς", "a*b", "a?b", "%", "_", "aaab", "Ǆ",
        "\u{FFFF}", "\u{10000}",
    ]
    static let ints: [Int64] = [.min, -2, -1, 0, 1, 2, 3, 10, 9_007_199_254_740_993, .max]
    static let doubles: [Double] = [
        -.infinity, -1.5, -1, -0.0, 0, .leastNonzeroMagnitude, 1, 2, 2.5, 10, 9_007_199_254_740_992,
        0x1p63,
        -0x1p63, 1e300, .infinity, .nan, Double(bitPattern: 0xFFF8_0000_0000_0001),
    ]
    static let bytes: [[UInt8]] = [[], [0], [0, 0], [97], [255], Array(0...30)]
    static let keyTypes: [ValueType] = [.int, .string, .uuid]
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
                properties += Self.collections("\(stem)s", of: type).filter { _ in
                    Bool.random(using: &random)
                }
            }
            for target in names where Int.random(in: 0..<3, using: &random) > 0 {
                properties.append(PropertySchema("to\(target)", .link(target)))
                properties += Self.collections("all\(target)", of: .link(target))
            }
            return ClassSchema(
                name, primaryKey: PropertySchema("key", Self.keyTypes[index]),
                properties: properties.shuffled(using: &random))
        }
        store = MemoryStore(schema: Schema(classes))
        for (number, schema) in classes.enumerated() { addObjects(number, schema) }
    }

    private static func collections(_ name: String, of type: ValueType) -> [PropertySchema] {
        [
            .list(name, of: type), .set("\(name)Set", of: type), .map("\(name)Map", of: type),
            .map("\(name)OrNull", of: type, isOptional: true),
        ]
    }

    private mutating func addObjects(_ classNumber: Int, _ schema: ClassSchema) {
        var keys: Set<PrimaryKey> = []
        for number in (1...12).shuffled(using: &random) where chance(80) {
            guard let key = value(schema.primaryKey).primaryKey, keys.insert(key).inserted else {
                continue
            }
            var row = MemoryStore.Row(
                key: key, isAlive: chance(85),
                cells: schema.properties.map { $0.isCell ? cell($0) : MemoryStore.Cell() })
            for (property, schema) in schema.properties.enumerated() where !schema.isCell {
                row.lists[property] = elements(schema)
            }
            store.rows[ObjectID(classNumber: classNumber, number: Int64(number))] = row
        }
    }

    /// Some elements for a collection, of a set each once.
    mutating func elements(_ property: PropertySchema) -> [MemoryStore.Cell] {
        var elements: [MemoryStore.Cell] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let element = cell(property)
            if property.kind != .set || !elements.contains(element) { elements.append(element) }
        }
        return elements
    }

    /// Something for a property, or for an element of its collection.
    mutating func cell(_ property: PropertySchema) -> MemoryStore.Cell {
        guard let linked = property.type.linkedClass, let number = store.schema.number(of: linked)
        else { return MemoryStore.Cell(value: value(property)) }
        if property.isOptional, chance(25) { return MemoryStore.Cell() }
        let target = Int64.random(in: 1...14, using: &random)
        return MemoryStore.Cell(target: ObjectID(classNumber: number, number: target))
    }

    mutating func value(_ property: PropertySchema) -> Value {
        if property.isOptional, chance(30) { return .null }
        return value(property.type)
    }

    /// A value that is not null; links are to random keys.
    mutating func value(_ type: ValueType) -> Value {
        switch type {
        case .bool: return .bool(chance(50))
        case .int: return .int(Self.ints.randomElement(using: &random) ?? 0)
        case .string: return .string(Text(string()))
        case .double: return .double(Self.doubles.randomElement(using: &random) ?? 0)
        case .data: return .data(Self.bytes.randomElement(using: &random) ?? [])
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
