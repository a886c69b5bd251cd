package import TarnModel

extension MemoryRealmStore {
    package func keyState(
        of key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> KeyState {
        if let object = state.living(key, in: classNumber) {
            return .present(life: try state.stored(object).life)
        }
        guard state.objects.indices.contains(classNumber) else { return .absent }
        let deletions = state.objects[classNumber].compactMap { object in
            object?.key == key ? object?.deleted : nil
        }
        guard let last = deletions.max(), last > state.floor else { return .absent }
        return .deleted(at: last)
    }

    package func object(
        _ key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> ObjectID? {
        state.living(key, in: classNumber)
    }

    package func living(
        _ key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> LivingObject? {
        guard let object = state.living(key, in: classNumber) else { return nil }
        return LivingObject(object: object, life: try state.stored(object).life)
    }

    package func isAlive(_ object: ObjectID) throws(StorageError) -> Bool {
        guard state.objects.indices.contains(object.classNumber) else {
            throw StorageError(.corrupt, while: "reading an object", cause: "no such class")
        }
        return (try? state.livingObject(object)) != nil
    }

    package func knownKey(of object: ObjectID) throws(StorageError) -> PrimaryKey? {
        guard state.objects.indices.contains(object.classNumber) else {
            throw StorageError(.corrupt, while: "reading an object", cause: "no such class")
        }
        return try? state.knownObject(object).key
    }

    package func life(of object: ObjectID) throws(StorageError) -> TransactionID {
        try state.livingObject(object).life
    }

    package func values(of object: ObjectID) throws(StorageError) -> [Value] {
        var values: [Value] = []
        for cell in try state.livingObject(object).cells {
            values.append(try state.value(cell.value))
        }
        return values
    }

    package func resolved(
        _ life: TransactionID, of key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> TransactionID {
        let name = AliasName(classNumber: classNumber, key: key, transaction: life)
        return state.aliases[name] ?? life
    }

    package func setting(
        of property: Int, of object: ObjectID
    ) throws(StorageError) -> Setting {
        let cell = try state.cell(property, of: object)
        return Setting(
            mark: RegisterMark(stamp: try state.stamp(of: cell.stamped), isDefault: cell.isDefault),
            version: cell.stamped)
    }

    package func increments(
        of property: Int, of object: ObjectID, since version: Version
    ) throws(StorageError) -> [Increment] {
        _ = try state.cell(property, of: object)
        let all = try state.livingObject(object).increments[property] ?? []
        var found: [Increment] = []
        for increment in all where increment.version > max(version, state.floor) {
            found.append(
                Increment(
                    version: increment.version,
                    author: try state.stamp(of: increment.version).replica,
                    amount: increment.amount))
        }
        return found
    }

    package func objects(
        holding value: Value, in property: Int, of classNumber: Int, limit: Int
    ) throws(StorageError) -> [ObjectID] {
        var found: [ObjectID] = []
        for object in state.livingObjects(in: classNumber) where found.count < limit {
            let cell = try state.cell(property, of: object)
            if try state.value(cell.value) == value { found.append(object) }
        }
        return found
    }

    package func changedProperties(
        of object: ObjectID, since version: Version
    ) throws(StorageError) -> [Int] {
        let stored = try state.livingObject(object)
        let properties = state.schema.classes[object.classNumber].properties
        return properties.indices.filter {
            properties[$0].isCell && stored.cells[$0].changed > version
        }
    }

    package func holders(of object: ObjectID) throws(StorageError) -> [Holder] {
        var found: [Holder] = []
        for (classNumber, schema) in state.schema.classes.enumerated() {
            for property in schema.properties.indices {
                let holding = try objects(holding: object, by: property, in: classNumber)
                found += holding.map { Holder(object: $0, property: property) }
            }
        }
        return found
    }

    // MARK: Reading as an evaluator does

    package func key(of object: ObjectID) throws -> PrimaryKey {
        try state.knownObject(object).key
    }

    package func value(_ property: Int, of object: ObjectID) throws -> Value {
        try state.value(try state.cell(property, of: object).value)
    }

    package func target(_ property: Int, of object: ObjectID) throws -> ObjectID? {
        guard let target = try state.cell(property, of: object).value.target,
            try state.isLiving(target)
        else { return nil }
        return target
    }

    package func elements(_ property: Int, of object: ObjectID) throws -> [Value] {
        let collection = ListID(object: object, property: property)
        let schema = try state.schema.property(property, in: object.classNumber)
        guard schema.hasEntries else {
            return try state.slots(collection).filter(\.isLive).map { try state.value($0.value) }
        }
        return try entries(in: collection).map { schema.kind == .set ? $0.entry : $0.value }
    }

    package func targets(_ property: Int, of object: ObjectID) throws -> [ObjectID] {
        let collection = ListID(object: object, property: property)
        let schema = try state.schema.property(property, in: object.classNumber)
        let targets =
            if schema.hasEntries {
                try targets(in: collection, schema)
            } else {
                try state.slots(collection).filter(\.isLive).compactMap(\.value.target)
            }
        return try targets.filter { try state.isLiving($0) }
    }

    /// In the order of the entries that hold them.
    private func targets(
        in collection: ListID, _ property: PropertySchema
    ) throws(StorageError) -> [ObjectID] {
        var targets: [(entry: Value, target: ObjectID)] = []
        for (entry, stored) in try state.entries(collection) {
            guard let value = stored.value,
                let target = property.kind == .set ? entry.target : value.target
            else { continue }
            targets.append((try state.value(entry), target))
        }
        return targets.sorted { $0.entry < $1.entry }.map(\.target)
    }

    package func referrers(
        of object: ObjectID, through property: Int, in classNumber: Int
    ) throws -> [ObjectID] {
        try objects(holding: object, by: property, in: classNumber)
    }

    package func objects(in classNumber: Int) throws -> [ObjectID] {
        state.livingObjects(in: classNumber)
    }

    private func objects(
        holding target: ObjectID, by property: Int, in classNumber: Int
    ) throws(StorageError) -> [ObjectID] {
        var found: [ObjectID] = []
        for object in state.livingObjects(in: classNumber) {
            let stored = try state.stored(object)
            guard stored.cells.indices.contains(property) else { continue }
            let live = stored.lists[property].filter(\.isLive)
            let entries = stored.entries[property] ?? [:]
            if stored.cells[property].value.target == target
                || live.contains(where: { $0.value.target == target })
                || entries.contains(where: { $0.value.holds(target, as: $0.key) })
            {
                found.append(object)
            }
        }
        return found
    }
}
