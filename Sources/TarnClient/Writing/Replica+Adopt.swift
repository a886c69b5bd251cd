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
        try inBatches(wholes.flatMap(\.pieces), clockTicks) {
            $0.weight
        } _: { object, transaction in
            try object.write(into: &transaction)
        }
        try inBatches(wholes.flatMap(\.steps), clockTicks) {
            $0.weight(with: parts)
        } _: { step, transaction in
            try step.write(into: &transaction, with: parts)
        }
        return objects.count
    }

    private func inBatches<Item>(
        _ items: [Item], _ clockTicks: UInt64, weighing weight: (Item) -> Int,
        _ body: (Item, inout WriteTransaction) throws -> Void
    ) throws {
        var rest = items[...]
        while !rest.isEmpty {
            try write(clockTicks: clockTicks) { transaction in
                transaction.forgoUndo()
                while let item = rest.first {
                    let isFull = transaction.weight + weight(item) > AdoptedObject.weightMax
                    if isFull && transaction.changeCount > 0 { break }
                    try body(item, &transaction)
                    rest.removeFirst()
                }
            }
        }
    }
}

/// An object on its way from one replica into another.
private struct AdoptedObject {
    /// What a transaction weighs when it is closed, if it can be cut there.
    static let weightMax = TransactionLimits.weightMax / 2

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
            linkedClass: property.type.linkedClass, entry: entry, value: value)
    }

    var weight: Int {
        TransactionLimits.weight(
            changes: 1, bytes: values.reduce(key.byteCount) { $0 + $1.value.byteCount })
    }

    /// Itself, and again with what values have no room in one transaction beside the others.
    var pieces: [AdoptedObject] {
        var pieces: [AdoptedObject] = []
        var piece = self
        piece.values = []
        for value in values {
            var longer = piece
            longer.values.append(value)
            if longer.weight > Self.weightMax, !piece.values.isEmpty {
                pieces.append(piece)
                longer.values = [value]
            }
            piece = longer
        }
        return pieces + [piece]
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
    /// That its property links to.
    let linkedClass: String?
    /// Of a set or map.
    let entry: Value
    let value: Value

    /// With the part that it gives its place to, and those within that: they are made in one.
    func weight(with parts: [ObjectReference: AdoptedObject]) -> Int {
        let own = TransactionLimits.weight(
            changes: 1, bytes: key.byteCount + entry.byteCount + value.byteCount)
        guard let part = part(in: parts) else { return own }
        return part.steps.reduce(own + part.weight) { $0 + $1.weight(with: parts) }
    }

    func write(
        into transaction: inout WriteTransaction, with parts: [ObjectReference: AdoptedObject]
    ) throws {
        guard let object = try transaction.reader.find(className, key) else { return }
        let part = part(in: parts)
        try part?.write(into: &transaction)
        try write(to: object, into: &transaction)
        for step in part?.steps ?? [] { try step.write(into: &transaction, with: parts) }
    }

    /// The part that it gives its place to.
    private func part(in parts: [ObjectReference: AdoptedObject]) -> AdoptedObject? {
        guard let linkedClass, case .link(let link) = kind == .set ? entry : value else {
            return nil
        }
        return parts[ObjectReference(className: linkedClass, key: link.key)]
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
