package import TarnModel
import TarnStorage

extension WriteTransaction {
    /// Adds a class, or what is new of it. Nothing happens where all of it is there.
    package mutating func addClass(_ addition: ClassSchema) throws(ReplicaError) {
        switch store.schema.adding(addition) {
        case .nothingNew: return
        case .conflict(let sentence): throw ReplicaError(.schemaConflict, sentence)
        case .changed(let schema):
            try append(.addClass(addition))
            let store = store
            try reader.stored { () throws(StorageError) in try store.putClass(schema) }
        }
    }

    /// Makes an object. Properties that are not named have their initial values; a collection is
    /// empty, and filled afterwards. A part must be put into its place in the same write.
    package mutating func create(
        _ className: String, _ key: PrimaryKey, _ values: [InitialValue] = []
    ) throws(ReplicaError) -> ObjectID {
        let classNumber = try reader.classNumber(className)
        try check(key, of: className)
        try checkRoom()
        var written: [InitialValue] = []
        for value in values {
            let resolved = try resolve(value.value, for: value.property, className, .value)
            written.append(InitialValue(value.property, resolved, isDefault: value.isDefault))
        }
        let store = store
        let row = try reader.stored { () throws(StorageError) in
            try store.row(of: key, in: classNumber)
        }
        if let row, row.isVisible {
            throw ReplicaError(.keyExists, "\(className) has an object \(key) already")
        }
        let object = try reader.stored { () throws(StorageError) in
            if let row { return row.object }
            return try store.insertRow(
                of: key, in: classNumber, life: nil, isConfirmed: false, isVisible: false)
        }
        try make(.create(className: className, key: key, values: written), on: object)
        try noteBirth(of: object)
        for value in written {
            guard let property = store.schema[className]?.property(value.property) else { continue }
            try hold(value.value, by: property)
        }
        return object
    }

    /// Sets a property that is no collection. Setting what is there already is a change, too: it
    /// says that somebody wants it so.
    package mutating func set(
        _ property: String, of object: ObjectID, to value: Value
    ) throws(ReplicaError) {
        let name = try name(of: object)
        let number = try reader.property(property, of: object, .value)
        let resolved = try resolve(value, for: property, name.className, .value)
        try doubt(
            try reader.value(property, of: object),
            of: try reader.classSchema(of: object).properties[number])
        try make(.set(name, property: property, value: resolved), on: object)
        try hold(resolved, by: try reader.classSchema(of: object).properties[number])
        noteUnique(number, of: object)
    }

    /// Takes an object, and every link to it. What it owns goes with it, unless another owner has
    /// it at the end of the write.
    package mutating func delete(_ object: ObjectID) throws(ReplicaError) {
        let name = try name(of: object)
        try delete(object, .delete(name), name)
    }

    mutating func delete(
        _ object: ObjectID, _ change: Change, _ name: ObjectName
    ) throws(ReplicaError) {
        try doubtAll(ownedBy: object)
        let (store, layer) = (store, layer)
        let holders = try reader.stored { () throws(StorageError) in
            try store.holders(of: object)
        }
        try make(change, on: object)
        for holder in holders where holder.object != object {
            try touch(holder.object)
            try reader.stored { () throws(StorageError) in
                try layer.dropLink(at: holder, to: object, named: name.key)
            }
        }
    }

    /// A link to an object, to be set or put into a list.
    package func link(to object: ObjectID) throws(ReplicaError) -> Value {
        let name = try name(of: object)
        return .link(Link(key: name.key, life: name.life))
    }

    func name(of object: ObjectID) throws(ReplicaError) -> ObjectName {
        let row = try reader.row(of: object)
        let schema = try reader.classSchema(of: object)
        guard let life = row.life else {
            throw ReplicaError(.objectGone, "the object is not there any more")
        }
        return ObjectName(schema.name, row.key, life: life)
    }

    private func check(_ key: PrimaryKey, of className: String) throws(ReplicaError) {
        guard store.schema[className]?.accepts(key: key) == true else {
            throw ReplicaError(.wrongType, "\(key) is not of the type of \(className)'s keys")
        }
        let max = TransactionLimits.keyBytesMax
        if case .string(let text) = key, text.string.utf8.count > max {
            throw ReplicaError(.limitExceeded, "a primary key has at most \(max) bytes")
        }
    }

    /// The value as it is written: of the property's type, and a link with the life that is meant.
    func resolve(
        _ value: Value, for property: String, _ className: String, _ kind: PropertyKind
    ) throws(ReplicaError) -> Value {
        let place = "\(className).\(property)"
        guard let schema = store.schema[className]?.property(property) else {
            throw ReplicaError(.unknownName, "there is no property \(place)")
        }
        guard schema.kind == kind else {
            throw ReplicaError(.wrongType, "\(place) is a \(schema.kind)")
        }
        guard schema.accepts(value) else {
            let what = value == .null ? "is never null" : "does not hold such a value"
            throw ReplicaError(.wrongType, "\(place) \(what)")
        }
        let max = TransactionLimits.stringBytesMax
        switch value {
        case .string(let text) where text.string.utf8.count > max:
            throw ReplicaError(.limitExceeded, "a string has at most \(max) bytes")
        case .data(let bytes) where bytes.count > max:
            throw ReplicaError(.limitExceeded, "data has at most \(max) bytes")
        case .link(let link):
            guard let linked = schema.type.linkedClass,
                let target = try? reader.find(linked, link.key)
            else {
                throw ReplicaError(
                    .unresolvedLink, "\(place) cannot lead to \(link.key), which is not here")
            }
            return try self.link(to: target)
        default: return value
        }
    }
}
