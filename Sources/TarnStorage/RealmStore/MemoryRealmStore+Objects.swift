package import TarnModel

extension MemoryRealmStore {
    package func keyState(
        of key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> KeyState {
        if let object = state.living(key, in: classNumber) {
            return .present(life: try state.stored(object).life)
        }
        guard state.objects.indices.contains(classNumber) else { return .absent }
        let deletions = state.objects[classNumber].filter { $0.key == key }.compactMap(\.deleted)
        guard let last = deletions.max(), last > state.floor else { return .absent }
        return .deleted(at: last)
    }

    package func object(
        _ key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> ObjectID? {
        state.living(key, in: classNumber)
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

    package func registerMark(
        of property: Int, of object: ObjectID
    ) throws(StorageError) -> RegisterMark {
        let cell = try state.cell(property, of: object)
        return RegisterMark(stamp: state.stamp(of: cell.stamped), isDefault: cell.isDefault)
    }

    package func changedProperties(
        of object: ObjectID, since version: Version
    ) throws(StorageError) -> [Int] {
        let stored = try state.livingObject(object)
        let properties = state.schema.classes[object.classNumber].properties
        return properties.indices.filter {
            !properties[$0].isList && stored.cells[$0].changed > version
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

    package func key(of object: ObjectID) throws -> PrimaryKey { try state.stored(object).key }

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
        try state.slots(ListID(object: object, property: property)).filter(\.isLive).map {
            try state.value($0.value)
        }
    }

    package func targets(_ property: Int, of object: ObjectID) throws -> [ObjectID] {
        try state.slots(ListID(object: object, property: property)).filter(\.isLive)
            .compactMap(\.value.target).filter { try state.isLiving($0) }
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
            if stored.cells[property].value.target == target
                || live.contains(where: { $0.value.target == target })
            {
                found.append(object)
            }
        }
        return found
    }
}
