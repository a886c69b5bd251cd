package import TarnCBOR

extension CBORWriter {
    /// `[name, key, [property, ...]]`.
    package mutating func write(_ schema: ClassSchema) {
        writeArrayHeader(3)
        write(schema.name)
        write(schema.primaryKey)
        writeArrayHeader(schema.properties.count)
        for property in schema.properties { write(property) }
    }

    /// `[name, type, flags, default, linked class]`: flags are 1 for optional and 2 for a list.
    package mutating func write(_ property: PropertySchema) {
        writeArrayHeader(5)
        write(property.name)
        write(property.type.number)
        write((property.isOptional ? 1 : 0) | (property.isList ? 2 : 0))
        write(property.defaultValue ?? .null)
        if let linked = property.type.linkedClass { write(linked) } else { writeNull() }
    }
}

extension CBORReader {
    package mutating func readClassSchema() throws(CBORError) -> ClassSchema {
        try expectArray(3)
        let name = try readText()
        let primaryKey = try readPropertySchema()
        let start = offset
        let count = try readArrayHeader()
        guard count <= Schema.propertiesMax else { throw CBORError(.tooLarge, at: start) }
        var properties: [PropertySchema] = []
        for _ in 0..<count { properties.append(try readPropertySchema()) }
        return ClassSchema(name, primaryKey: primaryKey, properties: properties)
    }

    package mutating func readPropertySchema() throws(CBORError) -> PropertySchema {
        let start = offset
        try expectArray(5)
        let name = try readText()
        let typeNumber = try readUInt64()
        let flags = try readUInt64()
        let defaultValue = try readValue()
        let linked: String? = try skipNull() ? nil : try readText()
        guard flags <= 3, let type = ValueType(number: typeNumber, linkedClass: linked) else {
            throw CBORError(.malformed, at: start)
        }
        return PropertySchema(
            name, type, isOptional: flags & 1 != 0, isList: flags & 2 != 0,
            default: defaultValue == .null ? nil : defaultValue)
    }
}

extension ValueType {
    /// The type's number in every format.
    package var number: UInt64 {
        switch self {
        case .bool: 1
        case .int: 2
        case .string: 3
        case .uuid: 4
        case .date: 5
        case .link: 6
        }
    }

    /// Nil for an unknown number, and where a class is named that should not be, or not named that
    /// should.
    package init?(number: UInt64, linkedClass: String?) {
        switch (number, linkedClass) {
        case (1, nil): self = .bool
        case (2, nil): self = .int
        case (3, nil): self = .string
        case (4, nil): self = .uuid
        case (5, nil): self = .date
        case (6, let name?): self = .link(name)
        default: return nil
        }
    }
}
