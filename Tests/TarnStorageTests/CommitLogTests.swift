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

    @Test func `the write-ahead log of a log file does not grow without end`() throws {
        let log = try SQLiteCommitLog(path: folder.file("log.db"))
        let text = Value.string(String(repeating: "x", count: 8 << 20))
        for version in UInt64(1)...10 {
            let id = transaction(alice, version)
            let effect = Effect.set(
                className: "A", key: .int(1), property: "p", value: text, isDefault: false)
            try log.append([
                LogRecord(
                    realm: realm, point: point(version), origin: origin(id), outcome: .accepted,
                    effects: [effect])
            ])
        }

        let pending = try CrashedFile.read(folder.file("log.db-wal")).count
        #expect(pending < 48 << 20)
        #expect(try log.records(of: realm, after: .zero, limit: 20).count == 10)
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
