package import TarnClient
package import TarnModel

extension ReplicaReader {
    /// An object with its values. Those that it leads to stand within it, with their own links as
    /// keys; its parts do so however deep they are. A link to what is not here says so.
    package func json(of object: ObjectID) throws(ReplicaError) -> JSONValue {
        try json(of: object, depth: 1)
    }

    /// An object with its values and its parts; the others that it leads to as their keys.
    package func flatJSON(of object: ObjectID) throws(ReplicaError) -> JSONValue {
        try json(of: object, depth: 0)
    }

    /// How deep parts of parts are shown.
    private static let partDepthMax = 8

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
        let (className, key) = (JSONValue.string(linked), Value(link.key).json)
        switch try linkTarget(of: value, in: property) {
        case .present(let target) where depth > 0:
            return try json(of: target, depth: depth - 1)
        case .present(let target) where schema.leadsToPart(property) && depth > -Self.partDepthMax:
            return try json(of: target, depth: depth - 1)
        case .unresolved:
            return ["class": className, "key": key, "unresolved": true]
        case .present, .null:
            return ["class": className, "key": key]
        }
    }
}
