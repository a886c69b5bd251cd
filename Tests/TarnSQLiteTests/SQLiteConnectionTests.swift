import Glibc
import TarnModel
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

struct SQLiteConnectionTests {
    private static let format = SQLiteFormat(
        name: "the test file", applicationID: 0x5461_7254, version: 3,
        tables: ["CREATE TABLE t (n INTEGER PRIMARY KEY, v BLOB, s TEXT, i INTEGER)"])
    private let folder = TemporaryFolder()
    private var path: String { folder.file("test.db") }

    private func open(
        version: Int32 = 3, applicationID: Int32 = 0x5461_7254, busyMilliseconds: Int32 = 5000
    ) throws(StorageError) -> SQLiteConnection {
        let format = SQLiteFormat(
            name: "the test file", applicationID: applicationID, version: version,
            tables: Self.format.tables)
        return try SQLiteConnection(
            path: path, format: format, synchronous: .normal, busyMilliseconds: busyMilliseconds)
    }

    @Test(arguments: [
        SQLiteValue.null, .int(.min), .int(.max), .int(0), .text(""), .text("a\0b"), .text("12"),
        .text("e\u{301}"), .blob([]), .blob([0, 255]),
    ])
    func `a value comes back as it was written`(value: SQLiteValue) throws {
        let connection = try open()

        try connection.run("INSERT INTO t (v) VALUES (?)", value)

        let read = try connection.all("SELECT v FROM t") { (row) throws(StorageError) in
            try row.value(0)
        }
        #expect(read == [value])
    }

    @Test func `a column that holds something else is corrupt`() throws {
        let connection = try open()
        try connection.run("INSERT INTO t (v) VALUES (?)", .text("ten"))

        let error = #expect(throws: StorageError.self) {
            try connection.first("SELECT v FROM t") { (row) throws(StorageError) in
                try row.int(0)
            }
        }

        #expect(error?.code == .corrupt)
        #expect(error?.cause.contains("column v") == true)
    }

    @Test func `what was committed is there for the next to open the file`() throws {
        let first = try open()
        try first.transaction { () throws(StorageError) in
            try first.run("INSERT INTO t (i) VALUES (?)", 7)
        }
        first.close()

        let second = try open()

        let values = try second.all("SELECT i FROM t") { (row) throws(StorageError) in
            try row.int(0)
        }
        #expect(values == [7])
    }

    @Test func `a file of an older layout is upgraded step by step, and by its steps alone`() throws
    {
        let first = try open(version: 1)
        try first.run("INSERT INTO t (i) VALUES (?)", 7)
        first.close()
        let add = SQLiteUpgrade { (file) throws(StorageError) in
            try file.execute("ALTER TABLE t ADD COLUMN a INTEGER NOT NULL DEFAULT 1")
        }
        let fill = SQLiteUpgrade { (file) throws(StorageError) in
            try file.execute("UPDATE t SET a = a + i")
        }
        func reopen(_ upgrades: [Int32: SQLiteUpgrade]) throws -> [Int64] {
            let format = SQLiteFormat(
                name: "the test file", applicationID: 0x5461_7254, version: 3,
                tables: Self.format.tables, upgrades: upgrades)
            let file = try SQLiteConnection(path: path, format: format, synchronous: .normal)
            defer { file.close() }
            return try file.all("SELECT a FROM t") { (row) throws(StorageError) in try row.int(0) }
        }

        let error = #expect(throws: StorageError.self) { try reopen([1: add]) }

        #expect(error?.cause.contains("older") == true)
        #expect(try reopen([1: add, 2: fill]) == [8])
        #expect(try reopen([1: add, 2: fill]) == [8])
    }

    @Test func `a transaction whose body throws leaves nothing`() throws {
        let connection = try open()

        #expect(throws: StorageError.self) {
            try connection.transaction { () throws(StorageError) in
                try connection.run("INSERT INTO t (i) VALUES (?)", 7)
                throw StorageError(.full, while: "testing")
            }
        }

        #expect(!connection.isInTransaction)
        let rows = try connection.all("SELECT i FROM t") { (row) throws(StorageError) in 0 }
        #expect(rows.isEmpty)
    }

    @Test func `a file of another kind is refused and left as it is`() throws {
        try open(applicationID: 99).close()
        let before = try bytes()

        let error = #expect(throws: StorageError.self) { try open() }

        #expect(error?.code == .corrupt)
        #expect(error?.cause.contains("another kind of file") == true)
        #expect(try bytes() == before)
    }

    @Test func `a file of a newer program is refused and left as it is`() throws {
        try open(version: 4).close()
        let before = try bytes()

        let error = #expect(throws: StorageError.self) { try open(version: 3) }

        #expect(error?.code == .corrupt)
        #expect(error?.cause.contains("newer program") == true)
        #expect(try bytes() == before)
    }

    @Test func `a file that is no database is corrupt`() throws {
        try write(Array(repeating: 0x41, count: 5000))

        let error = #expect(throws: StorageError.self) { try open() }

        #expect(error?.code == .corrupt)
    }

    @Test func `a file in a folder that is not there is unavailable`() {
        let error = #expect(throws: StorageError.self) {
            try SQLiteConnection(
                path: folder.file("none/test.db"), format: Self.format, synchronous: .full)
        }

        #expect(error?.code == .unavailable)
    }

    @Test func `the owner alone may read the file and what is beside it`() throws {
        let connection = try open()
        try connection.run("INSERT INTO t (i) VALUES (1)")

        for file in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            #expect(stat(file, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(file)")
        }
    }

    @Test func `a second writer gives up as busy`() throws {
        let first = try open()
        let second = try open(busyMilliseconds: 1)
        try first.begin(writing: true)

        let error = #expect(throws: StorageError.self) { try second.begin(writing: true) }

        #expect(error?.code == .busy)
        first.rollback()
        try second.begin(writing: true)
        second.rollback()
    }

    @Test func `a disk without room is full, and keeps what was committed`() throws {
        let connection = try open()
        try connection.run("INSERT INTO t (v) VALUES (?)", .blob([1]))
        try connection.execute("PRAGMA max_page_count = 6")

        let error = #expect(throws: StorageError.self) {
            try connection.transaction { () throws(StorageError) in
                let large = [UInt8](repeating: 7, count: 100_000)
                try connection.run("INSERT INTO t (v) VALUES (?)", .blob(large))
            }
        }

        #expect(error?.code == .full)
        let values = try connection.all("SELECT v FROM t") { (row) throws(StorageError) in
            try row.blob(0)
        }
        #expect(values == [[1]])
    }

    @Test func `a checkpoint beside others moves what is committed into the file`() throws {
        let connection = try open()
        let other = try open()
        try connection.run("INSERT INTO t (i) VALUES (1)")

        try connection.checkpointShared()

        let count = try other.all("SELECT i FROM t") { (row) throws(StorageError) in 0 }.count
        #expect(count == 1)
        try other.run("INSERT INTO t (i) VALUES (2)")
        #expect(
            try connection.first("SELECT count(*) FROM t") { (row) throws(StorageError) in
                try row.int(0)
            } == 2)
    }

    @Test func `what is pending is known, and nothing is after a checkpoint`() throws {
        let connection = try open()
        let bytes = [UInt8](repeating: 7, count: 100_000)
        try connection.checkpoint()
        #expect(connection.pendingByteCount == 0)

        try connection.run("INSERT INTO t (v) VALUES (?)", .blob(bytes))
        let once = connection.pendingByteCount
        #expect(once > bytes.count && once < 2 * bytes.count)
        try connection.run("INSERT INTO t (v) VALUES (?)", .blob(bytes))
        #expect(connection.pendingByteCount > 2 * bytes.count)

        try connection.checkpoint()
        #expect(connection.pendingByteCount == 0)
        try connection.run("INSERT INTO t (v) VALUES (?)", .blob([1]))
        #expect(connection.pendingByteCount < bytes.count)
        #expect(connection.pendingByteCount > 0)

        // What is there already counts for who opens the file.
        #expect(try open().pendingByteCount >= connection.pendingByteCount)
    }

    @Test func `a checkpoint does not wait for long for who reads from before`() throws {
        let connection = try open()
        let reader = try open()
        try connection.run("INSERT INTO t (i) VALUES (1)")
        try reader.execute("BEGIN")
        _ = try reader.first("SELECT count(*) FROM t") { (row) throws(StorageError) in 0 }
        try connection.run("INSERT INTO t (i) VALUES (2)")

        let error = #expect(throws: StorageError.self) { try connection.checkpoint() }

        #expect(error?.code == .busy)
        #expect(connection.pendingByteCount > 0)
        try reader.execute("COMMIT")
        try connection.checkpoint()
        #expect(connection.pendingByteCount == 0)
    }

    @Test(arguments: [0, 300_000])
    func `so much of a write-ahead log stays when it begins anew`(reused: Int) throws {
        let connection = try SQLiteConnection(
            path: path, format: Self.format, synchronous: .normal, bytesReused: reused)
        for _ in 0..<10 {
            try connection.run(
                "INSERT INTO t (v) VALUES (?)", .blob([UInt8](repeating: 7, count: 100_000)))
        }

        try connection.checkpoint()
        try connection.run("INSERT INTO t (i) VALUES (1)")

        var status = stat()
        #expect(stat(path + "-wal", &status) == 0)
        #expect(reused == 0 ? status.st_size < 50_000 : status.st_size == reused)
        let count = try connection.first("SELECT count(*) FROM t") { (row) throws(StorageError) in
            try row.int(0)
        }
        #expect(count == 11)
    }

    @Test func `a statement may be begun again while it runs`() throws {
        let connection = try open()
        try connection.run("INSERT INTO t (i) VALUES (1), (2)")
        var pairs: [[Int64]] = []

        for outer in 0..<2 {
            try connection.statement("SELECT i FROM t").each { (row) throws(StorageError) in
                let left = try row.int(0)
                try connection.statement("SELECT i FROM t").each { (row) throws(StorageError) in
                    pairs.append([Int64(outer), left, try row.int(0)])
                    return true
                }
                return true
            }
        }

        #expect(pairs.count == 8)
        #expect(Set(pairs).count == 8)
    }

    private func bytes() throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }

    private func write(_ bytes: [UInt8]) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
