package import TarnModel
package import TarnStorage

extension SQLiteRealmStore {
    package func keyState(
        of key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> KeyState {
        guard cache.classes.indices.contains(classNumber) else { return .absent }
        let realmClass = cache.classes[classNumber]
        if let row = try row(of: key, in: realmClass) { return .present(life: row.life) }
        let table = realmClass.table
        let deleted = try connection.first(
            "SELECT deleted FROM \(table) WHERE k = ? AND a = 0 ORDER BY deleted DESC LIMIT 1",
            key.column
        ) { (row) throws(StorageError) in Version(try row.bits(0)) }
        guard let deleted, deleted > cache.floor else { return .absent }
        return .deleted(at: deleted)
    }

    package func object(
        _ key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> ObjectID? {
        guard cache.classes.indices.contains(classNumber),
            let number = try living(key, in: cache.classes[classNumber])
        else { return nil }
        return ObjectID(classNumber: classNumber, number: number)
    }

    package func life(of object: ObjectID) throws(StorageError) -> TransactionID {
        try expectRow(of: object).life
    }

    package func living(
        _ key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> LivingObject? {
        guard cache.classes.indices.contains(classNumber),
            let row = try row(of: key, in: cache.classes[classNumber])
        else { return nil }
        return LivingObject(
            object: ObjectID(classNumber: classNumber, number: row.number), life: row.life)
    }

    package func isAlive(_ object: ObjectID) throws(StorageError) -> Bool {
        try row(of: object) != nil
    }

    package func values(of object: ObjectID) throws(StorageError) -> [Value] {
        let realmClass = try realmClass(object.classNumber)
        if let row = known.row(object.number, in: object.classNumber) {
            let known = row.values.enumerated().compactMap { number, value in
                realmClass.schema.properties[number].isCell ? value : .null
            }
            if known.count == row.values.count { return known }
        }
        let statement = try connection.statement(rowSelect(of: realmClass))
        let values = try statement.first([.int(object.number)]) { (row) throws(StorageError) in
            var column = 1
            var values: [Value] = []
            values.reserveCapacity(realmClass.schema.properties.count)
            for property in realmClass.schema.properties {
                if !property.isCell {
                    values.append(.null)
                    continue
                }
                values.append(try Self.value(row, column, property.type))
                column += property.type == .date ? 2 : 1
            }
            return values
        }
        guard let values else { throw Self.gone }
        return values
    }

    /// Selects one, lest a class has no cells, and all cells.
    private func rowSelect(of realmClass: RealmClass) -> String {
        if let select = cache.rowSelects[realmClass.number] { return select }
        var columns = ["1"]
        for (number, property) in realmClass.layout.cells {
            if let target = target(of: property) {
                columns.append("(SELECT t.k FROM \(target.table) t WHERE t.n = c.p\(number))")
            } else {
                columns += ClassLayout.columns(number, property.type)
            }
        }
        let select =
            "SELECT \(columns.joined(separator: ", ")) FROM \(realmClass.table) c "
            + "WHERE c.n = ? AND c.a = 1"
        cache.rowSelects[realmClass.number] = select
        return select
    }

    package func resolved(
        _ life: TransactionID, of key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> TransactionID {
        guard let replica = try knownNumber(of: life.replica) else { return life }
        let aliased = try connection.first(
            """
            SELECT life_replica, life_sequence FROM alias
            WHERE class = ? AND k = ? AND replica = ? AND sequence = ?
            """,
            .int(Int64(classNumber)), key.column, .int(replica), .bits(life.sequence)
        ) { (row) throws(StorageError) in try transaction(row, 0) }
        return aliased ?? life
    }

    package func setting(
        of property: Int, of object: ObjectID
    ) throws(StorageError) -> Setting {
        let realmClass = try realmClass(object.classNumber)
        let mark = try expectRow(of: object).marks[property]
        guard realmClass.schema.properties.indices.contains(property),
            realmClass.schema.properties[property].isCell
        else { throw Self.gone }
        return Setting(
            mark: RegisterMark(stamp: try stamp(of: mark.stamped), isDefault: mark.isDefault),
            version: mark.stamped)
    }

    package func changedProperties(
        of object: ObjectID, since version: Version
    ) throws(StorageError) -> [Int] {
        let cells = try realmClass(object.classNumber).layout.cells
        let marks = try expectRow(of: object).marks
        return cells.lazy.map(\.number).filter { marks[$0].changed > version }
    }
}
