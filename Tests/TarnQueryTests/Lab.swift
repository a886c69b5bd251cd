import TarnModel
import TarnQuery

/// Samples with numbers of both kinds, data, sets, maps, and links of which some lead to what is
/// not here.
enum Lab {
    static let schema = Schema([
        ClassSchema(
            "Sample", primaryKey: PropertySchema("id", .int),
            properties: [
                PropertySchema("weight", .double, isOptional: true),
                PropertySchema("size", .int),
                PropertySchema("seal", .data, isOptional: true),
                .list("readings", of: .double),
                .set("tags", of: .string),
                .map("marks", of: .double, isOptional: true),
                PropertySchema("next", .link("Sample")),
                .list("path", of: .link("Sample")),
                .set("peers", of: .link("Sample")),
                .map("roles", of: .link("Sample"), isOptional: true),
            ])
    ])

    static func sample(_ number: Int64) -> ObjectID { ObjectID(classNumber: 0, number: number) }

    /// - 1: 1.5 and 2, linked with 2
    /// - 2: -0.0 and 2^53 + 1, linked with 9, which is not here
    /// - 3: NaN and 0, with links to nothing
    /// - 4: null and -3, with links of every state
    static var store: MemoryStore {
        var store = MemoryStore(schema: schema)
        func add(
            _ number: Int64, _ weight: Value, _ size: Int64, _ seal: Value, readings: [Double] = [],
            tags: [String] = [], marks: [Value] = [], next: Int64?, path: [Int64] = [],
            roles: [Int64?] = []
        ) {
            func links(_ numbers: [Int64?]) -> [MemoryStore.Cell] {
                numbers.map { MemoryStore.Cell(target: $0.map(sample)) }
            }
            store.rows[sample(number)] = MemoryStore.Row(
                key: .int(number),
                cells: [
                    .init(value: weight), .init(value: .int(size)), .init(value: seal), .init(),
                    .init(), .init(), .init(target: next.map(sample)), .init(), .init(), .init(),
                ],
                lists: [
                    3: readings.map { .init(value: .double($0)) },
                    4: tags.map { .init(value: .string($0)) }, 5: marks.map { .init(value: $0) },
                    7: links(path), 8: links(path), 9: links(roles),
                ])
        }
        add(
            1, .double(1.5), 2, .data([0, 255]), readings: [1, 2.5], tags: ["blue", "red"],
            marks: [.double(2), .null], next: 2, path: [2, 2], roles: [2])
        add(
            2, .double(-0.0), 9_007_199_254_740_993, .data([]), readings: [.nan],
            marks: [.double(.nan)], next: 9, path: [9], roles: [9])
        add(3, .double(.nan), 0, .null, readings: [-0.0], tags: ["red"], next: nil, roles: [nil])
        add(4, .null, -3, .data([7]), next: 4, path: [9, 4], roles: [9, 4, nil])
        return store
    }

    /// The keys that a query finds, in its order.
    static func keys(_ text: String, _ arguments: [Value] = []) throws -> [Int64] {
        let query = try Query.parse(text).bind(to: schema, user: "", arguments: arguments)
        return try query.evaluate(in: store).map(\.number)
    }
}
