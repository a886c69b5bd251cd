package import TarnModel
package import TarnQuery
import TarnStorage

/// Where a link leads, as the user sees it.
package enum LinkTarget: Hashable, Sendable {
    case null
    case present(ObjectID)
    /// An object that exists on the server and is not here: its key is all that is known of it.
    /// Such a link can be kept and taken away, but neither followed nor written.
    case unresolved(PrimaryKey)

    package var state: LinkState {
        switch self {
        case .null: .null
        case .present: .present
        case .unresolved: .unresolved
        }
    }
}

extension ReplicaReader {
    /// The state of a link that is no element of a collection. A link to an object that unsent work
    /// deletes is null.
    package func linkState(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) -> LinkState {
        let schema = try linkSchema(property, of: object)
        return try linkTarget(of: try value(property, of: object), in: schema).state
    }

    /// The states of a collection's links, in the order of its elements.
    package func linkStates(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) -> [LinkState] {
        let schema = try linkSchema(property, of: object)
        var states: [LinkState] = []
        for element in try elements(property, of: object) {
            states.append(try linkTarget(of: element, in: schema).state)
        }
        return states
    }

    /// Where a value of that property leads; null for all that is no link.
    package func linkTarget(
        of value: Value, in property: PropertySchema
    ) throws(ReplicaError) -> LinkTarget {
        guard case .link(let link) = value, let className = property.type.linkedClass else {
            return .null
        }
        let target = try schema.number(of: className).flatMap { classNumber throws(ReplicaError) in
            try stored { () throws(StorageError) in
                try store.row(of: link.key, in: classNumber)
            }
        }
        guard let target, target.isVisible else { return .unresolved(link.key) }
        return .present(target.object)
    }

    private func linkSchema(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) -> PropertySchema {
        let number = try self.property(property, of: object, .value, .list, .set, .map)
        let schema = try classSchema(of: object)
        guard schema.properties[number].type.isLink else {
            throw ReplicaError(.wrongType, "\(schema.name).\(property) is no link")
        }
        return schema.properties[number]
    }
}
