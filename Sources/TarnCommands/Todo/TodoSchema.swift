package import TarnModel

/// The classes of the to-do list, and the subscription that brings it here.
package enum TodoSchema {
    package static let item = ClassSchema(
        "Item", primaryKey: PropertySchema("itemId", .uuid),
        properties: [
            PropertySchema("body", .string),
            PropertySchema("isDone", .bool, default: .bool(false)),
            PropertySchema("timestamp", .date),
        ])

    package static let project = ClassSchema(
        "Project", primaryKey: PropertySchema("projectId", .uuid),
        properties: [
            PropertySchema("owner", .string),
            PropertySchema("name", .string),
            PropertySchema("timestamp", .date),
            .list("items", of: .link("Item")),
        ])

    /// A class stands behind those that it links to.
    package static let classes = [item, project]

    package static let realm = "todo"
    package static let subscription = "my-projects"
    /// One's own, newest first; their tasks come along as linked objects.
    package static let query = "Project WHERE owner == $user SORT(timestamp DESC)"
}
