import TarnModel

/// The classes that the engines' targets have from the first, small and with everything in them.
enum FuzzSchema {
    static let project = ClassSchema(
        "Project", primaryKey: PropertySchema("id", .string),
        properties: [
            PropertySchema("name", .string, isOptional: true),
            .list("items", of: .link("Item")),
            PropertySchema("parent", .link("Project")),
            PropertySchema("rank", .int, default: .int(3)),
        ])
    static let item = ClassSchema(
        "Item", primaryKey: PropertySchema("id", .int),
        properties: [
            PropertySchema("done", .bool),
            PropertySchema("due", .date, isOptional: true),
            .list("tags", of: .string),
            PropertySchema("next", .link("Item")),
            PropertySchema("mark", .uuid),
            PropertySchema("count", .int, isOptional: true),
            PropertySchema("weight", .double),
            PropertySchema("slug", .data, isOptional: true),
            .set("marks", of: .string),
            .map("parts", of: .link("Item"), isOwning: true),
            PropertySchema("code", .string, isOptional: true, isUnique: true),
        ])
    /// What the second class becomes, where an input says so.
    static let grownItem = ClassSchema(
        "Item", primaryKey: item.primaryKey,
        properties: item.properties + [PropertySchema("note", .string, default: .string("n"))])
    static let classes = [project, item]

    static let queries = [
        "Project", "Item", "Item WHERE done == true SORT(due DESC)",
        "Project WHERE items.@count > 0 LIMIT(2)", "Item WHERE 'a' IN tags OR next.done == false",
        "Project WHERE parent.rank > 2 AND ANY items.done == true", "Item WHERE note == 'n'",
        "Nothing WHERE x ==",
    ]

    /// Not SHA-256, but as long, and another one for other bytes: the chain does not care.
    @Sendable static func digest(_ bytes: [UInt8]) -> [UInt8] {
        let seed = bytes.reduce(14_695_981_039_346_656_037 as UInt64) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
        var generator = FuzzGenerator(seed: seed)
        return (0..<4).flatMap { _ in
            let word = generator.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
    }
}
