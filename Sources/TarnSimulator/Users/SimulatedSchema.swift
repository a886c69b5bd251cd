import TarnModel

/// The to-do model, and a class with every other kind of property.
enum SimulatedSchema {
    static let project = ClassSchema(
        "Project", primaryKey: PropertySchema("id", .string),
        properties: [
            PropertySchema("name", .string, default: .string("untitled")),
            PropertySchema("owner", .string),
            PropertySchema("lead", .link("Item")),
            PropertySchema.list("items", of: .link("Item")),
        ])
    static let item = ClassSchema(
        "Item", primaryKey: PropertySchema("id", .int),
        properties: [
            PropertySchema("body", .string),
            PropertySchema("isDone", .bool),
            PropertySchema("rank", .int),
            PropertySchema("project", .link("Project")),
        ])
    static let sample = ClassSchema(
        "Sample", primaryKey: PropertySchema("id", .uuid),
        properties: [
            PropertySchema("count", .int),
            PropertySchema("note", .string, isOptional: true),
            PropertySchema("at", .date),
            PropertySchema("until", .date, isOptional: true),
            PropertySchema("token", .uuid, isOptional: true),
            PropertySchema("parent", .link("Sample")),
            PropertySchema.list("tags", of: .string),
            PropertySchema.list("items", of: .link("Item")),
        ])
    static let all = [project, item, sample]

    /// As later programs have it.
    static let laterItem = ClassSchema(
        item.name, primaryKey: item.primaryKey,
        properties: item.properties + [
            PropertySchema("isLate", .bool, default: .bool(true)),
            PropertySchema("due", .date, isOptional: true),
        ])
}
