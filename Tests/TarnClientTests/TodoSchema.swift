import TarnModel

/// Two classes with every kind of property that folding treats differently.
enum TodoSchema {
    static let task = ClassSchema(
        "Task", primaryKey: PropertySchema("id", .int),
        properties: [
            PropertySchema("title", .string, default: .string("untitled")),
            PropertySchema("done", .bool),
            PropertySchema("due", .date, isOptional: true),
            PropertySchema("project", .link("Project")),
            PropertySchema.list("labels", of: .string),
            PropertySchema("count", .int),
            PropertySchema.set("tags", of: .string),
            PropertySchema.set("near", of: .link("Task")),
            PropertySchema.map("roles", of: .link("Task")),
        ])
    static let project = ClassSchema(
        "Project", primaryKey: PropertySchema("name", .string),
        properties: [
            PropertySchema("colour", .int),
            PropertySchema("lead", .link("Task")),
            PropertySchema.list("tasks", of: .link("Task")),
        ])
    static let all = [task, project]
    /// As the model server numbers them: not as the replica does.
    static let numbered = [7: task, 3: project]

    static func schema(_ name: String) -> ClassSchema { name == "Task" ? task : project }
}

struct Ref: Hashable, Comparable, CustomStringConvertible {
    let className: String
    let key: PrimaryKey

    static func task(_ number: Int64) -> Ref { Ref(className: "Task", key: .int(number)) }
    static func project(_ name: String) -> Ref {
        Ref(className: "Project", key: .string(Text(name)))
    }

    static func < (left: Ref, right: Ref) -> Bool {
        (left.className, left.key) < (right.className, right.key)
    }

    var description: String { "\(className) \(key)" }
}

/// What a test compares: an object's values by name, its lists' elements, and the entries of its
/// sets and maps.
struct Picture: Equatable, CustomStringConvertible {
    var values: [String: Value]
    var lists: [String: [Value]]
    var entries: [String: [Value: Value]] = [:]

    var description: String {
        let parts =
            values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            + lists.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            + entries.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return parts.joined(separator: " ")
    }
}
