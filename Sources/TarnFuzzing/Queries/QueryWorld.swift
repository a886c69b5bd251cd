import TarnModel
import TarnQuery

/// A few objects for queries to be asked of: with nulls and NaNs, with collections, with links in a
/// circle and to what is not here.
struct QueryWorld: ObjectReader {
    static let schema = Schema([
        ClassSchema(
            "Task", primaryKey: PropertySchema("id", .string),
            properties: [
                PropertySchema("title", .string),
                PropertySchema("done", .bool),
                PropertySchema("rank", .int, isOptional: true),
                PropertySchema("due", .date, isOptional: true),
                PropertySchema("next", .link("Task")),
                .list("tags", of: .string),
                PropertySchema("weight", .double, isOptional: true),
                PropertySchema("seal", .data),
                .set("labels", of: .string),
                .map("marks", of: .double, isOptional: true),
            ]),
        ClassSchema(
            "Project", primaryKey: PropertySchema("number", .int),
            properties: [
                PropertySchema("name", .string, isOptional: true),
                PropertySchema("mark", .uuid),
                PropertySchema("parent", .link("Project")),
                .list("tasks", of: .link("Task")),
            ]),
    ])

    private struct Row {
        let key: PrimaryKey
        /// By property number: one value, or a list's.
        let cells: [[Value]]
    }

    private static let projectTasks = 3

    private static let rows: [ObjectID: Row] = {
        var rows: [ObjectID: Row] = [:]
        for number in Int64(0)..<4 {
            rows[ObjectID(classNumber: 0, number: number)] = Row(
                key: .string(Text("t\(number)")),
                cells: [
                    [.string(["a", "Äpfel und b", "", "a_b%c*\n"][Int(number)])],
                    [.bool(number == 1)],
                    [number == 0 ? .null : .int(number - 2)],
                    [number == 3 ? .null : .date(Timestamp(milliseconds: number * 1000))],
                    [.link(Link(key: .string(Text("t\((number + 1) % 4)")), life: nil))],
                    (0..<number).map { .string("tag\($0)") },
                    [[.null, .double(.nan), .double(-0.0), .double(2.5)][Int(number)]],
                    [.data(Array(0..<UInt8(number)))],
                    (0..<number).map { .string("label\($0)") },
                    number == 2 ? [.double(.nan), .null, .double(2)] : [],
                ])
        }
        for number in Int64(0)..<3 {
            rows[ObjectID(classNumber: 1, number: number)] = Row(
                key: .int(number),
                cells: [
                    [number == 0 ? .null : .string("p\(number)")],
                    [.uuid(UUIDValue(high: 0, low: UInt64(number)))],
                    [[.null, QueryWorld.link(to: 0), QueryWorld.link(to: 7)][Int(number)]],
                    (0..<number).map { .link(Link(key: .string(Text("t\($0)")), life: nil)) },
                ])
        }
        return rows
    }()

    private static func link(to key: Int64) -> Value { .link(Link(key: .int(key), life: nil)) }

    private struct Missing: Error {}

    private func cell(_ property: Int, of object: ObjectID) throws -> [Value] {
        guard let row = Self.rows[object] else { throw Missing() }
        return row.cells[property]
    }

    func key(of object: ObjectID) throws -> PrimaryKey {
        guard let row = Self.rows[object] else { throw Missing() }
        return row.key
    }

    func value(_ property: Int, of object: ObjectID) throws -> Value {
        guard let value = try cell(property, of: object).first else { throw Missing() }
        return value
    }

    func target(_ property: Int, of object: ObjectID) throws -> ObjectID? {
        try targets(property, of: object).first
    }

    func elements(_ property: Int, of object: ObjectID) throws -> [Value] {
        try cell(property, of: object)
    }

    func targets(_ property: Int, of object: ObjectID) throws -> [ObjectID] {
        let isToTasks = object.classNumber == 0 || property == Self.projectTasks
        return try cell(property, of: object).compactMap { value in
            guard case .link(let link) = value else { return nil }
            return Self.rows.first {
                $0.key.classNumber == (isToTasks ? 0 : 1) && $0.value.key == link.key
            }?.key
        }
    }

    func referrers(
        of object: ObjectID, through property: Int, in classNumber: Int
    ) throws -> [ObjectID] {
        try objects(in: classNumber).filter {
            try targets(property, of: $0).contains(object)
        }
    }

    func objects(in classNumber: Int) throws -> [ObjectID] {
        Self.rows.keys.filter { $0.classNumber == classNumber }.sorted()
    }
}
