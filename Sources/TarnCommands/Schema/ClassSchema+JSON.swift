package import TarnModel

extension ClassSchema {
    package var json: JSONValue {
        [
            "name": .string(name), "embedded": .bool(isEmbedded), "key": primaryKey.json,
            "properties": .array(properties.map(\.json)),
        ]
    }
}

extension PropertySchema {
    /// A link has its class beside the type.
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "type": .string(type.isLink ? "link" : type.word),
            "class": .optional(type.linkedClass), "kind": .string("\(kind)"),
            "optional": .bool(isOptional), "unique": .bool(isUnique), "owning": .bool(isOwning),
            "default": defaultValue?.json ?? .null,
        ]
    }
}
