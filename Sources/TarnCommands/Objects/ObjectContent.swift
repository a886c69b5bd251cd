package import TarnClient
package import TarnModel
import TarnQuery

/// What a person is shown of an object: one line, and below it one for each object in its lists
/// and sets.
package struct ObjectContent: Equatable, Sendable {
    package struct Part: Equatable, Sendable {
        package let object: ObjectID
        /// `escaped`.
        package let text: String
        package let isFinished: Bool
    }

    /// `escaped`.
    package let head: String
    package let parts: [Part]
    package let isFinished: Bool

    package init(_ object: ObjectID, in reader: ReplicaReader) throws(ReplicaError) {
        (head, isFinished) = try Self.head(of: object, in: reader)
        var parts: [Part] = []
        let schema = try reader.classSchema(of: object)
        for property in schema.properties where property.isList || property.kind == .set {
            guard let linked = property.type.linkedClass else { continue }
            for element in try reader.elements(property.name, of: object) {
                guard case .link(let link) = element,
                    let target = try reader.find(linked, link.key)
                else { continue }
                let (text, isFinished) = try Self.head(of: target, in: reader)
                parts.append(Part(object: target, text: text, isFinished: isFinished))
            }
        }
        self.parts = parts
    }

    private static func head(
        of object: ObjectID, in reader: ReplicaReader
    ) throws(ReplicaError) -> (String, isFinished: Bool) {
        let schema = try reader.classSchema(of: object)
        if schema.name == TodoSchema.project.name, schema.hasAll(of: TodoSchema.project),
            let project = try reader.todoProject(object)
        {
            let count = TodoCount(project.tasks.count)
            return ("\(project.shownName.escaped)  \(count)", false)
        }
        if schema.name == TodoSchema.item.name, schema.hasAll(of: TodoSchema.item),
            let task = try reader.todoTask(object)
        {
            return (task.shownTitle.escaped + (task.isDone ? "  (done)" : ""), task.isDone)
        }
        var fields = ["\(schema.name.escaped) \("\(try reader.key(of: object))".escaped)"]
        for (name, value) in try reader.values(of: object) {
            fields.append("\(name.escaped): \(value.shown)")
        }
        for property in schema.properties where !property.isCell {
            let count = try reader.elements(property.name, of: object).count
            let noun = property.kind == .map ? "entries" : "elements"
            fields.append("\(property.name.escaped): \(count) \(noun)")
        }
        return (fields.joined(separator: "  "), false)
    }
}

extension ClassSchema {
    /// Whether it is that class, and perhaps more: others may have made one of the same name.
    fileprivate func hasAll(of other: ClassSchema) -> Bool {
        primaryKey.type == other.primaryKey.type
            && other.properties.allSatisfy { wanted in
                guard let found = property(wanted.name) else { return false }
                return found.type == wanted.type && found.kind == wanted.kind
            }
    }
}

extension Value {
    /// As text for people, `escaped`.
    package var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .string(let text): "\"\(text.string.escaped)\""
        case .uuid(let value): "\(value)"
        case .date(let value): "\(value)"
        case .double(let value): "\(value)"
        case .data(let bytes): "\(bytes.count) bytes"
        case .link(let link): "→ \("\(link.key)".escaped)"
        }
    }

    /// As JSON; a link is its key, data is base64, and a double that JSON has no number for a word.
    package var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .string(let text): .string(text.string)
        case .uuid(let value): .string("\(value)")
        case .date(let value): .string("\(value)")
        case .double(let value):
            value.value.isFinite ? .number("\(value)") : .string("\(value)")
        case .data(let bytes): .string(Base64.text(of: bytes))
        case .link(let link): Value(link.key).json
        }
    }
}
