import TarnCBOR
package import TarnModel
package import TarnStorage

/// Whose replica it is, its schema, and where it stands.
extension SQLiteReplicaStore {
    package func identity() throws(StorageError) -> ReplicaIdentity? {
        expectOpen()
        let former = try file.all("SELECT id FROM former ORDER BY number") {
            (row) throws(StorageError) in ReplicaID(try row.bits(0))
        }
        let common = try point("SELECT version, salt FROM common")
        let sql = "SELECT owner, name, realm, replica, user FROM identity"
        return try file.first(sql) { (row) throws(StorageError) in
            guard let name = RealmName(owner: try row.text(0), name: try row.text(1)) else {
                throw row.unexpected(0)
            }
            var realm: RealmID?
            if let bytes = try row.optionalBlob(2) {
                guard let id = RealmID(bytes: bytes) else { throw row.unexpected(2) }
                realm = id
            }
            return ReplicaIdentity(
                realmName: name, realm: realm, replica: ReplicaID(try row.bits(3)),
                user: try row.text(4), formerReplicas: former, common: common)
        }
    }

    package func setIdentity(_ identity: ReplicaIdentity) throws(StorageError) {
        expectWriting()
        try file.run(
            "REPLACE INTO identity VALUES (1, ?, ?, ?, ?, ?)", .text(identity.realmName.owner),
            .text(identity.realmName.name), SQLiteValue(identity.realm?.bytes),
            .bits(identity.replica.rawValue), .text(identity.user))
        for former in identity.formerReplicas {
            try file.run("INSERT OR IGNORE INTO former (id) VALUES (?)", .bits(former.rawValue))
        }
        guard let common = identity.common else { return try file.run("DELETE FROM common") }
        try file.run(
            "REPLACE INTO common VALUES (1, ?, ?)", .bits(common.version.number),
            .bits(common.salt.rawValue))
    }

    package func resumePoint() throws(StorageError) -> ResumePoint {
        expectOpen()
        return try point("SELECT version, salt FROM resume") ?? .zero
    }

    private func point(_ sql: String) throws(StorageError) -> ResumePoint? {
        try file.first(sql) { (row) throws(StorageError) in try row.point(0) }
    }

    package func setResumePoint(_ point: ResumePoint) throws(StorageError) {
        expectWriting()
        try file.run(
            "REPLACE INTO resume VALUES (1, ?, ?)", .bits(point.version.number),
            .bits(point.salt.rawValue))
        try note(point)
    }

    package func putClass(_ schema: ClassSchema) throws(StorageError) {
        expectWriting()
        let present = content.schema[schema.name]
        content.put(schema)
        guard let number = content.schema.number(of: schema.name) else { return }
        let replicaClass = content.classes[number]
        if let present {
            try extend(replicaClass, from: present.properties.count)
        } else {
            for statement in replicaClass.creation { try file.execute(statement) }
        }
        var writer = CBORWriter()
        writer.write(schema)
        try file.run(
            """
            INSERT INTO class VALUES (?1, ?2, ?3, 0)
            ON CONFLICT (number) DO UPDATE SET schema = ?3
            """, .int(Int64(number)), .text(schema.name), .blob(writer.bytes))
        content.schemaRevision = try advance("schema", by: 1)
        let views = ReadableViews(
            schema: content.schema, classes: content.classes.map(\.layout),
            takenNames: SQLiteFormat.replicaNames)
        for statement in views.statements(for: number) { try file.execute(statement) }
    }

    private func extend(_ replicaClass: ReplicaClass, from first: Int) throws(StorageError) {
        for statement in replicaClass.addition(from: first) { try file.execute(statement) }
        for (index, cell) in replicaClass.cells.enumerated().dropFirst(first) {
            guard let cell else { continue }
            let initial = replicaClass.schema.properties[index].initialValue
            guard initial != .null else { continue }
            let columns = try initial.columns(cell.type) { (_) throws(StorageError) in
                throw .wrongType(index, in: replicaClass.layout.number)
            }
            try file.run(cell.fill, values: columns)
        }
    }

    /// Reads the schema, if another process has changed it.
    func loadSchema() throws(StorageError) {
        let revision = try counter("schema")
        guard revision != content.schemaRevision else { return }
        var schema = Schema()
        let sql = "SELECT number, schema FROM class ORDER BY number"
        let classes = try file.all(sql) { (row) throws(StorageError) in
            let number = try row.int(0)
            var reader = CBORReader(try row.blob(1))
            do throws(CBORError) {
                return (number: number, schema: try reader.readClassSchema())
            } catch {
                throw row.unexpected(1)
            }
        }
        for entry in classes {
            guard entry.number == Int64(schema.classes.count), schema[entry.schema.name] == nil
            else {
                throw .corrupt("its classes are not in order", while: "reading the replica")
            }
            schema.put(entry.schema)
        }
        content.load(schema, revision: revision)
    }

    /// The number of a class's next object, none of which is given twice.
    func nextNumber(in classNumber: Int) throws(StorageError) -> Int64 {
        var last = content.lastNumbers[classNumber]
        if last == nil {
            last = try file.first("SELECT last FROM class WHERE number = ?", .int(classNumber)) {
                (row) throws(StorageError) in try row.int(0)
            }
        }
        guard let last, last < Int64.max else { throw .noSuchClass(classNumber) }
        content.lastNumbers[classNumber] = last + 1
        return last + 1
    }

    func saveLastNumbers() throws(StorageError) {
        for (number, last) in content.lastNumbers {
            try file.run(
                "UPDATE class SET last = ?2 WHERE number = ?1", .int(number), .int(last))
        }
    }

    func counter(_ name: String) throws(StorageError) -> Int64 {
        try file.first("SELECT value FROM counter WHERE name = ?", .text(name)) {
            (row) throws(StorageError) in try row.int(0)
        } ?? 0
    }

    /// Adds to a counter and tells what it is then.
    func advance(_ name: String, by amount: Int) throws(StorageError) -> Int64 {
        let value = try counter(name) + Int64(amount)
        try file.run("REPLACE INTO counter VALUES (?, ?)", .text(name), .int(value))
        return value
    }
}

extension SQLiteValue {
    static func int(_ value: Int) -> SQLiteValue { .int(Int64(value)) }
}
