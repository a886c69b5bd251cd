package import TarnCBOR

extension CBORWriter {
    /// `[name, key, [property, ...]]`, with a fourth field, true, for a class of parts.
    package mutating func write(_ schema: ClassSchema) {
        writeArrayHeader(schema.isEmbedded ? 4 : 3)
        write(schema.name)
        write(schema.primaryKey)
        writeArrayHeader(schema.properties.count)
        for property in schema.properties { write(property) }
        if schema.isEmbedded { write(true) }
    }

    /// `[name, type, flags, default, linked class]`: flags are 1 for optional, 2 for a list, 4 for
    /// a set, 8 for a map, 16 for unique and 32 for owning.
    package mutating func write(_ property: PropertySchema) {
        writeArrayHeader(5)
        write(property.name)
        write(property.type.number)
        write(property.flags)
        write(property.defaultValue ?? .null)
        if let linked = property.type.linkedClass { write(linked) } else { writeNull() }
    }
}

extension CBORReader {
    package mutating func readClassSchema() throws(CBORError) -> ClassSchema {
        let beginning = offset
        let fields = try readArrayHeader()
        guard fields == 3 || fields == 4 else { throw CBORError(.malformed, at: beginning) }
        let name = try readText()
        let primaryKey = try readPropertySchema()
        let start = offset
        let count = try readArrayHeader()
        guard count <= Schema.propertiesMax else { throw CBORError(.tooLarge, at: start) }
        var properties: [PropertySchema] = []
        for _ in 0..<count { properties.append(try readPropertySchema()) }
        let isEmbedded = fields == 4 ? try readBool() : false
        return ClassSchema(
            name, primaryKey: primaryKey, properties: properties, isEmbedded: isEmbedded)
    }

    package mutating func readPropertySchema() throws(CBORError) -> PropertySchema {
        let start = offset
        try expectArray(5)
        let name = try readText()
        let typeNumber = try readUInt64()
        let flags = try readUInt64()
        let defaultValue = try readValue()
        let linked: String? = try skipNull() ? nil : try readText()
        guard flags < 64, let kind = PropertyKind(flags: flags),
            let type = ValueType(number: typeNumber, linkedClass: linked)
        else { throw CBORError(.malformed, at: start) }
        return PropertySchema(
            name, type, kind, isOptional: flags & 1 != 0, isUnique: flags & 16 != 0,
            isOwning: flags & 32 != 0, default: defaultValue == .null ? nil : defaultValue)
    }
}

extension PropertySchema {
    fileprivate var flags: UInt64 {
        let kindFlag: UInt64 =
            switch kind {
            case .value: 0
            case .list: 2
            case .set: 4
            case .map: 8
            }
        return (isOptional ? 1 : 0) | kindFlag | (isUnique ? 16 : 0) | (isOwning ? 32 : 0)
    }
}

extension PropertyKind {
    /// Nil where the flags say two kinds at once.
    fileprivate init?(flags: UInt64) {
        switch flags & 14 {
        case 0: self = .value
        case 2: self = .list
        case 4: self = .set
        case 8: self = .map
        default: return nil
        }
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
        case .double: 7
        case .data: 8
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
        case (7, nil): self = .double
        case (8, nil): self = .data
        default: return nil
        }
    }
}
