import TarnModel

/// A class as a line of an export tells it: `{"name","key":P,"properties":[P]}`, where P is
/// `{"name","type","class","kind","optional","unique","owning","default"}` without what is false or
/// not there; a kind is list, set or map. A class of parts says `"embedded":true`.
extension ClassSchema {
    var json: JSONValue {
        .object(
            [
                .init(name: "name", value: .string(name)),
                .init(name: "key", value: primaryKey.json),
                .init(name: "properties", value: .array(properties.map(\.json))),
            ] + (isEmbedded ? [.init(name: "embedded", value: true)] : []))
    }

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
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [.init(name: "name", value: .string(name))]
        if let linked = type.linkedClass {
            members.append(.init(name: "type", value: "link"))
            members.append(.init(name: "class", value: .string(linked)))
        } else {
            members.append(.init(name: "type", value: .string("\(type)")))
        }
        if isOptional, !type.isLink { members.append(.init(name: "optional", value: true)) }
        if !isCell { members.append(.init(name: "kind", value: .string("\(kind)"))) }
        if isUnique { members.append(.init(name: "unique", value: true)) }
        if isOwning { members.append(.init(name: "owning", value: true)) }
        if let defaultValue { members.append(.init(name: "default", value: defaultValue.json)) }
        return .object(members)
    }

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
        guard let described = json.member("default") else {
            self = plain
            return
        }
        self.init(
            name, type, kind, isOptional: plain.isOptional, isUnique: plain.isUnique,
            isOwning: plain.isOwning,
            default: try described.value(for: plain, of: className, in: Schema()))
    }
}
