package import TarnModel

/// What the user sees.
extension MemoryReplicaStore {
    package func key(of object: ObjectID) throws(StorageError) -> PrimaryKey {
        try state.expectRow(object).row.key
    }

    package func value(_ property: Int, of object: ObjectID) throws(StorageError) -> Value {
        _ = try state.schema.property(property, in: object.classNumber)
        return try state.expectRow(object).values[property]
    }

    package func target(_ property: Int, of object: ObjectID) throws(StorageError) -> ObjectID? {
        try visibleTarget(of: try value(property, of: object), property, object)
    }

    package func elements(_ property: Int, of object: ObjectID) throws(StorageError) -> [Value] {
        let schema = try state.schema.property(property, in: object.classNumber)
        guard schema.hasEntries else {
            return try state.expectRow(object).lists[property, default: []].filter(\.isVisible)
                .map(\.value)
        }
        _ = try state.expectRow(object)
        let entries = try entries(in: ListID(object: object, property: property))
        return entries.compactMap { entry in
            entry.visible.map { schema.kind == .set ? entry.entry : $0 }
        }
    }

    package func targets(_ property: Int, of object: ObjectID) throws(StorageError) -> [ObjectID] {
        var targets: [ObjectID] = []
        for element in try elements(property, of: object) {
            guard let target = try visibleTarget(of: element, property, object) else { continue }
            targets.append(target)
        }
        return targets
    }

    package func referrers(
        of object: ObjectID, through property: Int, in classNumber: Int
    ) throws(StorageError) -> [ObjectID] {
        try holders(of: object).filter {
            $0.property == property && $0.object.classNumber == classNumber
                && state[$0.object]?.row.isVisible == true
        }.map(\.object)
    }

    package func objects(in classNumber: Int) throws(StorageError) -> [ObjectID] {
        guard state.classes.indices.contains(classNumber) else { throw .noSuchClass(classNumber) }
        return state.classes[classNumber].rows.values.filter(\.row.isVisible).map(\.row.object)
            .sorted()
    }

    private func visibleTarget(
        of value: Value, _ property: Int, _ object: ObjectID
    ) throws(StorageError) -> ObjectID? {
        let property = try state.schema.property(property, in: object.classNumber)
        guard let target = try state.target(of: value, property) else { return nil }
        return state[target]?.row.isVisible == true ? target : nil
    }
}
