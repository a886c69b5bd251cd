import TarnCBOR
package import TarnModel
package import TarnStorage

extension SQLiteReplicaStore {
    package func subscriptions() throws(StorageError) -> [StoredSubscription] {
        expectOpen()
        let sql = """
            SELECT number, name, query, arguments, depth, state, version, at, problem
            FROM subscription ORDER BY number
            """
        return try file.all(sql) { (row) throws(StorageError) in
            StoredSubscription(
                number: try row.int(0), name: try row.text(1), query: try row.text(2),
                arguments: try row.arguments(3), depth: Int(try row.int(4)),
                state: try row.subscriptionState(5))
        }
    }

    package func addSubscription(
        name: String, query: String, arguments: [Value], depth: Int
    ) throws(StorageError) -> StoredSubscription {
        expectWriting()
        let sql = "SELECT 1 FROM subscription WHERE name = ?"
        let isTaken = try file.first(sql, .text(name)) { (_) throws(StorageError) in true }
        if isTaken == true { throw .nameIsTaken(name) }
        var writer = CBORWriter()
        writer.writeArrayHeader(arguments.count)
        for argument in arguments { writer.write(argument) }
        try file.run(
            """
            INSERT INTO subscription (name, query, arguments, depth, state)
            VALUES (?, ?, ?, ?, 0)
            """, .text(name), .text(query), .blob(writer.bytes), .int(depth))
        return StoredSubscription(
            number: file.lastInsertedRow, name: name, query: query, arguments: arguments,
            depth: depth, state: .pending)
    }

    package func setState(
        _ state: SubscriptionState, of number: Int64
    ) throws(StorageError) {
        expectWriting()
        let columns: [SQLiteValue] =
            switch state {
            case .pending: [0, nil, nil, nil]
            case .complete(let version, let time): [1, .bits(version.number), .int(time), nil]
            case .error(let sentence): [2, nil, nil, .text(sentence)]
            }
        try file.run(
            """
            UPDATE subscription SET state = ?2, version = ?3, at = ?4, problem = ?5
            WHERE number = ?1
            """, values: [.int(number)] + columns)
    }

    package func removeSubscription(_ number: Int64) throws(StorageError) -> [ObjectID] {
        expectWriting()
        let held = try members(of: number)
        try file.run("DELETE FROM member WHERE subscription = ?", .int(number))
        try file.run("DELETE FROM subscription WHERE number = ?", .int(number))
        content.loosened.formUnion(held)
        var released: [ObjectID] = []
        for object in held {
            if try !isMember(object) { released.append(object) }
        }
        return released
    }

    package func setMember(
        _ object: ObjectID, isRoot: Bool, of subscription: Int64
    ) throws(StorageError) {
        expectWriting()
        try file.run(
            """
            REPLACE INTO member SELECT ?1, ?2, ?3, ?4
            WHERE EXISTS (SELECT 1 FROM subscription WHERE number = ?1)
            """, .int(subscription), .int(object.classNumber), .int(object.number), .flag(isRoot))
    }

    package func removeMember(
        _ object: ObjectID, of subscription: Int64
    ) throws(StorageError) {
        expectWriting()
        try file.run(
            "DELETE FROM member WHERE subscription = ? AND class = ? AND n = ?",
            .int(subscription), .int(object.classNumber), .int(object.number))
        content.loosened.insert(object)
    }

    package func isMember(_ object: ObjectID) throws(StorageError) -> Bool {
        expectOpen()
        let sql = "SELECT 1 FROM member WHERE class = ? AND n = ? LIMIT 1"
        return try file.first(sql, .int(object.classNumber), .int(object.number)) {
            (_) throws(StorageError) in true
        } ?? false
    }

    package func members(of subscription: Int64) throws(StorageError) -> [ObjectID] {
        expectOpen()
        let sql = "SELECT class, n FROM member WHERE subscription = ? ORDER BY class, n"
        return try file.all(sql, .int(subscription)) {
            (row) throws(StorageError) in try row.object(0)
        }
    }

    package func roots(of subscription: Int64) throws(StorageError) -> [ObjectID] {
        expectOpen()
        let sql = """
            SELECT class, n FROM member WHERE subscription = ? AND root = 1 ORDER BY class, n
            """
        return try file.all(sql, .int(subscription)) {
            (row) throws(StorageError) in try row.object(0)
        }
    }
}

extension SQLiteRow {
    fileprivate func arguments(_ column: Int) throws(StorageError) -> [Value] {
        var reader = CBORReader(try blob(column))
        do throws(CBORError) {
            var values: [Value] = []
            for _ in 0..<(try reader.readArrayHeader()) { values.append(try reader.readValue()) }
            return values
        } catch {
            throw unexpected(column)
        }
    }

    fileprivate func subscriptionState(
        _ column: Int
    ) throws(StorageError) -> SubscriptionState {
        switch try int(column) {
        case 0: return .pending
        case 1: return .complete(Version(try bits(column + 1)), at: try int(column + 2))
        case 2: return .error(try text(column + 3))
        default: throw unexpected(column)
        }
    }
}
