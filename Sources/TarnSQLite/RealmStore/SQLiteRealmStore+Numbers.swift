import TarnModel
import TarnStorage

/// Replicas and users are numbers in the file, and objects are numbers in their class.
extension SQLiteRealmStore {
    /// The number of a replica, given to it now if it has none.
    func number(of replica: ReplicaID) throws(StorageError) -> Int64 {
        if let number = try knownNumber(of: replica) { return number }
        try connection.run("INSERT INTO replica (id) VALUES (?)", .bits(replica.rawValue))
        let number = connection.lastInsertedRow
        cache.replicaNumbers[replica] = number
        return number
    }

    func knownNumber(of replica: ReplicaID) throws(StorageError) -> Int64? {
        if let number = cache.replicaNumbers[replica] { return number }
        let number = try connection.first(
            "SELECT n FROM replica WHERE id = ?", .bits(replica.rawValue)
        ) { (row) throws(StorageError) in try row.int(0) }
        if let number { cache.replicaNumbers[replica] = number }
        return number
    }

    func replica(_ number: Int64) throws(StorageError) -> ReplicaID {
        if let replica = cache.replicas[number] { return replica }
        let replica = try connection.first("SELECT id FROM replica WHERE n = ?", .int(number)) {
            (row) throws(StorageError) in ReplicaID(try row.bits(0))
        }
        guard let replica else {
            throw .corrupt("replica \(number) is not there", while: "reading the realm file")
        }
        cache.replicas[number] = replica
        return replica
    }

    func number(ofUser user: String) throws(StorageError) -> Int64 {
        if let number = try knownNumber(ofUser: user) { return number }
        try connection.run("INSERT INTO user (id) VALUES (?)", .text(user))
        let number = connection.lastInsertedRow
        cache.userNumbers[user] = number
        return number
    }

    func knownNumber(ofUser user: String) throws(StorageError) -> Int64? {
        if let number = cache.userNumbers[user] { return number }
        let number = try connection.first("SELECT n FROM user WHERE id = ?", .text(user)) {
            (row) throws(StorageError) in try row.int(0)
        }
        if let number { cache.userNumbers[user] = number }
        return number
    }

    func user(_ number: Int64) throws(StorageError) -> String {
        if let user = cache.users[number] { return user }
        let user = try connection.first("SELECT id FROM user WHERE n = ?", .int(number)) {
            (row) throws(StorageError) in try row.text(0)
        }
        guard let user else {
            throw .corrupt("user \(number) is not there", while: "reading the realm file")
        }
        cache.users[number] = user
        return user
    }

    // MARK: Classes and objects

    func realmClass(_ number: Int) throws(StorageError) -> RealmClass {
        guard cache.classes.indices.contains(number) else {
            throw .corrupt("there is no class \(number)", while: "reading the realm file")
        }
        return cache.classes[number]
    }

    /// The class that a property's links lead to; nil where it is no link, or its class is not
    /// there yet, so that all links are null.
    func target(of property: PropertySchema) -> RealmClass? {
        property.type.linkedClass.flatMap { cache.schema.number(of: $0) }.map { cache.classes[$0] }
    }

    /// The number of a living object.
    func living(_ key: PrimaryKey, in realmClass: RealmClass) throws(StorageError) -> Int64? {
        try row(of: key, in: realmClass)?.number
    }

    func expectLiving(
        _ object: ObjectID
    ) throws(StorageError) -> RealmClass {
        let realmClass = try realmClass(object.classNumber)
        _ = try expectRow(of: object)
        return realmClass
    }

    static var gone: StorageError {
        .corrupt("it is not there", while: "reading an object of the realm file")
    }

    // MARK: Transactions and slots

    func columns(_ id: TransactionID) throws(StorageError) -> [SQLiteValue] {
        [.int(try number(of: id.replica)), .bits(id.sequence)]
    }

    func transaction(_ row: SQLiteRow, _ column: Int) throws(StorageError) -> TransactionID {
        TransactionID(
            replica: try replica(try row.int(column)), sequence: try row.bits(column + 1))
    }

    func columns(_ slot: SlotID?) throws(StorageError) -> [SQLiteValue] {
        guard let slot else { return [.null, .null, .null] }
        return try columns(slot.transaction) + [.int(Int64(slot.ordinal))]
    }

    /// The slot's columns where its replica was ever heard of: without adding it.
    func knownColumns(_ slot: SlotID) throws(StorageError) -> [SQLiteValue]? {
        guard let replica = try knownNumber(of: slot.transaction.replica) else { return nil }
        return [.int(replica), .bits(slot.transaction.sequence), .int(Int64(slot.ordinal))]
    }

    func slot(_ row: SQLiteRow, _ column: Int) throws(StorageError) -> SlotID {
        guard let ordinal = UInt32(exactly: try row.int(column + 2)) else {
            throw row.unexpected(column + 2)
        }
        return SlotID(transaction: try transaction(row, column), ordinal: ordinal)
    }

    func optionalSlot(_ row: SQLiteRow, _ column: Int) throws(StorageError) -> SlotID? {
        row.isNull(column) ? nil : try slot(row, column)
    }
}
