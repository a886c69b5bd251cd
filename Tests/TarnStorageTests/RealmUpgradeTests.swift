import TarnModel
import TarnQuery
import TarnStorage
import TarnTesting
import Testing

@testable import TarnSQLite

struct RealmUpgradeTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("realm.db") }

    private func commit(
        _ version: UInt64, to store: SQLiteRealmStore, _ effects: [Effect]
    ) throws {
        try store.begin()
        try store.append(point(version), origin: origin(transaction(alice, version)))
        for effect in effects { try store.apply(effect) }
        try store.commit()
    }

    @Test func `a realm file of the first layout opens, and takes what is new`() throws {
        try SQLiteConnection(path: path, format: OldRealmFile.format, synchronous: .normal).close()

        var store = try SQLiteRealmStore(path: path)
        let object = try #require(try store.object(.int(7), in: 0))
        #expect(store.applied == ResumePoint(version: Version(1), salt: Salt(77)))
        #expect(try store.values(of: object) == [.int(41), .null])
        #expect(try store.elements(1, of: object) == [.int(5)])
        #expect(try store.author(of: Version(1))?.user == "alice")

        let grown = ClassSchema(
            "Increment", primaryKey: PropertySchema("_id", .int),
            properties: [
                PropertySchema("value", .int), .list("history", of: .int),
                PropertySchema("weight", .double), .set("words", of: .string),
            ])
        let words = ListEffect(className: "Increment", key: .int(7), property: "words")
        try commit(
            2, to: store,
            [
                .increment(className: "Increment", key: .int(7), property: "value", by: 1),
                .putClass(grown), .setEntry(words, entry: .string("a"), value: .bool(true)),
            ])
        store.close()

        store = try SQLiteRealmStore(path: path)
        #expect(try store.values(of: object) == [.int(42), .null, .double(0), .null])
        #expect(try store.elements(3, of: object) == [.string("a")])
        #expect(try store.increments(of: 0, of: object, since: .zero).map(\.amount) == [1])
    }

    @Test func `a view of a class makes room for a table of its name`() throws {
        try SQLiteConnection(path: path, format: OldRealmFile.format, synchronous: .normal).close()

        let store = try SQLiteRealmStore(path: path)

        func texts(_ sql: String) throws -> [SQLiteValue] {
            try store.connection.all(sql) { (row) throws(StorageError) in try row.value(0) }
        }
        #expect(try texts("SELECT value FROM \".Increment.0\"") == [.int(41)])
        #expect(try texts("SELECT value FROM \".Increment.0.history\"") == [.int(5)])
        #expect(try texts("SELECT count(*) FROM increment") == [.int(0)])
    }

    @Test func `so it does for an index of its name that a later layout has`() throws {
        var store = try SQLiteRealmStore(path: path)
        let sneaky = ClassSchema(
            "member_gone", primaryKey: PropertySchema("_id", .int),
            properties: [PropertySchema("value", .int)])
        try commit(1, to: store, [.putClass(sneaky)])
        // As the third layout had it.
        try store.connection.execute("DROP INDEX member_gone")
        try store.connection.execute("CREATE VIEW member_gone AS SELECT 1 AS one")
        try store.connection.execute("PRAGMA user_version = 3")
        store.close()

        store = try SQLiteRealmStore(path: path)

        let kind = try store.connection.all(
            "SELECT type FROM sqlite_schema WHERE name = 'member_gone'"
        ) { (row) throws(StorageError) in try row.text(0) }
        #expect(kind == ["index"])
        #expect(store.schema["member_gone"] == sneaky)
    }

    @Test func `a program of the first layout refuses a file of the second`() throws {
        try SQLiteConnection(path: path, format: OldRealmFile.format, synchronous: .normal).close()
        try SQLiteRealmStore(path: path).close()

        let error = #expect(throws: StorageError.self) {
            try SQLiteConnection(path: path, format: OldRealmFile.format, synchronous: .normal)
        }

        #expect(error?.cause.contains("newer program") == true)
    }
}
