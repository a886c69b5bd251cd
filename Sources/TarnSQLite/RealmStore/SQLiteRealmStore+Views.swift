import TarnCBOR
package import TarnModel
package import TarnStorage

extension SQLiteRealmStore {
    package func view(_ key: ViewKey) throws(StorageError) -> ViewRecord? {
        guard let user = try knownNumber(ofUser: key.user) else { return nil }
        return try connection.first(
            """
            SELECT n, created, maintained FROM view
            WHERE query = ? AND arguments = ? AND user = ? AND depth = ?
            """,
            .text(key.query), .blob(Self.encoded(key.arguments)), .int(user),
            .int(Int64(key.depth))
        ) { (row) throws(StorageError) in
            ViewRecord(
                number: try row.int(0), created: Version(try row.bits(1)),
                maintained: Version(try row.bits(2)))
        }
    }

    package func createView(_ key: ViewKey) throws(StorageError) -> ViewRecord {
        try expectTransaction()
        let version = cache.applied.version
        try connection.run(
            """
            INSERT INTO view (query, arguments, user, depth, created, maintained)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            .text(key.query), .blob(Self.encoded(key.arguments)),
            .int(try number(ofUser: key.user)), .int(Int64(key.depth)), .bits(version.number),
            .bits(version.number))
        return ViewRecord(
            number: connection.lastInsertedRow, created: version, maintained: version)
    }

    package func setMaintained(_ version: Version, of view: Int64) throws(StorageError) {
        try expectTransaction()
        try connection.run(
            "UPDATE view SET maintained = ? WHERE n = ?", .bits(version.number), .int(view))
    }

    package func gaps() throws(StorageError) -> [VersionGap] {
        try connection.all(
            "SELECT first, last FROM gap WHERE last >= ? ORDER BY n",
            .bits(cache.floor.number)
        ) { (row) throws(StorageError) in
            VersionGap(first: Version(try row.bits(0)), last: Version(try row.bits(1)))
        }
    }

    package func addGap(_ gap: VersionGap) throws(StorageError) {
        try expectTransaction()
        try connection.run(
            "INSERT INTO gap (first, last) VALUES (?, ?)", .bits(gap.first.number),
            .bits(gap.last.number))
    }

    package func members(of view: Int64) throws(StorageError) -> [Member] {
        try connection.all(
            "\(Self.selectMember) WHERE view = ? AND left IS NULL ORDER BY n", .int(view),
            read: Self.member)
    }

    package func member(_ object: ObjectID, of view: Int64) throws(StorageError) -> Member? {
        try connection.first(
            """
            \(Self.selectMember) WHERE view = ? AND class = ? AND object = ? AND left IS NULL
            """,
            .int(view), .int(Int64(object.classNumber)), .int(object.number), read: Self.member)
    }

    package func members(
        of view: Int64, behind object: ObjectID?, limit: Int
    ) throws(StorageError) -> [Member] {
        let place = Self.place(object)
        return try connection.all(
            """
            \(Self.selectMember)
            WHERE view = ? AND left IS NULL AND (class, object) > (?, ?)
            ORDER BY class, object LIMIT ?
            """,
            .int(view), place.classNumber, place.number, .int(Int64(limit)), read: Self.member)
    }

    package func departures(
        of view: Int64, since version: Version, wereIn: Bool, behind object: ObjectID?,
        through last: ObjectID?, limit: Int
    ) throws(StorageError) -> [ObjectID] {
        let place = Self.place(object)
        let bound = last == nil ? "" : "AND (class, object) <= (?6, ?7)"
        let entered = wereIn ? "AND entered <= ?2" : ""
        var values: [SQLiteValue] = [
            .int(view), .int(Int64(clamping: version.number)), place.classNumber, place.number,
            .int(Int64(limit)),
        ]
        if let last { values += [.int(Int64(last.classNumber)), .int(last.number)] }
        return try connection.statement(
            """
            SELECT DISTINCT class, object FROM member
            WHERE view = ?1 AND left IS NOT NULL AND (class, object) > (?3, ?4) \(bound)
                AND left > ?2 \(entered)
            ORDER BY class, object LIMIT ?5
            """
        ).all(values) { (row) throws(StorageError) in
            ObjectID(classNumber: Int(try row.int(0)), number: try row.int(1))
        }
    }

    /// Before all objects where there is none.
    private static func place(
        _ object: ObjectID?
    ) -> (classNumber: SQLiteValue, number: SQLiteValue) {
        (.int(Int64(object?.classNumber ?? -1)), .int(object?.number ?? 0))
    }

    package func memberChanges(
        of view: Int64, since version: Version
    ) throws(StorageError) -> [Member] {
        try connection.all(
            """
            \(Self.selectMember) WHERE view = ?1 AND entered > ?2
            UNION
            \(Self.selectMember) WHERE view = ?1 AND left IS NOT NULL AND left > ?2
            ORDER BY n
            """,
            .int(view), .int(Int64(clamping: version.number)), read: Self.member)
    }

    package func enter(
        _ object: ObjectID, isRoot: Bool, view: Int64, at version: Version
    ) throws(StorageError) {
        try expectTransaction()
        try connection.run(
            "INSERT INTO member (view, class, object, root, entered) VALUES (?, ?, ?, ?, ?)",
            .int(view), .int(Int64(object.classNumber)), .int(object.number), .flag(isRoot),
            .bits(version.number))
    }

    package func leave(
        _ object: ObjectID, view: Int64, at version: Version
    ) throws(StorageError) {
        try expectTransaction()
        try connection.run(
            """
            UPDATE member SET left = ? WHERE view = ? AND class = ? AND object = ? AND left IS NULL
            """,
            .bits(version.number), .int(view), .int(Int64(object.classNumber)),
            .int(object.number))
    }

    private static let selectMember = "SELECT n, class, object, root, entered, left FROM member"

    private static func member(_ row: SQLiteRow) throws(StorageError) -> Member {
        let left = try row.optionalInt(5).map { Version(UInt64(bitPattern: $0)) }
        return Member(
            object: ObjectID(classNumber: Int(try row.int(1)), number: try row.int(2)),
            isRoot: try row.flag(3), entered: Version(try row.bits(4)), left: left)
    }

    private static func encoded(_ arguments: [Value]) -> [UInt8] {
        var writer = CBORWriter()
        writer.writeArrayHeader(arguments.count)
        for argument in arguments { writer.write(argument) }
        return writer.bytes
    }
}
