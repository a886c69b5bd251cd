import CSQLite
import Glibc
import TarnModel
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// What a replica in a file promises beyond the port.
@Suite(.serialized) struct SQLiteReplicaStoreTests {
    private let folder = TemporaryFolder("replica")
    private var path: String { folder.file("replica") }

    private func run(_ sql: String) {
        var handle: OpaquePointer?
        #expect(sqlite3_open(path, &handle) == SQLITE_OK)
        #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(handle)
    }

    @Test func `the file is its owner's alone`() throws {
        let store = try SQLiteReplicaStore(path: path)
        try store.write { try store.putClass(.task) }

        for suffix in ["", "-wal", "-shm"] {
            var status = stat()
            #expect(stat(path + suffix, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
    }

    @Test(arguments: ["PRAGMA user_version = 99", "PRAGMA application_id = 1"])
    func `a newer program's file and one of another kind are refused`(change: String) throws {
        try SQLiteReplicaStore(path: path).close()
        run(change)

        let error = #expect(throws: StorageError.self) { try SQLiteReplicaStore(path: path) }

        #expect(error?.code == .corrupt)
    }

    @Test func `a replica in a folder that is not there cannot be opened`() {
        let error = #expect(throws: StorageError.self) {
            try SQLiteReplicaStore(path: folder.file("none/replica"))
        }

        #expect(error?.code == .unavailable)
    }

    @Test func `another process's commits, classes and notes are seen`() async throws {
        let store = try SQLiteReplicaStore(path: path)
        try store.write { try store.putClass(.task) }

        let path = path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let other = try SQLiteReplicaStore(path: path)
            try other.write {
                try other.putClass(.project)
                let project = try other.insert(.string("p"), in: 1)
                try other.noteChanges([project])
            }
            other.close()
        }

        try store.read { () throws in
            #expect(store.schema.classes == [.task, .project])
            let project = ObjectID(classNumber: 1, number: 1)
            #expect(try store.changes(after: 0) == [project])
            #expect(try store.row(of: .string("p"), in: 1)?.object == project)
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5])
    func `a process that is killed while it commits leaves whole transactions`(
        seed: Int
    ) async throws {
        let path = path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, seed = seed as Int] in
            let store = try SQLiteReplicaStore(path: path)
            try store.write { try store.putClass(.task) }
            let rows = try store.write {
                try (0..<40).map { try store.insert(.int($0), in: 0) }
            }
            Task.detached {
                // In the middle of a commit: as the log grows beyond some size.
                var status = stat()
                while stat(path + "-wal", &status) != 0 || status.st_size < seed * 730_001 {
                    sched_yield()
                }
                kill(getpid(), SIGKILL)
            }
            for count in 1...5_000 as ClosedRange<Int64> {
                try store.write(count % 3 == 0 ? .full : .relaxed) {
                    for row in rows {
                        try store.set(.int(count), 2, of: row)
                        try store.set(
                            .string(String(repeating: "x", count: 2_000)), 0, of: row)
                    }
                    try store.setResumePoint(
                        ResumePoint(version: Version(UInt64(count)), salt: .zero))
                }
            }
        }

        let store = try SQLiteReplicaStore(path: path)
        try store.read { () throws in
            let count = Int64(try store.resumePoint().version.number)
            for row in try store.objects(in: 0) {
                #expect(try store.value(2, of: row) == (count == 0 ? .null : .int(count)))
            }
        }
        store.close()
        #expect(check() == "ok")
    }

    @Test func `the write-ahead log does not grow for ever`() throws {
        let store = try SQLiteReplicaStore(path: path)
        let other = try SQLiteReplicaStore(path: path)
        try store.write { try store.putClass(.task) }
        let row = try store.write { try store.insert(.int(1), in: 0) }
        let text = Value.string(String(repeating: "x", count: 200_000))

        for count in 0..<200 {
            let writer = count % 2 == 0 ? store : other
            try writer.write(.relaxed) { try writer.set(text, 0, of: row) }
        }

        var status = stat()
        #expect(stat(path + "-wal", &status) == 0)
        #expect(status.st_size < 8 << 20)
        store.close()
        other.close()
        #expect(stat(path + "-wal", &status) != 0)
        #expect(check() == "ok")
    }

    @Test func `an object's number is not given again after the file was closed`() throws {
        let store = try SQLiteReplicaStore(path: path)
        try store.write { try store.putClass(.task) }
        let first = try store.write { try store.insert(.int(1), in: 0) }
        try store.write { try store.removeRow(first) }
        store.close()

        let again = try SQLiteReplicaStore(path: path)
        let second = try again.write { try again.insert(.int(1), in: 0) }

        #expect(second.number > first.number)
    }

    @Test func `any tool shows the data by the names that people gave`() throws {
        let store = try SQLiteReplicaStore(path: path)
        let clashing = ClassSchema(
            "Outbox", primaryKey: PropertySchema("id", .int), properties: [])
        try store.write {
            for schema in [ClassSchema.task, .project, clashing] { try store.putClass(schema) }
            let project = try store.insert(.string("Home"), in: 1)
            for key in [2, 1] as [Int64] {
                _ = try store.insert(.int(key), in: 0)
                try store.put(
                    UInt64(key), .link(.int(key)), in: ListID(object: project, property: 0))
            }
            let hidden = try store.insert(.int(3), in: 0)
            try store.update(
                ReplicaRow(
                    object: hidden, key: .int(3), life: nil, isConfirmed: true,
                    isVisible: false))
        }

        #expect(first("SELECT group_concat(id) FROM (SELECT id FROM Task ORDER BY id)") == "1,2")
        #expect(first("SELECT owner || position || value FROM \"Project.tasks\"") == "Home11")
        #expect(first("SELECT count(*) FROM \".Outbox.2\"") == "0")
    }

    /// What SQLite's own check says of the file.
    private func check() -> String? { first("PRAGMA integrity_check") }

    /// The first column of what a tool of its own gets.
    private func first(_ sql: String) -> String? {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open(path, &handle) == SQLITE_OK else { return nil }
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
        return sqlite3_column_text(statement, 0).map { String(cString: $0) }
    }
}

struct MemoryReplicaTests {
    @Test func `a crash takes relaxed commits back to the last full one`() throws {
        let replica = MemoryReplica()
        let store = MemoryReplicaStore(on: replica)
        func note(_ durability: Durability) throws {
            try store.write(durability) {
                try store.noteChanges([ObjectID(classNumber: 0, number: 1)])
            }
        }
        try note(.relaxed)
        try note(.full)
        try note(.relaxed)

        try store.begin(.writing(.full))
        replica.crash()
        #expect(throws: StorageError.self) { try store.commit() }

        try store.read { () throws in #expect(try store.lastNote() == 2) }
        try note(.full)
    }

    @Test func `a process that ends leaves its transaction undone and nobody locked out`() throws {
        let replica = MemoryReplica()
        var dying: MemoryReplicaStore? = MemoryReplicaStore(on: replica)
        try dying?.begin(.writing(.full))
        try dying?.noteChanges([ObjectID(classNumber: 0, number: 1)])
        dying = nil

        let store = MemoryReplicaStore(on: replica)
        try store.write { () throws in #expect(try store.lastNote() == 0) }
    }
}
