package import TarnModel
package import TarnStorage

extension SQLiteRealmStore {
    package func advanceFloor(to version: Version) throws(StorageError) {
        try expectTransaction()
        precondition(version <= cache.applied.version, "the floor stands on what was applied")
        guard version > cache.floor else { return }
        try connection.run("UPDATE realm SET floor = ?", .bits(version.number))
        cache.floor = version
    }

    package func prune(limit: Int) throws(StorageError) -> Bool {
        try expectTransaction()
        var rest = limit
        if pruning.freed < cache.floor {
            try freeTombstones(&rest)
            if rest > 0 { try freeViews(&rest) }
            guard rest > 0 else { return true }
            let floor = SQLiteValue.bits(cache.floor.number)
            try connection.run("DELETE FROM gap WHERE last < ?", floor)
            try connection.run("DELETE FROM moment WHERE version < ?", floor)
            pruning.freed = cache.floor
            pruning.view = 0
        }
        return try sweepVersions(&rest)
    }

    // MARK: Moments

    package func noteMoment(_ milliseconds: Int64) throws(StorageError) {
        try expectTransaction()
        try connection.run(
            "INSERT OR IGNORE INTO moment VALUES (?, ?)", .bits(cache.applied.version.number),
            .int(milliseconds))
    }

    package func version(at milliseconds: Int64) throws(StorageError) -> Version {
        let version = try connection.first(
            "SELECT version FROM moment WHERE time <= ? ORDER BY version DESC LIMIT 1",
            .int(milliseconds)
        ) { (row) throws(StorageError) in Version(try row.bits(0)) }
        return version ?? .zero
    }

    package func lastMoment() throws(StorageError) -> VersionMoment? {
        try connection.first("SELECT version, time FROM moment ORDER BY version DESC LIMIT 1") {
            (row) throws(StorageError) in
            VersionMoment(version: Version(try row.bits(0)), milliseconds: try row.int(1))
        }
    }

    // MARK: Tombstones

    private func freeTombstones(_ rest: inout Int) throws(StorageError) {
        for realmClass in cache.classes {
            try freeObjects(of: realmClass, &rest)
            let layout = realmClass.layout
            let collections =
                layout.lists.map { (layout.listTable($0.number), "vacated") }
                + layout.entries.map { (layout.listTable($0.number), "changed") }
            for (table, column) in collections where rest > 0 {
                try delete("n", from: table, where: "a = 0 AND \(column) <= ?", &rest)
            }
            guard rest > 0 else { return }
        }
        try freeIncrements(&rest)
    }

    private func freeIncrements(_ rest: inout Int) throws(StorageError) {
        try delete(
            "class, n, property, version", from: "increment", where: "version <= ?", &rest)
    }

    /// - Parameter condition: with the floor as its parameter.
    private func delete(
        _ identity: String, from table: String, where condition: String, _ rest: inout Int
    ) throws(StorageError) {
        try connection.run(
            """
            DELETE FROM \(table) WHERE (\(identity)) IN (
                SELECT \(identity) FROM \(table) WHERE \(condition) LIMIT ?)
            """, .bits(cache.floor.number), .int(Int64(rest)))
        rest -= connection.changedRows
    }

    /// The object with the highest number stays, as a tombstone: the next one's number comes after
    /// it, and no number is given twice.
    private func freeObjects(
        of realmClass: RealmClass, _ rest: inout Int
    ) throws(StorageError) {
        guard rest > 0 else { return }
        let table = realmClass.table
        let forgotten = try connection.all(
            """
            SELECT n, k, life_replica, life_sequence FROM \(table)
            WHERE a = 0 AND deleted <= ? AND n < (SELECT max(n) FROM \(table)) LIMIT ?
            """, .bits(cache.floor.number), .int(Int64(rest))
        ) { (row) throws(StorageError) in
            (n: try row.int(0), life: [try row.value(1), try row.value(2), try row.value(3)])
        }
        for object in forgotten {
            try connection.run(
                """
                DELETE FROM alias
                WHERE class = ? AND k = ? AND life_replica = ? AND life_sequence = ?
                """, values: [.int(Int64(realmClass.number))] + object.life)
            try connection.run("DELETE FROM \(table) WHERE n = ?", .int(object.n))
        }
        rest -= forgotten.count
    }

    // MARK: Views

    /// Members that left, and whole views that were last kept up below the floor: nobody has them
    /// as they were at or above it.
    private func freeViews(_ rest: inout Int) throws(StorageError) {
        let floor = SQLiteValue.bits(cache.floor.number)
        while rest > 0 {
            let view = try connection.first(
                "SELECT n, maintained < ? FROM view WHERE n > ? ORDER BY n LIMIT 1", floor,
                .int(pruning.view)
            ) { (row) throws(StorageError) in (n: try row.int(0), isStale: try row.flag(1)) }
            guard let view else { return }
            rest -= 1
            let members =
                view.isStale
                ? "SELECT n FROM member WHERE view = ?1 LIMIT ?2"
                : """
                SELECT n FROM member WHERE view = ?1 AND left IS NOT NULL AND left <= ?3 LIMIT ?2
                """
            let values: [SQLiteValue] =
                [.int(view.n), .int(Int64(max(rest, 1)))] + (view.isStale ? [] : [floor])
            try connection.run("DELETE FROM member WHERE n IN (\(members))", values: values)
            rest -= connection.changedRows
            guard rest > 0 else { return }
            if view.isStale { try connection.run("DELETE FROM view WHERE n = ?", .int(view.n)) }
            pruning.view = view.n
        }
    }
}
