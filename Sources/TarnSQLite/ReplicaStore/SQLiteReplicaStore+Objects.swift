import TarnCBOR
package import TarnModel
package import TarnStorage

extension SQLiteReplicaStore {
    package func row(
        of key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> ReplicaRow? {
        guard content.classes.indices.contains(classNumber) else { return nil }
        return try row(content.classes[classNumber].rowOfKey, key.column, in: classNumber)
    }

    package func row(of object: ObjectID) throws(StorageError) -> ReplicaRow? {
        guard content.classes.indices.contains(object.classNumber) else { return nil }
        let sql = content.classes[object.classNumber].rowOfNumber
        return try row(sql, .int(object.number), in: object.classNumber)
    }

    private func row(
        _ sql: String, _ term: SQLiteValue, in classNumber: Int
    ) throws(StorageError) -> ReplicaRow? {
        try file.first(sql, term) { (row) throws(StorageError) in
            ReplicaRow(
                object: ObjectID(classNumber: classNumber, number: try row.int(0)),
                key: try row.key(1), life: try self.transaction(row, 4),
                isConfirmed: try row.flag(2), isVisible: try row.flag(3))
        }
    }

    package func insertRow(
        of key: PrimaryKey, in classNumber: Int, life: TransactionID?, isConfirmed: Bool,
        isVisible: Bool
    ) throws(StorageError) -> ObjectID {
        expectWriting()
        let replicaClass = try replicaClass(classNumber)
        guard try row(of: key, in: classNumber) == nil else { throw .keyIsThere(key) }
        let number = try nextNumber(in: classNumber)
        try file.run(
            replicaClass.insert,
            values: [.int(number), key.column, .flag(isConfirmed), .flag(isVisible)]
                + (try columns(of: life)))
        return ObjectID(classNumber: classNumber, number: number)
    }

    package func update(_ row: ReplicaRow) throws(StorageError) {
        expectWriting()
        try file.run(
            try replicaClass(row.object.classNumber).update,
            values: [.int(row.object.number), .flag(row.isConfirmed), .flag(row.isVisible)]
                + (try columns(of: row.life)))
        guard file.changedRows == 1 else { throw .absent(row.object) }
        if row.isBare { content.loosened.insert(row.object) }
    }

    package func values(of object: ObjectID) throws(StorageError) -> [Value] {
        let replicaClass = try replicaClass(object.classNumber)
        let values = try file.first(replicaClass.values, .int(object.number)) {
            (row) throws(StorageError) in
            var values: [Value] = []
            var column = 0
            for (property, cell) in replicaClass.cells.enumerated() {
                guard let cell else {
                    values.append(.null)
                    continue
                }
                let value = try row.value(column, cell.type) { (number) throws(StorageError) in
                    try self.key(number, in: replicaClass.linked[property])
                }
                values.append(value)
                column += ClassLayout.columns(property, cell.type).count
            }
            return values
        }
        guard let values else { throw .absent(object) }
        return values
    }

    package func set(
        _ value: Value, _ property: Int, of object: ObjectID
    ) throws(StorageError) {
        expectWriting()
        let schema = try content.schema.property(property, in: object.classNumber)
        let replicaClass = try replicaClass(object.classNumber)
        guard let cell = replicaClass.cells[property], value == .null || schema.accepts(value)
        else { throw .wrongType(property, in: object.classNumber) }
        if schema.type.isLink { try loosenTarget(of: cell, property, of: object) }
        let columns = try value.columns(cell.type) { (link) throws(StorageError) in
            try self.reachable(link, schema)
        }
        try file.run(cell.set, values: [.int(object.number)] + columns)
        guard file.changedRows == 1 else { throw .absent(object) }
    }

    package func shadow(of object: ObjectID) throws(StorageError) -> Shadow? {
        let sql = "SELECT content FROM shadow WHERE class = ? AND n = ?"
        return try file.first(sql, .int(object.classNumber), .int(object.number)) {
            (row) throws(StorageError) in
            var reader = CBORReader(try row.blob(0))
            do throws(CBORError) {
                return try reader.readShadow()
            } catch {
                throw row.unexpected(0)
            }
        }
    }

    package func setShadow(_ shadow: Shadow?, of object: ObjectID) throws(StorageError) {
        expectWriting()
        _ = try key(of: object)
        guard let shadow else {
            try dropShadow(of: object)
            content.loosened.insert(object)
            return
        }
        var writer = CBORWriter()
        writer.write(shadow)
        try file.run(
            "REPLACE INTO shadow VALUES (?, ?, ?)", .int(object.classNumber), .int(object.number),
            .blob(writer.bytes))
    }

    func dropShadow(of object: ObjectID) throws(StorageError) {
        try file.run(
            "DELETE FROM shadow WHERE class = ? AND n = ?", .int(object.classNumber),
            .int(object.number))
    }
}

extension CBORWriter {
    /// `[life or null, [value, ...]]`.
    fileprivate mutating func write(_ shadow: Shadow) {
        writeArrayHeader(2)
        if let life = shadow.life { write(life) } else { writeNull() }
        writeArrayHeader(shadow.values.count)
        for value in shadow.values { write(value) }
    }
}

extension CBORReader {
    fileprivate mutating func readShadow() throws(CBORError) -> Shadow {
        try expectArray(2)
        let life: TransactionID? = try skipNull() ? nil : try readTransactionID()
        var values: [Value] = []
        for _ in 0..<(try readArrayHeader()) { values.append(try readValue()) }
        return Shadow(life: life, values: values)
    }
}
