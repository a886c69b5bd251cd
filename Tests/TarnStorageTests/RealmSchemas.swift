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

    /// With sets and maps of everything, doubles, data, and values that no two objects may have.
    static let sample = ClassSchema(
        "Sample", primaryKey: PropertySchema("_id", .int),
        properties: [
            PropertySchema("weight", .double, isOptional: true),
            PropertySchema("size", .int, isOptional: true), PropertySchema("seal", .data),
            PropertySchema("code", .double, isOptional: true, isUnique: true),
            PropertySchema("since", .date, isOptional: true, isUnique: true),
            .list("readings", of: .double), .list("blobs", of: .data),
            .set("flags", of: .bool), .set("ints", of: .int), .set("words", of: .string),
            .set("ids", of: .uuid), .set("days", of: .date), .set("numbers", of: .double),
            .set("seals", of: .data), .set("peers", of: .link("Sample")),
            .set("tasks", of: .link("Task")),
            .map("marks", of: .double, isOptional: true), .map("counts", of: .int),
            .map("moments", of: .date, isOptional: true), .map("names", of: .string),
            .map("prints", of: .data), .map("roles", of: .link("Sample"), isOptional: true),
        ])
    static let grownSample = ClassSchema(
        "Sample", primaryKey: sample.primaryKey,
        properties: sample.properties + [
            PropertySchema("ratio", .double, default: .double(-0.0)),
            PropertySchema("token", .data, isUnique: true, default: .data([7])),
            .set("projects", of: .link("Project")), .map("places", of: .uuid),
            PropertySchema("twin", .link("Sample"), isUnique: true),
        ])
}
