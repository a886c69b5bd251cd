package import TarnClient
package import TarnModel

extension ReplicaReader {
    /// An object with its values; those that it leads to stand within it, with their own links as
    /// keys.
    package func json(of object: ObjectID) throws(ReplicaError) -> JSONValue {
        try json(of: object, depth: 1)
    }

    private func json(of object: ObjectID, depth: Int) throws(ReplicaError) -> JSONValue {
        let schema = try classSchema(of: object)
        var values: [JSONValue.Member] = []
        for property in schema.properties {
            let json: JSONValue
            if property.isList {
                var elements: [JSONValue] = []
                for element in try self.elements(property.name, of: object) {
                    elements.append(try self.json(of: element, property, depth: depth))
                }
                json = .array(elements)
            } else {
                json = try self.json(
                    of: try value(property.name, of: object), property, depth: depth)
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
        if depth > 0, let target = try find(linked, link.key) {
            return try json(of: target, depth: depth - 1)
        }
        return ["class": .string(linked), "key": Value(link.key).json]
    }
}
