package import TarnClient
package import TarnModel

extension ReplicaReader {
    /// An object with its values; those that it leads to stand within it, with their own links as
    /// keys.
    package func json(of object: ObjectID) throws(ReplicaError) -> JSONValue {
        try json(of: object, depth: 1)
    }

    /// An object with its values and its parts; the others that it leads to as their keys.
    package func flatJSON(of object: ObjectID) throws(ReplicaError) -> JSONValue {
        try json(of: object, depth: 0)
    }

    private func json(of object: ObjectID, depth: Int) throws(ReplicaError) -> JSONValue {
        let schema = try classSchema(of: object)
        var values: [JSONValue.Member] = []
        for property in schema.properties {
            let json: JSONValue
            switch property.kind {
            case .value:
                json = try self.json(
                    of: try value(property.name, of: object), property, depth: depth)
            case .list, .set:
                var elements: [JSONValue] = []
                for element in try self.elements(property.name, of: object) {
                    elements.append(try self.json(of: element, property, depth: depth))
                }
                json = .array(elements)
            case .map:
                var members: [JSONValue.Member] = []
                for entry in try entries(property.name, of: object) {
                    guard case .string(let key) = entry.entry else { continue }
                    members.append(
                        .init(
                            name: key.string,
                            value: try self.json(of: entry.value, property, depth: depth)))
                }
                json = .object(members)
            }
            values.append(.init(name: property.name, value: json))
        }
        return [
            "class": .string(schema.name), "key": Value(try key(of: object)).json,
            "values": .object(values),
        ]
    }

    private func json(
        of value: Value, _ property: PropertySchema, depth: Int
    ) throws(ReplicaError) -> JSONValue {
        guard case .link(let link) = value, let linked = property.type.linkedClass else {
            return value.json
        }
        if depth > 0 || schema[linked]?.isEmbedded == true,
            let target = try find(linked, link.key)
        {
            return try json(of: target, depth: max(depth - 1, 0))
        }
        return ["class": .string(linked), "key": Value(link.key).json]
    }
}
