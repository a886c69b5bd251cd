import TarnModel

/// A small realm of projects with items, with links that can go round in circles.
enum ToDo {
    static let project = ClassSchema(
        "Project", primaryKey: PropertySchema("projectId", .string),
        properties: [
            PropertySchema("owner", .string),
            PropertySchema("name", .string, isOptional: true),
            PropertySchema.list("items", of: .link("Item")),
            PropertySchema("favourite", .link("Item")),
            PropertySchema("parent", .link("Project")),
            PropertySchema("rank", .int),
        ])
    static let item = ClassSchema(
        "Item", primaryKey: PropertySchema("itemId", .string),
        properties: [
            PropertySchema("body", .string),
            PropertySchema("isDone", .bool),
            PropertySchema("priority", .int, isOptional: true),
            PropertySchema("next", .link("Item")),
            PropertySchema("project", .link("Project")),
            PropertySchema.list("tags", of: .string),
        ])
    static let classes: [Change] = [.addClass(project), .addClass(item)]
}

extension Value {
    static func link(_ key: String, of life: TransactionID) -> Value {
        .link(Link(key: .string(Text(key)), life: life))
    }

    static func link(_ key: String) -> Value {
        .link(Link(key: .string(Text(key)), life: nil))
    }
}

extension ObjectName {
    static func item(_ key: String, _ life: TransactionID) -> ObjectName {
        ObjectName("Item", .string(Text(key)), life: life)
    }

    static func project(_ key: String, _ life: TransactionID) -> ObjectName {
        ObjectName("Project", .string(Text(key)), life: life)
    }
}

extension Change {
    static func createItem(_ key: String, _ values: InitialValue...) -> Change {
        .create(className: "Item", key: .string(Text(key)), values: values)
    }

    static func createProject(_ key: String, _ values: InitialValue...) -> Change {
        .create(className: "Project", key: .string(Text(key)), values: values)
    }

    static func insert(
        _ item: ObjectName, into project: ObjectName, _ slot: SlotID, after: SlotID? = nil,
        before: SlotID? = nil
    ) -> Change {
        .insert(
            project, property: "items", slot: slot, place: ListPlace(after: after, before: before),
            value: .link(Link(key: item.key, life: item.life)))
    }
}

extension TransactionID {
    func slot(_ ordinal: UInt32 = 0) -> SlotID { SlotID(transaction: self, ordinal: ordinal) }
    func element(_ ordinal: UInt32 = 0) -> ElementID {
        ElementID(transaction: self, ordinal: ordinal)
    }
}
