package import TarnClient
package import TarnModel
import TarnQuery

/// `CLASS/KEY`, as commands name an object.
package struct ObjectAddress: Equatable, Sendable {
    package let className: String
    package let key: String

    package init(_ text: String) throws(CommandError) {
        let parts = text.unicodeScalars.split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw CommandError(.usage, "\"\(text)\" is no object: CLASS/KEY, as in Task/7")
        }
        (className, key) = (String(parts[0]), String(parts[1]))
    }

    package func object(in reader: ReplicaReader) throws -> ObjectID {
        let schema = try reader.schema.expect(className)
        let key = try TypedValue.key(key, of: schema)
        guard let object = try reader.find(className, key) else {
            throw CommandError(.notFound, "there is no object \(className)/\(key) here")
        }
        return object
    }
}

extension Schema {
    /// The class of that name, or an error that says which was meant.
    package func expect(_ className: String) throws(CommandError) -> ClassSchema {
        guard let schema = self[className] else {
            throw CommandError(
                .notFound,
                "there is no class \"\(className)\""
                    + NameSuggestion.question(for: className, among: classes.map(\.name)))
        }
        return schema
    }
}

extension ClassSchema {
    package func expect(_ property: String) throws(CommandError) -> PropertySchema {
        if property == primaryKey.name {
            throw CommandError(
                .badData, "\(name).\(property) is the primary key, which never changes")
        }
        guard let schema = self.property(property) else {
            throw CommandError(
                .notFound,
                "there is no property \(name).\(property)"
                    + NameSuggestion.question(for: property, among: properties.map(\.name)))
        }
        return schema
    }
}
