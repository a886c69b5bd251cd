package import TarnModel
package import TarnStorage

/// Who holds what.
extension SQLiteRealmStore {
    package func holders(of object: ObjectID) throws(StorageError) -> [Holder] {
        let name = try realmClass(object.classNumber).schema.name
        var found: [Holder] = []
        for holding in cache.classes {
            for (number, property) in holding.schema.properties.enumerated()
            where property.type.linkedClass == name {
                found += try numbers(holding: object.number, by: number, in: holding).map {
                    Holder(
                        object: ObjectID(classNumber: holding.number, number: $0),
                        property: number)
                }
            }
        }
        return found
    }

    /// The living objects of a class that hold that one, each once and in order.
    func numbers(
        holding target: Int64, by property: Int, in holding: RealmClass
    ) throws(StorageError) -> [Int64] {
        let select =
            if !holding.schema.properties[property].isCell {
                """
                SELECT DISTINCT owner FROM \(holding.layout.listTable(property))
                WHERE v = ? AND a = 1 ORDER BY owner
                """
            } else {
                "SELECT n FROM \(holding.table) WHERE p\(property) = ? AND a = 1 ORDER BY n"
            }
        return try connection.all(select, .int(target)) { (row) throws(StorageError) in
            try row.int(0)
        }
    }

    package func objects(
        holding value: Value, in property: Int, of classNumber: Int, limit: Int
    ) throws(StorageError) -> [ObjectID] {
        guard cache.classes.indices.contains(classNumber) else { return [] }
        let realmClass = cache.classes[classNumber]
        let schema = try cell(property, of: realmClass)
        var found: [ObjectID] = []
        guard limit > 0, value == .null || schema.accepts(value),
            let (condition, values) = try condition(value, property, schema)
        else { return found }
        let columns = ClassLayout.columns(property, schema.type).joined(separator: ", ")
        try connection.statement(
            "SELECT n, \(columns) FROM \(realmClass.table) WHERE \(condition) AND a = 1 ORDER BY n"
        ).each(values) { (row) throws(StorageError) in
            // To SQLite, 0.0 and -0.0 are the same.
            if schema.type == .double, try Self.value(row, 1, .double) != value { return true }
            found.append(ObjectID(classNumber: classNumber, number: try row.int(0)))
            return found.count < limit
        }
        return found
    }

    /// That a property holds a value; nil for what none can hold.
    private func condition(
        _ value: Value, _ property: Int, _ schema: PropertySchema
    ) throws(StorageError) -> (sql: String, values: [SQLiteValue])? {
        if case .link(let link) = value {
            // Links stand here without a life.
            guard link.life == nil, let target = target(of: schema) else { return nil }
            return (
                "p\(property) IN (SELECT t.n FROM \(target.table) t WHERE t.k = ?)",
                [link.key.column]
            )
        }
        let terms = ClassLayout.columns(property, schema.type).map { "\($0) IS ?" }
        let values = try value.columns(schema.type) { (_) throws(StorageError) in
            throw .corrupt("a value is a link", while: "looking for a value")
        }
        return (terms.joined(separator: " AND "), values)
    }
}
