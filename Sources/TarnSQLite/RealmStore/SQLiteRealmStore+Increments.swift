package import TarnModel
package import TarnStorage

extension SQLiteRealmStore {
    package func increments(
        of property: Int, of object: ObjectID, since version: Version
    ) throws(StorageError) -> [Increment] {
        _ = try cell(property, of: try expectLiving(object))
        return try connection.all(
            """
            SELECT increment.version, version.replica, increment.amount
            FROM increment LEFT JOIN version ON version.n = increment.version
            WHERE class = ? AND increment.n = ? AND property = ? AND increment.version > ?
            ORDER BY increment.version
            """,
            .int(Int64(object.classNumber)), .int(object.number), .int(Int64(property)),
            .int(Int64(clamping: max(version, cache.floor).number))
        ) { (row) throws(StorageError) in
            Increment(
                version: Version(try row.bits(0)), author: try replica(try row.int(1)),
                amount: try row.int(2))
        }
    }

    func increment(
        _ className: String, _ key: PrimaryKey, _ property: String, by amount: Int64
    ) throws(StorageError) {
        let realmClass = try named(className)
        let object = ObjectID(
            classNumber: realmClass.number, number: try named(key, in: realmClass))
        let number = try number(of: property, in: realmClass, .value)
        guard realmClass.schema.properties[number].type == .int,
            // A whole number is read with its row.
            let present = try expectRow(of: object).values[number],
            let sum = IncrementRule.adding(amount, to: present)
        else { throw .wrongEffect("\(property) is nothing that could be added to") }
        let version = cache.applied.version
        try set(className, key, property, sum) { mark in
            CellMark(stamped: mark.stamped, changed: version, isDefault: mark.isDefault)
        }
        try note(amount, of: number, of: object, at: version)
    }

    /// What one version adds to a cell counts as one, however often it adds.
    private func note(
        _ amount: Int64, of property: Int, of object: ObjectID, at version: Version
    ) throws(StorageError) {
        let names: [SQLiteValue] = [
            .int(Int64(object.classNumber)), .int(object.number), .int(Int64(property)),
            .bits(version.number),
        ]
        // Not added up in SQL, which makes a REAL of a sum that overflows.
        let present = try connection.statement(
            """
            SELECT amount FROM increment
            WHERE class = ? AND n = ? AND property = ? AND version = ?
            """
        ).first(names) { (row) throws(StorageError) in try row.int(0) }
        try connection.run(
            "REPLACE INTO increment (class, n, property, version, amount) VALUES (?, ?, ?, ?, ?)",
            values: names + [.int((present ?? 0) &+ amount)])
    }
}
