import TarnModel
import TarnStorage

extension Replica {
    /// Writes into this replica what another one shows: a local realm's state, once its owner has
    /// logged in. An object whose key is here already takes the other's values; lists are appended
    /// to, so it is for a realm that is done with afterwards.
    ///
    /// It is as many transactions as it takes, each whole: first all objects, then what links them.
    ///
    /// - Returns: how many objects there were.
    @discardableResult
    package func adopt(_ other: Replica, clockTicks: UInt64) throws -> Int {
        let (classes, objects) = try other.read { reader in
            (reader.schema.classes, try AdoptedObject.all(in: reader))
        }
        guard !classes.isEmpty else { return 0 }
        try write(clockTicks: clockTicks) { transaction in
            for schema in classes { try transaction.addClass(schema) }
        }
        let schema = Schema(classes)
        let wholes = objects.filter { schema[$0.className]?.isEmbedded == false }
        // A part is made in the write that gives it its place.
        let parts = Dictionary(
            objects.filter { schema[$0.className]?.isEmbedded == true }.map {
                (ObjectReference(className: $0.className, key: $0.key), $0)
            }, uniquingKeysWith: { first, _ in first })
        try inBatches(wholes, clockTicks) { object, transaction in
            try object.write(into: &transaction)
        }
        try inBatches(wholes.flatMap(\.steps), clockTicks) { step, transaction in
            try step.write(into: &transaction, with: parts)
        }
        return objects.count
    }

    private func inBatches<Item>(
        _ items: [Item], _ clockTicks: UInt64,
        _ body: (Item, inout WriteTransaction) throws -> Void
    ) throws {
        var rest = items[...]
        while !rest.isEmpty {
            try write(clockTicks: clockTicks) { transaction in
                while let item = rest.first, transaction.changes.count < AdoptedObject.batchMax {
                    try body(item, &transaction)
                    rest.removeFirst()
                }
            }
        }
    }
}

/// An object on its way from one replica into another.
private struct AdoptedObject {
    /// Changes after which a transaction is closed: an object adds some more.
    static let batchMax = 500

    let className: String
    let key: PrimaryKey
    /// Of properties that are neither links nor lists.
    var values: [InitialValue] = []
    /// What has to wait until all objects are there.
    var steps: [AdoptedStep] = []

    static func all(in reader: ReplicaReader) throws -> [AdoptedObject] {
        var objects: [AdoptedObject] = []
        for schema in reader.schema.classes {
            for object in try reader.all(schema.name) {
                objects.append(try AdoptedObject(object, schema, in: reader))
            }
        }
        return objects
    }

    private init(_ object: ObjectID, _ schema: ClassSchema, in reader: ReplicaReader) throws {
        className = schema.name
        key = try reader.key(of: object)
        for property in schema.properties {
            guard property.isCell else {
                steps += try Self.steps(property, of: object, in: reader).map { entry in
                    step(property, entry.value, entry: entry.entry)
                }
                continue
            }
            let value = try reader.value(property.name, of: object)
            if case .link = value {
                steps.append(step(property, value))
            } else if !property.type.isLink {
                values.append(InitialValue(property.name, value))
            }
        }
    }

    /// What a collection holds; a list's elements have no entry.
    private static func steps(
        _ property: PropertySchema, of object: ObjectID, in reader: ReplicaReader
    ) throws -> [Entry] {
        guard property.hasEntries else {
            return try reader.elements(property.name, of: object).map {
                Entry(entry: .null, value: $0)
            }
        }
        return try reader.entries(property.name, of: object)
    }

    private func step(
        _ property: PropertySchema, _ value: Value, entry: Value = .null
    ) -> AdoptedStep {
        AdoptedStep(
            className: className, key: key, property: property.name, kind: property.kind,
            entry: entry, value: value)
    }

    func write(into transaction: inout WriteTransaction) throws {
        guard let present = try transaction.reader.find(className, key) else {
            _ = try transaction.create(className, key, values)
            return
        }
        for value in values {
            try transaction.set(value.property, of: present, to: value.value)
        }
    }
}

/// A link that is set, or an element or entry that is added.
private struct AdoptedStep {
    let className: String
    let key: PrimaryKey
    let property: String
    let kind: PropertyKind
    /// Of a set or map.
    let entry: Value
    let value: Value

    func write(
        into transaction: inout WriteTransaction, with parts: [ObjectReference: AdoptedObject]
    ) throws {
        guard let object = try transaction.reader.find(className, key) else { return }
        let part = try part(in: parts, transaction.reader)
        try part?.write(into: &transaction)
        try write(to: object, into: &transaction)
        for step in part?.steps ?? [] { try step.write(into: &transaction, with: parts) }
    }

    /// The part that it gives its place to.
    private func part(
        in parts: [ObjectReference: AdoptedObject], _ reader: ReplicaReader
    ) throws(ReplicaError) -> AdoptedObject? {
        let schema = reader.schema[className]?.property(property)
        guard let linked = schema?.type.linkedClass,
            case .link(let link) = kind == .set ? entry : value
        else { return nil }
        return parts[ObjectReference(className: linked, key: link.key)]
    }

    private func write(to object: ObjectID, into transaction: inout WriteTransaction) throws {
        do throws(ReplicaError) {
            switch kind {
            case .value: try transaction.set(property, of: object, to: value)
            case .list: try transaction.append(value, to: property, of: object)
            case .set: try transaction.insert(member: entry, into: property, of: object)
            case .map:
                guard case .string(let key) = entry else { return }
                try transaction.set(value, under: key.string, in: property, of: object)
            }
        } catch {
            // A link to what was never here leads nowhere there, either.
            guard error.code == .unresolvedLink else { throw error }
        }
    }
}
