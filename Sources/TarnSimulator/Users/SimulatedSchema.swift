import TarnModel

/// The to-do model, a class with other kinds of properties, and what only newer programs know.
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

    static let plan = ClassSchema(
        "Plan", primaryKey: PropertySchema("id", .int),
        properties: [
            PropertySchema("weight", .double),
            PropertySchema("mass", .double, isOptional: true),
            PropertySchema("blob", .data),
            PropertySchema("votes", .int),
            PropertySchema("score", .int, isOptional: true),
            PropertySchema("code", .int, isOptional: true, isUnique: true),
            PropertySchema.set("colours", of: .string),
            PropertySchema.set("readers", of: .link("Item")),
            PropertySchema.map("notes", of: .int, isOptional: true),
            PropertySchema.map("leads", of: .link("Sample")),
            PropertySchema("head", .link("Part")),
            PropertySchema.list("parts", of: .link("Part")),
            PropertySchema.map("box", of: .link("Part")),
            PropertySchema("first", .link("Step"), isOwning: true),
            PropertySchema.list("steps", of: .link("Step"), isOwning: true),
        ])
    static let part = ClassSchema(
        "Part", primaryKey: PropertySchema("id", .uuid),
        properties: [PropertySchema("text", .string), PropertySchema("size", .double)],
        isEmbedded: true)
    static let step = ClassSchema(
        "Step", primaryKey: PropertySchema("id", .int),
        properties: [
            PropertySchema("title", .string),
            PropertySchema("next", .link("Step"), isOwning: true),
        ])
    static let newer = [plan, part, step]

    /// As later programs have it.
    static let laterItem = ClassSchema(
        item.name, primaryKey: item.primaryKey,
        properties: item.properties + [
            PropertySchema("isLate", .bool, default: .bool(true)),
            PropertySchema("due", .date, isOptional: true),
        ])
}
