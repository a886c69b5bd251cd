/// What the addition of a class to a schema comes to.
package enum SchemaAddition: Equatable, Sendable {
    /// The class as it is now: new, or with properties that it did not have.
    case changed(ClassSchema)
    /// All of it was there, just so.
    case nothingNew
    /// The sentence says what is in the way.
    case conflict(String)
}

extension Schema {
    package static let classesMax = 256
    package static let propertiesMax = 256

    /// Adds a class, or what is new of it. Schemas only grow: two programs of two ages use one
    /// realm, so what stands is never retyped or taken away.
    package func adding(_ addition: ClassSchema) -> SchemaAddition {
        if let fault = Self.fault(in: addition) { return .conflict(fault) }
        guard let present = self[addition.name] else {
            guard classes.count < Self.classesMax else {
                return .conflict("a realm has at most \(Self.classesMax) classes")
            }
            return .changed(addition)
        }
        guard present.primaryKey.name == addition.primaryKey.name,
            present.primaryKey.type == addition.primaryKey.type
        else {
            return .conflict(
                "class \(addition.name) has the primary key \(present.primaryKey.name)")
        }
        guard present.isEmbedded == addition.isEmbedded else {
            let are = present.isEmbedded ? "are" : "are no"
            return .conflict("the objects of \(addition.name) \(are) parts of others")
        }
        var properties = present.properties
        for property in addition.properties {
            guard let other = present.property(property.name) else {
                guard property.isOptional || !property.isUnique else {
                    return .conflict(
                        "\(addition.name).\(property.name) can only be unique if it may be null, "
                            + "since there are objects without it")
                }
                properties.append(property)
                continue
            }
            // The first definition's default holds; everything else must be the same.
            guard
                other.type == property.type, other.isOptional == property.isOptional,
                other.kind == property.kind, other.isUnique == property.isUnique,
                other.isOwning == property.isOwning
            else {
                return .conflict("\(addition.name).\(property.name) is defined otherwise already")
            }
        }
        guard properties.count <= Self.propertiesMax else {
            return .conflict("a class has at most \(Self.propertiesMax) properties")
        }
        if properties.count == present.properties.count { return .nothingNew }
        return .changed(
            ClassSchema(
                present.name, primaryKey: present.primaryKey, properties: properties,
                isEmbedded: present.isEmbedded))
    }

    /// What is wrong with a class by itself, as a sentence.
    private static func fault(in schema: ClassSchema) -> String? {
        let names = [schema.primaryKey.name] + schema.properties.map(\.name)
        for name in [schema.name] + names where !SchemaName.isValid(name) {
            return "\"\(name)\" is no name for a class or property"
        }
        if Set(names).count != names.count { return "class \(schema.name) names a property twice" }
        let key = schema.primaryKey
        guard key.isCell, !key.isOptional, !key.isOwning, [.int, .string, .uuid].contains(key.type)
        else {
            return "the primary key \(schema.name).\(key.name) must be an int, a string or a uuid"
        }
        for property in schema.properties {
            if let linked = property.type.linkedClass, !SchemaName.isValid(linked) {
                return "\"\(linked)\" is no name for a class"
            }
            if let fault = fault(in: property, of: schema.name) { return fault }
        }
        if names.count > propertiesMax { return "a class has at most \(propertiesMax) properties" }
        return nil
    }

    private static func fault(in property: PropertySchema, of className: String) -> String? {
        let name = "\(className).\(property.name)"
        if let value = property.defaultValue, !property.isCell || !property.accepts(value) {
            return "the default of \(name) is of another type"
        }
        if case .link = property.defaultValue { return "the default of \(name) cannot be a link" }
        if property.isOwning, !property.type.isLink { return "\(name) owns nothing: it is no link" }
        if property.isUnique {
            guard property.isCell, ![.bool, .double, .data].contains(property.type),
                !property.type.isLink
            else { return "\(name) cannot be unique" }
            guard property.isOptional || property.defaultValue == nil else {
                return "\(name) is unique, so that it can have no default"
            }
        }
        if property.isOptional, property.kind == .list || property.kind == .set {
            return "\(name) cannot hold null"
        }
        return nil
    }
}
