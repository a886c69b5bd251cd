package import TarnModel

/// What a replica refuses in every implementation. The replica's own process checks before it asks,
/// so these say that it holds something which another process has taken away, or that the file is
/// not what it should be.
extension StorageError {
    package static func absent(_ object: ObjectID) -> StorageError {
        StorageError(
            .unavailable, while: "looking for an object",
            cause: "class \(object.classNumber) has no object \(object.number)")
    }

    package static func keyIsThere(_ key: PrimaryKey) -> StorageError {
        StorageError(
            .unavailable, while: "adding an object", cause: "the key \(key) is there already")
    }

    package static func noSuchClass(_ number: Int) -> StorageError {
        StorageError(.unavailable, while: "looking for a class", cause: "there is no \(number)")
    }

    package static func wrongType(_ property: Int, in classNumber: Int) -> StorageError {
        StorageError(
            .unavailable, while: "setting a value",
            cause: "property \(property) of class \(classNumber) does not hold such a value")
    }

    package static func nameIsTaken(_ name: String) -> StorageError {
        StorageError(
            .unavailable, while: "adding a subscription", cause: "\(name) is there already")
    }
}

extension ReplicaRow {
    /// Known by a link alone.
    package var isBare: Bool { life == nil && !isConfirmed && !isVisible }
}

extension Schema {
    /// Throws where the number names no class, or the class has no such property.
    package func property(
        _ number: Int, in classNumber: Int
    ) throws(StorageError) -> PropertySchema {
        guard let properties = schema(number: classNumber)?.properties,
            properties.indices.contains(number)
        else { throw .noSuchClass(classNumber) }
        return properties[number]
    }

    /// The number of the class that a property's links lead to; throws where it is not there, or
    /// the property is no link.
    package func linkedClass(of property: PropertySchema) throws(StorageError) -> Int {
        guard let name = property.type.linkedClass, let number = number(of: name) else {
            throw StorageError(
                .unavailable, while: "following a link",
                cause: "\(property.name) leads to no class that is here")
        }
        return number
    }
}
