import CSQLite
import Glibc
import TarnSQLite
import TarnStorage

/// A replica's file, as another program than `tarn` gets hold of it.
struct ReplicaFile {
    let path: String

    struct Refused: Error { let sentence: String }

    /// Who leads, and what they have told the others.
    func sharing() throws -> (lease: Lease, status: SyncStatus) {
        let store = try SQLiteReplicaStore(path: path)
        defer { store.close() }
        try store.begin(.reading)
        defer { store.rollback() }
        return (try store.lease(), try store.syncStatus())
    }

    var leader: Int64? { get throws { try sharing().lease.holder?.process } }

    func run(_ sql: String) throws {
        try Connection(path).run(sql)
    }

    /// Of the layout of its tables.
    func version() throws -> Int32 { try Connection(path).version() }

    /// Keeps everybody else from writing for as long as the answer lives.
    func lock() throws -> Connection {
        let connection = try Connection(path)
        try connection.run("BEGIN IMMEDIATE")
        return connection
    }

    final class Connection {
        private var handle: OpaquePointer?

        init(_ path: String) throws {
            guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
                throw Refused(sentence: "\(path) cannot be opened")
            }
            sqlite3_busy_timeout(handle, 10_000)
            try run("PRAGMA wal_autocheckpoint = 0")
        }

        deinit { sqlite3_close_v2(handle) }

        func version() throws -> Int32 {
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            guard
                sqlite3_prepare_v2(handle, "PRAGMA user_version", -1, &statement, nil) == SQLITE_OK,
                sqlite3_step(statement) == SQLITE_ROW
            else { throw Refused(sentence: String(cString: sqlite3_errmsg(handle))) }
            return sqlite3_column_int(statement, 0)
        }

        func run(_ sql: String) throws {
            guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
                throw Refused(sentence: String(cString: sqlite3_errmsg(handle)))
            }
        }
    }
}
