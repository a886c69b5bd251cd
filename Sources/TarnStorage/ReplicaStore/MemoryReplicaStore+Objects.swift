package import TarnModel

extension MemoryReplicaStore {
    package func row(
        of key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> ReplicaRow? {
        guard let object = state.object(key, in: classNumber) else { return nil }
        return state[object]?.row
    }

    package func row(of object: ObjectID) throws(StorageError) -> ReplicaRow? {
        state[object]?.row
    }

    package func insertRow(
        of key: PrimaryKey, in classNumber: Int, life: TransactionID?, isConfirmed: Bool,
        isVisible: Bool
    ) throws(StorageError) -> ObjectID {
        try check(.write)
        return try state.insertRow(
            of: key, in: classNumber, life: life, isConfirmed: isConfirmed, isVisible: isVisible)
    }

    package func update(_ row: ReplicaRow) throws(StorageError) {
        try check(.write)
        let present = try state.expectRow(row.object).row
        state[row.object]?.row = ReplicaRow(
            object: present.object, key: present.key, life: row.life,
            isConfirmed: row.isConfirmed, isVisible: row.isVisible)
        if row.isBare { state.loosened.insert(row.object) }
    }

    package func removeRow(_ object: ObjectID) throws(StorageError) {
        try check(.write)
        try state.removeRow(object)
    }

    package func values(of object: ObjectID) throws(StorageError) -> [Value] {
        try state.expectRow(object).values
    }

    package func set(
        _ value: Value, _ property: Int, of object: ObjectID
    ) throws(StorageError) {
        try check(.write)
        let schema = try state.schema.property(property, in: object.classNumber)
        guard schema.isCell, value == .null || schema.accepts(value) else {
            throw .wrongType(property, in: object.classNumber)
        }
        let holder = Holder(object: object, property: property)
        let previous = try state.expectRow(object).values[property]
        try state.reference(value, from: holder)
        try state.unreference(previous, from: holder)
        state[object]?.values[property] = value.withoutLife
    }

    package func shadow(of object: ObjectID) throws(StorageError) -> Shadow? {
        state[object]?.shadow
    }

    package func setShadow(_ shadow: Shadow?, of object: ObjectID) throws(StorageError) {
        try check(.write)
        _ = try state.expectRow(object)
        state[object]?.shadow = shadow
        if shadow == nil { state.loosened.insert(object) }
    }

    package func holders(of object: ObjectID) throws(StorageError) -> [Holder] {
        var holders: [Holder] = []
        for holder in state.references[object, default: [:]].keys {
            if try state.visiblyHolds(holder, object) { holders.append(holder) }
        }
        return holders.sorted {
            ($0.object, $0.property) < ($1.object, $1.property)
        }
    }
}
