import TarnModel

/// Classes with every type of property, and how they grow.
enum RealmSchemas {
    static let project = ClassSchema(
        "Project", primaryKey: PropertySchema("_id", .string),
        properties: [
            PropertySchema("name", .string), .list("tasks", of: .link("Task")),
            PropertySchema("parent", .link("Project")),
        ])
    static let task = ClassSchema(
        "Task", primaryKey: PropertySchema("_id", .uuid),
        properties: [
            PropertySchema("body", .string), PropertySchema("isDone", .bool),
            PropertySchema("due", .date, isOptional: true), .list("tags", of: .string),
            PropertySchema("project", .link("Project")),
            PropertySchema("priority", .int, default: .int(3)),
        ])
    static let grownTask = ClassSchema(
        "Task", primaryKey: task.primaryKey,
        properties: task.properties + [
            PropertySchema("note", .string, default: .string("none yet")),
            PropertySchema("external", .uuid), PropertySchema("created", .date),
            .list("moments", of: .date), .list("blockers", of: .link("Task")),
            PropertySchema("estimate", .int, isOptional: true),
        ])
    static let counter = ClassSchema(
        "counter", primaryKey: PropertySchema("_id", .int),
        properties: [PropertySchema("value", .int), .list("history", of: .int)])
}
