package import TarnClient
package import TarnModel
import TarnQuery

/// What a person is shown of an object: one line, and below it one for each object in its lists
/// and sets.
package struct ObjectContent: Equatable, Sendable {
    package struct Part: Equatable, Sendable {
        package let name: PartName
        /// `escaped`.
        package let text: String
        package let isFinished: Bool
    }

    /// An object that is here, or one of which nothing is here but the key.
    package enum PartName: Hashable, Sendable {
        case present(ObjectID)
        case unresolved(className: String, PrimaryKey)
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
                switch try reader.linkTarget(of: element, in: property) {
                case .null: continue
                case .present(let target):
                    let (text, isFinished) = try Self.head(of: target, in: reader)
                    parts.append(
                        Part(name: .present(target), text: text, isFinished: isFinished))
                case .unresolved(let key):
                    parts.append(
                        Part(
                            name: .unresolved(className: linked, key),
                            text: "\(linked.escaped) \(key.shownUnresolved)", isFinished: false))
                }
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
            guard let property = schema.property(name) else { continue }
            fields.append("\(name.escaped): \(try shown(value, property, in: reader))")
        }
        for property in schema.properties where !property.isCell {
            fields.append(
                "\(property.name.escaped): \(try shown(property, of: object, in: reader))")
        }
        return (fields.joined(separator: "  "), false)
    }

    /// So many elements are shown of a collection.
    private static let shownMax = 8

    /// A collection on one line: `[1, 2]`, `{"a", "b"}` or `{"a": 1}`.
    private static func shown(
        _ property: PropertySchema, of object: ObjectID, in reader: ReplicaReader
    ) throws(ReplicaError) -> String {
        var parts: [String] = []
        let count: Int
        if property.kind == .map {
            let entries = try reader.entries(property.name, of: object)
            count = entries.count
            for entry in entries.prefix(shownMax) {
                parts.append(
                    "\(entry.entry.shown): \(try shown(entry.value, property, in: reader))")
            }
        } else {
            let elements = try reader.elements(property.name, of: object)
            count = elements.count
            for element in elements.prefix(shownMax) {
                parts.append(try shown(element, property, in: reader))
            }
        }
        if count > shownMax { parts.append("… \(count - shownMax) more") }
        let text = parts.joined(separator: ", ")
        return property.kind == .list ? "[\(text)]" : "{\(text)}"
    }

    private static func shown(
        _ value: Value, _ property: PropertySchema, in reader: ReplicaReader
    ) throws(ReplicaError) -> String {
        if case .unresolved(let key) = try reader.linkTarget(of: value, in: property) {
            return key.shownUnresolved
        }
        return value.shown
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

extension PrimaryKey {
    /// The key of an object that is not here, behind a mark of its own.
    fileprivate var shownUnresolved: String { "⇢ \("\(self)".escaped) (not here)" }
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
        case .double: Literal.text(of: self)
        case .data(let bytes) where bytes.count <= Self.shownBytesMax: Literal.text(of: self)
        case .data(let bytes): "\(bytes.count) bytes"
        case .link(let link): "→ \("\(link.key)".escaped)"
        }
    }

    /// Data that is longer is shown by its length.
    private static let shownBytesMax = 24

    /// As JSON; a link is its key, data is base64, and a double that JSON has no number for is the
    /// word that queries have for it.
    package var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .string(let text): .string(text.string)
        case .uuid(let value): .string("\(value)")
        case .date(let value): .string("\(value)")
        case .double(let value):
            value.value.isFinite
                ? .number("\(value)") : .string(Literal.text(of: self))
        case .data(let bytes): .string(Base64.text(of: bytes))
        case .link(let link): Value(link.key).json
        }
    }
}
