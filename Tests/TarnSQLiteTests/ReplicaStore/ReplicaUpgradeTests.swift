import TarnModel
import TarnQuery
import TarnStorage
import TarnTesting
import Testing

@testable import TarnSQLite

struct ReplicaUpgradeTests {
    private let folder = TemporaryFolder("replica")
    private var path: String { folder.file("replica") }

    private func makeOldFile() throws {
        try SQLiteConnection(path: path, format: OldReplicaFile.format, synchronous: .full).close()
    }

    @Test func `a replica of the first layout opens, and takes what is new`() throws {
        try makeOldFile()
        var store = try SQLiteReplicaStore(path: path)
        let row = try #require(try store.read { try store.row(of: .int(7), in: 0) })
        let object = row.object
        let words = ListID(object: object, property: 3)
        try store.read { () throws in
            #expect(row.life == TransactionID(5, 9))
            #expect(try store.resumePoint().version == Version(3))
            #expect(try store.values(of: object) == [.int(41), .null])
            #expect(try store.elements(1, of: object) == [.int(5)])
            let shadow = Shadow(life: TransactionID(5, 9), values: [.int(40), .null])
            #expect(try store.shadow(of: object) == shadow)
            #expect(try store.lastDone() == nil)
        }
        let undo = UndoEntry(sequence: 1, state: .done, record: [1])
        let word = ReplicaEntry(entry: .string("a"), confirmed: nil, visible: .bool(true))

        try store.write {
            try store.putClass(
                ClassSchema(
                    "Undo", primaryKey: PropertySchema("_id", .int),
                    properties: [
                        PropertySchema("value", .int), .list("history", of: .int),
                        PropertySchema("weight", .double), .set("words", of: .string),
                    ]))
            try store.put(word, in: words)
            try store.keepUndo(undo)
        }
        store.close()

        store = try SQLiteReplicaStore(path: path)
        try store.read { () throws in
            #expect(try store.values(of: object) == [.int(41), .null, .double(0), .null])
            #expect(try store.entries(in: words) == [word])
            #expect(try store.lastDone() == undo)
        }
    }

    @Test func `a view of a class makes room for a table of its name`() throws {
        try makeOldFile()
        try SQLiteReplicaStore(path: path).close()

        let file = try SQLiteConnection(path: path, format: .replica, synchronous: .full)

        func values(_ sql: String) throws -> [SQLiteValue] {
            try file.all(sql) { (row) throws(StorageError) in try row.value(0) }
        }
        #expect(try values("SELECT value FROM \".Undo.0\"") == [.int(41)])
        #expect(try values("SELECT value FROM \".Undo.0.history\"") == [.int(5)])
        #expect(try values("SELECT count(*) FROM undo") == [.int(0)])
    }

    @Test func `a program of the first layout refuses a file of the second`() throws {
        try makeOldFile()
        try SQLiteReplicaStore(path: path).close()

        let error = #expect(throws: StorageError.self) { try makeOldFile() }

        #expect(error?.cause.contains("newer program") == true)
    }

    @Test func `any tool shows sets, maps, doubles and data`() throws {
        let store = try SQLiteReplicaStore(path: path)
        let collections: [(Int, Value, Value)] = [
            (ClassSchema.Sample.numbers, .double(Real(.nan)), .bool(true)),
            (ClassSchema.Sample.marks, .string("a"), .double(1.5)),
        ]
        try store.write {
            for schema in [ClassSchema.task, .project, .sample] { try store.putClass(schema) }
            let sample = try store.insert(.uuid(UUIDValue(high: 0, low: 1)), in: 2)
            try store.set(.double(-0.0), 0, of: sample)
            try store.set(.data([0, 255]), 1, of: sample)
            for (property, entry, value) in collections {
                try store.put(
                    ReplicaEntry(entry: entry, confirmed: value, visible: value),
                    in: ListID(object: sample, property: property))
            }
        }

        func row(_ sql: String) throws -> [SQLiteValue]? {
            try store.file.first(sql) { (row) throws(StorageError) in
                var values: [SQLiteValue] = []
                for column in 0..<row.columnCount { values.append(try row.value(column)) }
                return values
            }
        }
        let owner = SQLiteValue.text("00000000-0000-0000-0000-000000000001")
        #expect(
            try row("SELECT weight, seal FROM Sample") == [.real(-0.0), .blob([0, 255])])
        #expect(try row("SELECT * FROM \"Sample.numbers\"") == [owner, .text("NaN")])
        #expect(
            try row("SELECT * FROM \"Sample.marks\"") == [owner, .text("a"), .real(1.5)])
    }
}
