package import TarnModel
package import TarnQuery
package import TarnStorage

/// A realm in a SQLite file of its own, which no other process may write meanwhile. A crash may
/// take back commits since the last checkpoint, whole and from the end.
package final class SQLiteRealmStore: RealmStore {
    let connection: SQLiteConnection
    var cache = RealmCache()
    /// What a rollback returns to; nil outside a transaction.
    private var before: RealmCache?
    private var marked: RealmCache?
    var pruning = PruningProgress()
    var known = KnownRows()

    /// Makes the file where it is not there; its folder must be.
    /// - Parameter bytesReused: how much of its write-ahead log stays when that begins anew.
    package init(path: String, bytesReused: Int = 0) throws(StorageError) {
        connection = try SQLiteConnection(
            path: path, format: RealmFile.format, synchronous: .normal, bytesReused: bytesReused)
        do throws(StorageError) {
            try load()
        } catch {
            connection.close()
            throw error
        }
    }

    /// Takes back what was not committed.
    package func close() {
        rollback()
        connection.close()
    }

    /// Bytes that the next checkpoint has to move.
    package var pendingByteCount: Int { connection.pendingByteCount }

    // MARK: Transactions

    package func begin() throws(StorageError) {
        precondition(before == nil, "transactions do not nest")
        try connection.begin(writing: true)
        before = cache
    }

    package func commit() throws(StorageError) {
        try expectTransaction()
        try connection.commit()
        known.forget()
        before = nil
        marked = nil
    }

    package func rollback() {
        connection.rollback()
        known.forget()
        if let before { cache = before }
        pruning = PruningProgress()
        before = nil
        marked = nil
    }

    package func mark() throws(StorageError) {
        precondition(marked == nil, "one mark at a time")
        try expectTransaction()
        try connection.run("SAVEPOINT mark")
        marked = cache
    }

    package func releaseMark() throws(StorageError) {
        precondition(marked != nil, "there is no mark")
        try expectTransaction()
        try connection.run("RELEASE mark")
        marked = nil
    }

    package func revertToMark() throws(StorageError) {
        guard let marked else { preconditionFailure("there is no mark") }
        try expectTransaction()
        known.forget()
        try connection.run("ROLLBACK TO mark")
        try connection.run("RELEASE mark")
        cache = marked
        self.marked = nil
    }

    package func checkpoint() throws(StorageError) {
        precondition(before == nil, "a checkpoint stands outside a transaction")
        try connection.checkpoint()
    }

    var isInTransaction: Bool { before != nil }

    /// What writes stands in a transaction. SQLite ends one by itself after some failures, and then
    /// each further write would be committed alone.
    func expectTransaction() throws(StorageError) {
        precondition(before != nil, "there is no transaction")
        guard connection.isInTransaction else {
            throw StorageError(
                .unavailable, while: "writing to the realm file",
                cause: "an earlier failure ended the transaction")
        }
    }

    // MARK: Versions

    package var applied: ResumePoint { cache.applied }
    package var schema: Schema { cache.schema }
    package var floor: Version { cache.floor }

    package func append(_ point: ResumePoint, origin: Origin) throws(StorageError) {
        try expectTransaction()
        guard point.version.number == cache.applied.version.number + 1 else {
            throw .corrupt(
                "version \(cache.applied.version) was the last",
                while: "beginning version \(point.version)")
        }
        let highest = max(cache.highestTicks, origin.ticks)
        try connection.run(
            "INSERT INTO version VALUES (?, ?, ?, ?, ?, ?, ?)", .bits(point.version.number),
            .bits(point.salt.rawValue), .int(try number(of: origin.transaction.replica)),
            .bits(origin.transaction.sequence), .bits(origin.ticks), .bits(highest),
            .int(try number(ofUser: origin.user)))
        cache.applied = point
        cache.highestTicks = highest
    }

    package func salt(of version: Version) throws(StorageError) -> Salt? {
        if version == .zero { return .zero }
        guard version >= cache.floor, version <= cache.applied.version else { return nil }
        return try connection.first(
            "SELECT salt FROM version WHERE n = ?", .bits(version.number)
        ) { (row) throws(StorageError) in Salt(try row.bits(0)) }
    }

    package func author(of version: Version) throws(StorageError) -> VersionAuthor? {
        guard version <= cache.applied.version else { return nil }
        return try connection.first(
            "SELECT replica, user FROM version WHERE n = ?", .bits(version.number)
        ) { (row) throws(StorageError) in
            VersionAuthor(replica: try replica(try row.int(0)), user: try user(try row.int(1)))
        }
    }

    package func highestTicks(through version: Version) throws(StorageError) -> UInt64 {
        guard version > .zero else { return 0 }
        guard version < cache.applied.version else { return cache.highestTicks }
        return try connection.first(
            "SELECT highest FROM version WHERE n >= ? ORDER BY n LIMIT 1",
            .bits(version.number)
        ) { (row) throws(StorageError) in try row.bits(0) } ?? cache.highestTicks
    }

    package func evaluate(_ query: BoundQuery) throws(StorageError) -> [ObjectID] {
        let sql = SQLQuery(query)
        return try connection.statement(sql.sql).all(sql.values) { (row) throws(StorageError) in
            ObjectID(classNumber: query.classNumber, number: try row.int(0))
        }
    }

    /// The stamp of a version that the store has.
    func stamp(of version: Version) throws(StorageError) -> Stamp {
        if let known = known.stamps[version] { return known }
        let stamp = try connection.first(
            "SELECT ticks, replica FROM version WHERE n = ?", .bits(version.number)
        ) { (row) throws(StorageError) in
            Stamp(ticks: try row.bits(0), replica: try replica(try row.int(1)))
        }
        guard let stamp else {
            throw .corrupt("version \(version) is not there", while: "reading the realm file")
        }
        if isInTransaction { known.stamps[version] = stamp }
        return stamp
    }

    // MARK: Opening

    private func load() throws(StorageError) {
        cache.floor =
            try connection.first("SELECT floor FROM realm") { (row) throws(StorageError) in
                Version(try row.bits(0))
            } ?? .zero
        try connection.statement("SELECT n, name, schema FROM class ORDER BY n").each {
            (row) throws(StorageError) in
            let schema = try row.classSchema(2)
            guard try row.int(0) == Int64(cache.classes.count),
                cache.schema[schema.name] == nil
            else { throw row.unexpected(0) }
            cache.schema.put(schema)
            cache.classes.append(RealmClass(number: cache.classes.count, schema: schema))
            return true
        }
        let select = "SELECT n, salt, highest FROM version ORDER BY n DESC LIMIT 1"
        try connection.statement(select).each { (row) throws(StorageError) in
            let version = try row.int(0)
            guard version > 0 else { throw row.unexpected(0) }
            cache.applied = ResumePoint(
                version: Version(UInt64(version)), salt: Salt(try row.bits(1)))
            cache.highestTicks = try row.bits(2)
            return true
        }
    }
}
