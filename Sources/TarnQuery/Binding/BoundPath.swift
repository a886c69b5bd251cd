package import TarnModel

/// A property of a class, by numbers.
package struct PropertyStep: Hashable, Sendable {
    /// Stands for the primary key, which has no number of its own.
    package static let primaryKey = -1
    package let classNumber: Int
    /// The property's number in its class, or `primaryKey`.
    package let property: Int

    package init(classNumber: Int, property: Int) {
        self.classNumber = classNumber
        self.property = property
    }

    package var isPrimaryKey: Bool { property == Self.primaryKey }
}

/// A path with its names looked up: links to follow, then a property of what they lead to.
package struct BoundPath: Hashable, Sendable {
    package struct Link: Hashable, Sendable {
        package let step: PropertyStep
        package let isList: Bool
        /// The class that it leads to.
        package let target: Int
    }

    package let links: [Link]
    package let leaf: PropertyStep
    package let leafType: ValueType
    package let leafIsList: Bool
    /// The class that the leaf leads to, if it is a link and the schema has that class.
    package let leafTarget: Int?
    /// Whether it goes through a list, or ends at one: then it may lead to any number of values.
    package let isMany: Bool

    init(
        links: [Link], leaf: PropertyStep, type: ValueType, isList: Bool, target: Int?
    ) {
        self.links = links
        self.leaf = leaf
        leafType = type
        leafIsList = isList
        leafTarget = target
        isMany = isList || links.contains(where: \.isList)
    }

    /// Whether it is just a property of the root object.
    package var isOwn: Bool { links.isEmpty }
}
