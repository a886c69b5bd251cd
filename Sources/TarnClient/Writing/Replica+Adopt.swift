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
        try inBatches(objects, clockTicks) { object, transaction in
            try object.write(into: &transaction)
        }
        let steps = objects.flatMap(\.steps)
        try inBatches(steps, clockTicks) { step, transaction in
            try step.write(into: &transaction)
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
    static let batchMax = 5_000

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
            if property.isList {
                for value in try reader.elements(property.name, of: object) {
                    steps.append(step(property, value))
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

    private func step(_ property: PropertySchema, _ value: Value) -> AdoptedStep {
        AdoptedStep(
            className: className, key: key, property: property.name, isList: property.isList,
            value: value)
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

/// A link that is set, or an element that is appended.
private struct AdoptedStep {
    let className: String
    let key: PrimaryKey
    let property: String
    let isList: Bool
    let value: Value

    func write(into transaction: inout WriteTransaction) throws {
        guard let object = try transaction.reader.find(className, key) else { return }
        do throws(ReplicaError) {
            if isList {
                try transaction.append(value, to: property, of: object)
            } else {
                try transaction.set(property, of: object, to: value)
            }
        } catch {
            // A link to what was never here leads nowhere there, either.
            guard error.code == .unresolvedLink else { throw error }
        }
    }
}
