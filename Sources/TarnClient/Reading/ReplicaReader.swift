package import TarnModel
package import TarnQuery
package import TarnStorage

/// Looks at one state of a replica, as the user sees it. It is good inside the `read` or `write`
/// that gave it, and nowhere else.
package struct ReplicaReader {
    package let store: any ReplicaStore
    package let identity: ReplicaIdentity

    package var schema: Schema { store.schema }

    /// For evaluators: values, targets and elements of visible objects.
    package var objects: any ObjectReader { store }

    /// The visible object of that class and key.
    package func find(
        _ className: String, _ key: PrimaryKey
    ) throws(ReplicaError) -> ObjectID? {
        let classNumber = try classNumber(className)
        return try stored { () throws(StorageError) in
            guard let row = try store.row(of: key, in: classNumber), row.isVisible else {
                return nil
            }
            return row.object
        }
    }

    /// All visible objects of a class, by key.
    package func all(_ className: String) throws(ReplicaError) -> [ObjectID] {
        let classNumber = try classNumber(className)
        do {
            return try store.objects(in: classNumber).map { (try store.key(of: $0), $0) }
                .sorted { $0.0 < $1.0 }.map(\.1)
        } catch {
            throw ReplicaError(error)
        }
    }

    package func key(of object: ObjectID) throws(ReplicaError) -> PrimaryKey {
        try row(of: object).key
    }

    /// A property that is no collection.
    package func value(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) -> Value {
        let number = try self.property(property, of: object, .value)
        _ = try row(of: object)
        return try reading { try store.value(number, of: object) }
    }

    /// The object that a link leads to; nil for null and where it is not here.
    package func target(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) -> ObjectID? {
        let number = try self.property(property, of: object, .value)
        _ = try row(of: object)
        return try reading { try store.target(number, of: object) }
    }

    /// A list's elements in order, a set's, or a map's values by the order of their keys.
    package func elements(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) -> [Value] {
        let number = try self.property(property, of: object, .list, .set, .map)
        _ = try row(of: object)
        return try reading { try store.elements(number, of: object) }
    }

    /// What a set or map holds, by `Value`'s order of the entries; a set's entries hold true.
    package func entries(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) -> [Entry] {
        let number = try self.property(property, of: object, .set, .map)
        _ = try row(of: object)
        return try stored { () throws(StorageError) in
            try store.entries(in: ListID(object: object, property: number)).compactMap { entry in
                entry.visible.map { Entry(entry: entry.entry, value: $0) }
            }
        }
    }

    /// All values by property name, collections left out.
    package func values(of object: ObjectID) throws(ReplicaError) -> [(name: String, value: Value)]
    {
        let properties = try classSchema(of: object).properties
        _ = try row(of: object)
        let values = try stored { () throws(StorageError) in try store.values(of: object) }
        return zip(properties, values).filter { $0.0.isCell }.map { ($0.0.name, $0.1) }
    }

    /// The visible object's row.
    func row(of object: ObjectID) throws(ReplicaError) -> ReplicaRow {
        let row = try stored { () throws(StorageError) in try store.row(of: object) }
        guard let row, row.isVisible else {
            throw ReplicaError(.objectGone, "the object is not there any more")
        }
        return row
    }

    func classNumber(_ name: String) throws(ReplicaError) -> Int {
        guard let number = schema.number(of: name) else {
            throw ReplicaError(.unknownName, "there is no class \(name)")
        }
        return number
    }

    package func classSchema(of object: ObjectID) throws(ReplicaError) -> ClassSchema {
        guard let schema = schema.schema(number: object.classNumber) else {
            throw ReplicaError(.objectGone, "the object is of no class that is here")
        }
        return schema
    }

    func property(
        _ name: String, of object: ObjectID, _ kinds: PropertyKind...
    ) throws(ReplicaError) -> Int {
        let schema = try classSchema(of: object)
        guard let number = schema.number(of: name) else {
            let why =
                name == schema.primaryKey.name
                ? "\(schema.name).\(name) is the primary key, which never changes"
                : "there is no property \(schema.name).\(name)"
            throw ReplicaError(.unknownName, why)
        }
        let kind = schema.properties[number].kind
        guard kinds.contains(kind) else {
            throw ReplicaError(.wrongType, "\(schema.name).\(name) is a \(kind)")
        }
        return number
    }

    func stored<Answer>(
        _ body: () throws(StorageError) -> Answer
    ) throws(ReplicaError) -> Answer {
        do throws(StorageError) {
            return try body()
        } catch {
            throw ReplicaError(error)
        }
    }

    private func reading<Answer>(_ body: () throws -> Answer) throws(ReplicaError) -> Answer {
        do {
            return try body()
        } catch {
            throw ReplicaError(error)
        }
    }
}

extension Replica {
    /// Looks at one state, whoever writes meanwhile.
    package func read<Answer>(_ body: (ReplicaReader) throws -> Answer) throws -> Answer {
        try inTransaction(.reading) { try body(reader()) }
    }

    /// The identity as it is stored now: another process may have learnt the realm's id.
    func reader() throws(StorageError) -> ReplicaReader {
        ReplicaReader(store: store, identity: try store.identity() ?? identity)
    }
}
