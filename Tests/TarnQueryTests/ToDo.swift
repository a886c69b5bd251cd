import TarnModel
import TarnQuery

/// A small to-do realm with people, projects and items.
enum ToDo {
    static let schema = Schema([
        ClassSchema(
            "Project", primaryKey: PropertySchema("projectId", .string),
            properties: [
                PropertySchema("owner", .string),
                PropertySchema("name", .string, isOptional: true),
                PropertySchema("timestamp", .date),
                PropertySchema.list("items", of: .link("Item")),
                PropertySchema("favourite", .link("Item")),
                PropertySchema.list("tags", of: .string),
                PropertySchema("target", .int),
            ]),
        ClassSchema(
            "Item", primaryKey: PropertySchema("itemId", .string),
            properties: [
                PropertySchema("body", .string),
                PropertySchema("isDone", .bool),
                PropertySchema("priority", .int, isOptional: true),
                PropertySchema("assignee", .link("Person")),
                PropertySchema("reference", .uuid, isOptional: true),
            ]),
        ClassSchema(
            "Person", primaryKey: PropertySchema("personId", .int),
            properties: [
                PropertySchema("nick", .string), PropertySchema("ghost", .link("Nobody")),
            ]),
    ])

    static func item(_ number: Int64) -> ObjectID { ObjectID(classNumber: 1, number: number) }
    static func project(_ number: Int64) -> ObjectID { ObjectID(classNumber: 0, number: number) }
    static func person(_ number: Int64) -> ObjectID { ObjectID(classNumber: 2, number: number) }

    /// Three projects: p1 of anna (i1, i2 and the dead i9; favourite i1), p2 of bert (i3; favourite
    /// is the dead i9), p3 of anna without items, name or favourite.
    static var store: MemoryStore {
        var store = MemoryStore(schema: schema)
        func link(_ target: ObjectID) -> MemoryStore.Cell { MemoryStore.Cell(target: target) }
        func value(_ value: Value) -> MemoryStore.Cell { MemoryStore.Cell(value: value) }
        store.rows[person(1)] = MemoryStore.Row(
            key: .int(1), cells: [value(.string("Anna")), value(.null)])
        func item(
            _ number: Int64, _ body: String, _ isDone: Bool, _ priority: Int64?,
            _ assignee: ObjectID?
        ) {
            store.rows[Self.item(number)] = MemoryStore.Row(
                key: .string(Text("i\(number)")), isAlive: number != 9,
                cells: [
                    value(.string(body)), value(.bool(isDone)),
                    value(priority.map(Value.int) ?? .null), MemoryStore.Cell(target: assignee),
                    value(.null),
                ])
        }
        item(1, "Milk", false, 2, person(1))
        item(2, "buy milk", true, nil, nil)
        item(3, "Bread", true, 5, person(7))
        item(9, "ghost", false, 1, nil)
        func project(
            _ number: Int64, _ owner: String, _ name: String?, _ seconds: Int64,
            _ items: [Int64], _ favourite: Int64?, _ tags: [String]
        ) {
            store.rows[Self.project(number)] = MemoryStore.Row(
                key: .string(Text("p\(number)")),
                cells: [
                    value(.string(owner)), value(name.map(Value.string) ?? .null),
                    value(.date(Timestamp(milliseconds: seconds * 1000))), MemoryStore.Cell(),
                    MemoryStore.Cell(target: favourite.map(Self.item)), MemoryStore.Cell(),
                    value(.int(Int64(items.count))),
                ],
                lists: [
                    3: items.map { link(Self.item($0)) }, 5: tags.map { value(.string($0)) },
                ])
        }
        project(1, "anna", "Home", 30, [1, 2, 9], 1, ["red", "Blue"])
        project(2, "bert", "Shop", 20, [3], 9, [])
        project(3, "anna", nil, 10, [], nil, ["green"])
        return store
    }

    /// The keys that a query finds, in its order.
    static func keys(
        _ text: String, user: String = "anna", _ arguments: [Value] = []
    ) throws -> [String] {
        let query = try Query.parse(text).bind(to: schema, user: user, arguments: arguments)
        let store = store
        return try query.evaluate(in: store).map { try store.key(of: $0).description }
    }
}
