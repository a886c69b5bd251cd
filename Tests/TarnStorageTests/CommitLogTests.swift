import TarnModel
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// What every commit log promises.
struct CommitLogTests {
    private let folder = TemporaryFolder()
    private let realm = RealmID(bytes: Array(1...16))!
    private let other = RealmID(bytes: Array(2...17))!

    private func record(_ version: UInt64, of realm: RealmID? = nil) -> LogRecord {
        let id = transaction(alice, version)
        return LogRecord(
            realm: realm ?? self.realm, point: point(version), origin: origin(id, ticks: version),
            outcome: version.isMultiple(of: 2) ? .accepted : .refused(Refusal(.wrongType, "No.")),
            effects: [
                .create(
                    className: "A", key: .int(Int64(truncatingIfNeeded: version)), life: id,
                    values: []),
                .delete(className: "A", key: .int(Int64(truncatingIfNeeded: version))),
            ])
    }

    @Test(arguments: StoreKind.allCases)
    func `records come back in order, above a version and up to a limit`(kind: StoreKind) throws {
        let log = try kind.commitLog(in: folder)

        try log.append([record(1), record(2)])
        try log.append([record(3), record(4)])

        #expect(try log.records(of: realm, after: .zero, limit: 9) == (1...4).map { record($0) })
        #expect(
            try log.records(of: realm, after: Version(1), limit: 2) == [record(2), record(3)])
        #expect(try log.records(of: realm, after: Version(4), limit: 9) == [])
        #expect(try log.records(of: realm, after: Version(.max), limit: 9) == [])
        #expect(try log.lastVersion(of: realm) == Version(4))
    }

    @Test(arguments: StoreKind.allCases)
    func `realms have records and versions of their own`(kind: StoreKind) throws {
        let log = try kind.commitLog(in: folder)

        try log.append([record(1), record(1, of: other), record(2, of: other)])

        #expect(try log.records(of: realm, after: .zero, limit: 9) == [record(1)])
        #expect(try log.lastVersion(of: other) == Version(2))
        #expect(try log.lastVersion(of: RealmID(bytes: Array(3...18))!) == .zero)
    }

    @Test(arguments: StoreKind.allCases, [UInt64(0), 1, 2, 4, .max])
    func `a version that does not follow the last is refused with its batch`(
        kind: StoreKind, version: UInt64
    ) throws {
        let log = try kind.commitLog(in: folder)
        try log.append([record(1), record(2)])

        let error = #expect(throws: StorageError.self) {
            try log.append([record(1, of: other), record(version)])
        }

        #expect(error?.code == .corrupt)
        #expect(try log.lastVersion(of: realm) == Version(2))
        #expect(try log.lastVersion(of: other) == .zero)
        try log.append([record(3)])
    }

    @Test(arguments: StoreKind.allCases)
    func `trimming forgets records, and never the last version`(kind: StoreKind) throws {
        let log = try kind.commitLog(in: folder)
        try log.append([record(1), record(2), record(3), record(1, of: other)])

        try log.trim(realm, through: Version(2))

        #expect(try log.records(of: realm, after: .zero, limit: 9) == [record(3)])
        try log.trim(realm, through: Version(9))
        #expect(try log.records(of: realm, after: .zero, limit: 9) == [])
        #expect(try log.lastVersion(of: realm) == Version(3))
        try log.append([record(4)])
        #expect(try log.records(of: realm, after: .zero, limit: 9) == [record(4)])
        #expect(try log.records(of: other, after: .zero, limit: 9) == [record(1, of: other)])
    }

    @Test(arguments: StoreKind.allCases)
    func `what became of a transaction is found by its replica and sequence`(
        kind: StoreKind
    ) throws {
        let log = try kind.commitLog(in: folder)
        try log.append([record(1), record(1, of: other), record(2), record(3)])

        try log.trim(realm, through: Version(1))

        #expect(try log.record(of: transaction(alice, 2), in: realm) == record(2))
        #expect(try log.record(of: transaction(alice, 3), in: realm) == record(3))
        #expect(try log.record(of: transaction(alice, 1), in: realm) == nil)
        #expect(try log.record(of: transaction(alice, 1), in: other) == record(1, of: other))
        #expect(try log.record(of: transaction(alice, 2), in: other) == nil)
        #expect(try log.record(of: transaction(bob, 2), in: realm) == nil)
        #expect(try log.record(of: transaction(alice, 4), in: realm) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `the extent is that of the records which are kept`(kind: StoreKind) throws {
        let log = try kind.commitLog(in: folder)
        func size(_ versions: ClosedRange<UInt64>) -> Int {
            versions.reduce(0) { $0 + record($1).encoded.count }
        }

        #expect(try log.extent(of: realm) == .empty)
        try log.append((1...4).map { record($0) } + [record(1, of: other)])
        try log.append([record(5)])

        let whole = try log.extent(of: realm)
        #expect(whole == LogExtent(trimmed: .zero, last: Version(5), bytes: size(1...5)))
        #expect(whole.records == 5)
        try log.trim(realm, through: Version(3))
        let rest = try log.extent(of: realm)
        #expect(rest == LogExtent(trimmed: Version(3), last: Version(5), bytes: size(4...5)))
        #expect(rest.records == 2)
        try log.trim(realm, through: Version(5))
        #expect(
            try log.extent(of: realm)
                == LogExtent(trimmed: Version(5), last: Version(5), bytes: 0))
    }

    @Test(arguments: StoreKind.allCases)
    func `a log forgets in slices, and never what is not synced`(kind: StoreKind) throws {
        let log = try kind.commitLog(in: folder)
        try log.append((1...20).map { record($0) })
        func kept() throws -> [UInt64] {
            try log.records(of: realm, after: .zero, limit: 99).map(\.point.version.number)
        }

        let floor = LogTrim(synced: Version(8), floor: Version(12))
        #expect(try log.trim(realm, by: floor, limit: 3))
        #expect(try kept() == Array(4...20))
        while try log.trim(realm, by: floor, limit: 3) {}
        #expect(try kept() == Array(9...20))

        let bytes = (16...20).reduce(0) { $0 + record($1).encoded.count }
        let size = LogTrim(synced: Version(18), floor: .zero, bytesMax: bytes)
        while try log.trim(realm, by: size, limit: 3) {}
        #expect(try kept() == Array(16...20))
        let nothing = LogTrim(synced: Version(18), floor: .zero, bytesMax: 0)
        while try log.trim(realm, by: nothing, limit: 3) {}
        #expect(try kept() == [19, 20])
        #expect(try log.lastVersion(of: realm) == Version(20))
        #expect(try !log.trim(RealmID(bytes: Array(3...18))!, by: floor, limit: 3))
    }

    @Test func `a log file of the first layout gains sizes and an index by transaction`() throws {
        let path = folder.file("log.db")
        let old = SQLiteFormat(
            name: "the commit log", applicationID: 0x5461_724C, version: 1,
            tables: [
                """
                CREATE TABLE realm (
                    n INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, trimmed INTEGER NOT NULL)
                """,
                "CREATE TABLE record (n INTEGER PRIMARY KEY, body BLOB NOT NULL)",
            ])
        let file = try SQLiteConnection(path: path, format: old, synchronous: .full)
        for (number, id) in [realm, other].enumerated() {
            try file.run(
                "INSERT INTO realm (id, trimmed) VALUES (?, ?)", .blob(id.bytes),
                .int(number == 0 ? 2 : 0))
        }
        for version in UInt64(3)...5 {
            try file.run(
                "INSERT INTO record (n, body) VALUES (?, ?)", .int(1 << 40 + Int64(version)),
                .blob(record(version).encoded))
        }
        file.close()

        let log = try SQLiteCommitLog(path: path)

        #expect(try log.records(of: realm, after: .zero, limit: 9) == (3...5).map { record($0) })
        #expect(try log.record(of: transaction(alice, 4), in: realm) == record(4))
        let bytes = (3...5).reduce(0) { $0 + record($1).encoded.count }
        #expect(
            try log.extent(of: realm)
                == LogExtent(trimmed: Version(2), last: Version(5), bytes: bytes))
        try log.append([record(6), record(1, of: other)])
        #expect(try log.record(of: transaction(alice, 6), in: realm) == record(6))
        log.close()
        let again = try SQLiteCommitLog(path: path)
        #expect(try again.record(of: transaction(alice, 1), in: other) == record(1, of: other))
    }

    @Test func `a log file that is opened again has all that was appended`() throws {
        let log = try SQLiteCommitLog(path: folder.file("log.db"))
        try log.append([record(1), record(2)])
        try log.trim(realm, through: Version(1))
        log.close()

        let again = try SQLiteCommitLog(path: folder.file("log.db"))

        #expect(try again.records(of: realm, after: .zero, limit: 9) == [record(2)])
        #expect(try again.lastVersion(of: realm) == Version(2))
    }

    @Test func `a log file that was copied while it was open has all that was appended`() throws {
        let log = try SQLiteCommitLog(path: folder.file("log.db"))
        try log.append([record(1)])
        try log.append([record(2)])

        try CrashedFile.copy(folder.file("log.db"), to: folder.file("copy.db"))

        let copy = try SQLiteCommitLog(path: folder.file("copy.db"))
        #expect(try copy.lastVersion(of: realm) == Version(2))
    }

    @Test(arguments: [true, false])
    func `the write-ahead log of a log file does not grow without end`(othersWait: Bool) throws {
        let log = try SQLiteCommitLog(path: folder.file("log.db"))
        let text = Value.string(String(repeating: "x", count: 1 << 20))
        for version in UInt64(1)...20 {
            let id = transaction(alice, version)
            let effect = Effect.set(
                className: "A", key: .int(1), property: "p", value: text, isDefault: false)
            try log.append([
                LogRecord(
                    realm: realm, point: point(version), origin: origin(id), outcome: .accepted,
                    effects: [effect])
            ])
            log.checkpointIfDue(othersWait: othersWait)
        }

        let pending = try CrashedFile.read(folder.file("log.db-wal")).count
        #expect(pending < 6 << 20)
        #expect(try log.records(of: realm, after: .zero, limit: 40).count == 20)
    }

    @Test func `a log in memory fails when it is told to, and writes nothing then`() throws {
        let log = MemoryCommitLog()
        let realm = realm
        log.fault = { batch in
            batch.count > 1 ? StorageError(.full, while: "testing") : nil
        }

        #expect(throws: StorageError(.full, while: "testing")) {
            try log.append([record(1), record(2)])
        }

        #expect(try log.lastVersion(of: realm) == .zero)
        try log.append([record(1)])
    }
}
