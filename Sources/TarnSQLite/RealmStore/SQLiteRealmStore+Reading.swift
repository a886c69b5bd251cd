package import TarnModel
package import TarnStorage

/// Reading as an evaluator does.
extension SQLiteRealmStore {
    package func key(of object: ObjectID) throws -> PrimaryKey {
        guard let key = try knownKey(of: object) else { throw Self.gone }
        return key
    }

    package func knownKey(of object: ObjectID) throws(StorageError) -> PrimaryKey? {
        if let row = known.row(object.number, in: object.classNumber) { return row.key }
        let table = try realmClass(object.classNumber).table
        return try connection.first(
            "SELECT k FROM \(table) WHERE n = ? AND (a = 1 OR deleted > ?)",
            .int(object.number), .bits(cache.floor.number)
        ) { (row) throws(StorageError) in try row.key(0) }
    }

    package func value(_ property: Int, of object: ObjectID) throws -> Value {
        let realmClass = try realmClass(object.classNumber)
        let schema = try cell(property, of: realmClass)
        let row = known.row(object.number, in: object.classNumber)
        if let value = row?.values[property] { return value }
        let columns =
            if let target = target(of: schema) {
                "(SELECT t.k FROM \(target.table) t WHERE t.n = c.p\(property))"
            } else {
                ClassLayout.columns(property, schema.type).joined(separator: ", ")
            }
        let value = try connection.first(
            "SELECT \(columns) FROM \(realmClass.table) c WHERE c.n = ? AND c.a = 1",
            .int(object.number)
        ) { (row) throws(StorageError) in try Self.value(row, 0, schema.type) }
        guard let value else { throw Self.gone }
        row?.note(value, of: property)
        return value
    }

    package func target(_ property: Int, of object: ObjectID) throws -> ObjectID? {
        let realmClass = try realmClass(object.classNumber)
        let schema = try cell(property, of: realmClass)
        guard let target = target(of: schema) else {
            _ = try expectLiving(object)
            return nil
        }
        let number = try connection.first(
            """
            SELECT (SELECT t.n FROM \(target.table) t WHERE t.n = c.p\(property) AND t.a = 1)
            FROM \(realmClass.table) c WHERE c.n = ? AND c.a = 1
            """,
            .int(object.number)
        ) { (row) throws(StorageError) in try row.optionalInt(0) }
        guard let number else { throw Self.gone }
        return number.map { ObjectID(classNumber: target.number, number: $0) }
    }

    package func elements(_ property: Int, of object: ObjectID) throws -> [Value] {
        let list = try collection(ListID(object: object, property: property)) { !$0.isCell }
        if list.property.hasEntries {
            return try entries(of: list).map { list.property.kind == .set ? $0.entry : $0.value }
        }
        return try connection.all(
            """
            SELECT \(list.valueColumns) FROM \(list.table) WHERE owner = ? AND a = 1
            ORDER BY label
            """,
            .int(list.owner)
        ) { (row) throws(StorageError) in try Self.value(row, 0, list.property.type) }
    }

    package func targets(_ property: Int, of object: ObjectID) throws -> [ObjectID] {
        let list = try collection(ListID(object: object, property: property)) { !$0.isCell }
        guard let target = list.target else { return [] }
        if list.property.hasEntries { return try targets(of: list, in: target) }
        return try connection.all(
            """
            SELECT l.v FROM \(list.table) l JOIN \(target.table) t ON t.n = l.v AND t.a = 1
            WHERE l.owner = ? AND l.a = 1 ORDER BY l.label
            """,
            .int(list.owner)
        ) { (row) throws(StorageError) in
            ObjectID(classNumber: target.number, number: try row.int(0))
        }
    }

    package func referrers(
        of object: ObjectID, through property: Int, in classNumber: Int
    ) throws -> [ObjectID] {
        let holding = try realmClass(classNumber)
        let name = try realmClass(object.classNumber).schema.name
        guard holding.schema.properties.indices.contains(property),
            holding.schema.properties[property].type.linkedClass == name
        else { return [] }
        return try numbers(holding: object.number, by: property, in: holding).map {
            ObjectID(classNumber: classNumber, number: $0)
        }
    }

    package func objects(in classNumber: Int) throws -> [ObjectID] {
        guard cache.classes.indices.contains(classNumber) else { return [] }
        return try connection.all(
            "SELECT n FROM \(cache.classes[classNumber].table) WHERE a = 1 ORDER BY n"
        ) { (row) throws(StorageError) in
            ObjectID(classNumber: classNumber, number: try row.int(0))
        }
    }

    /// A value from its columns, where a link's is the key of its target.
    static func value(
        _ row: SQLiteRow, _ column: Int, _ type: ValueType
    ) throws(StorageError) -> Value {
        guard type.isLink else {
            return try row.value(column, type) { (_) throws(StorageError) in
                throw row.unexpected(column)
            }
        }
        return row.isNull(column) ? .null : .link(Link(key: try row.key(column), life: nil))
    }

    func cell(
        _ property: Int, of realmClass: RealmClass
    ) throws(StorageError) -> PropertySchema {
        let properties = realmClass.schema.properties
        guard properties.indices.contains(property), properties[property].isCell else {
            throw Self.gone
        }
        return properties[property]
    }
}
