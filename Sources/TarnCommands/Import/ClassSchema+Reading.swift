import TarnModel

/// A class as `schema --json` and `export` tell it. What is left out is false, or the plain kind.
extension ClassSchema {
    init(json: JSONValue) throws(CommandError) {
        guard case .string(let name)? = json.member("name"), let key = json.member("key"),
            case .array(let described)? = json.member("properties")
        else {
            throw CommandError(
                .badData, "a class has a \"name\", a \"key\" and \"properties\"")
        }
        var properties: [PropertySchema] = []
        for property in described {
            properties.append(try PropertySchema(json: property, of: name))
        }
        self.init(
            name, primaryKey: try PropertySchema(json: key, of: name), properties: properties,
            isEmbedded: json.member("embedded") == true)
    }
}

extension PropertySchema {
    private static let plainTypes: [String: ValueType] = [
        "bool": .bool, "int": .int, "string": .string, "uuid": .uuid, "date": .date,
        "double": .double, "data": .data,
    ]

    private static let kinds: [String: PropertyKind] = [
        "value": .value, "list": .list, "set": .set, "map": .map,
    ]

    fileprivate init(json: JSONValue, of className: String) throws(CommandError) {
        guard case .string(let name)? = json.member("name"),
            case .string(let word)? = json.member("type")
        else {
            throw CommandError(.badData, "a property has a \"name\" and a \"type\"")
        }
        let type: ValueType
        if word == "link", case .string(let linked)? = json.member("class") {
            type = .link(linked)
        } else if let plain = Self.plainTypes[word] {
            type = plain
        } else {
            throw CommandError(.badData, "\(className).\(name) is of no type that is known here")
        }
        guard case .string(let word) = json.member("kind") ?? "value",
            let kind = Self.kinds[word]
        else {
            throw CommandError(.badData, "\(className).\(name) is of no kind that is known here")
        }
        let plain = PropertySchema(
            name, type, kind, isOptional: json.member("optional") == true,
            isUnique: json.member("unique") == true, isOwning: json.member("owning") == true)
        guard let described = json.member("default"), described != .null else {
            self = plain
            return
        }
        self.init(
            name, type, kind, isOptional: plain.isOptional, isUnique: plain.isUnique,
            isOwning: plain.isOwning,
            default: try described.value(for: plain, of: className, in: Schema()))
    }
}
