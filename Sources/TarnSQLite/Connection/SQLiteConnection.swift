import CSQLite
import Glibc
package import TarnStorage

/// One open SQLite file, in WAL mode, never checkpointed but by `checkpoint`. Used by one thread at
/// a time; several connections, of several processes too, may have one file open.
package final class SQLiteConnection {
    /// What the file is, for errors.
    package let name: String
    package let path: String
    /// Nil when it was closed.
    private var handle: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]
    private let busyTimeout: Int32
    /// Of the write-ahead log, after the last commit here that wrote to it.
    private let pending = PendingBytes()

    /// Texts of statements that are kept prepared. A store has a few for each property; when there
    /// are more, all are dropped rather than the memory grown.
    private static let statementsMax = 2000

    /// Opens the file, and makes it, readable by its owner alone, where it is not there. Throws
    /// `corrupt` for a file of another kind and for one of a newer program, and has not written to
    /// it by then.
    /// - Parameter bytesReused: how much of the write-ahead log stays when it begins anew. Writing
    ///   over what is there costs the file system two thirds of what growing it does.
    package init(
        path: String, format: SQLiteFormat, synchronous: SQLiteSynchronous,
        busyMilliseconds: Int32 = 5000, bytesReused: Int = 0
    ) throws(StorageError) {
        self.path = path
        name = format.name
        busyTimeout = busyMilliseconds
        Self.makeFile(path)
        handle = try Self.open(path, name: name, busyMilliseconds: busyMilliseconds)
        do throws(StorageError) {
            try prepare(format, synchronous: synchronous)
            try execute("PRAGMA journal_size_limit = \(bytesReused)")
            try followPending()
        } catch {
            close()
            throw StorageError(error.code, while: "opening \(name)", cause: error.cause)
        }
    }

    deinit { close() }

    /// Closes the file; what is called later throws. The last one to close a file checkpoints it.
    package func close() {
        statements = [:]
        // Statements that are still held are closed with their last reference, and what they do
        // until then is of no interest.
        if let handle { sqlite3_wal_hook(handle, nil, nil) }
        sqlite3_close_v2(handle)
        handle = nil
    }

    // MARK: Statements

    /// The prepared statement of a text, kept for the next time.
    package func statement(_ sql: String) throws(StorageError) -> SQLiteStatement {
        if let kept = statements[sql], !kept.isRunning { return kept }
        guard let handle else {
            throw StorageError(.unavailable, while: "working on \(name)", cause: "it is closed")
        }
        let isKept = statements[sql] == nil
        let new = try SQLiteStatement(sql, on: handle, file: name, isKept: isKept)
        if isKept {
            if statements.count >= Self.statementsMax { statements = [:] }
            statements[sql] = new
        }
        return new
    }

    package func run(_ sql: String, _ values: SQLiteValue...) throws(StorageError) {
        try statement(sql).run(values)
    }

    package func run(_ sql: String, values: [SQLiteValue]) throws(StorageError) {
        try statement(sql).run(values)
    }

    package func first<Result>(
        _ sql: String, _ values: SQLiteValue...,
        read: (SQLiteRow) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        try statement(sql).first(values, read)
    }

    package func all<Result>(
        _ sql: String, _ values: SQLiteValue...,
        read: (SQLiteRow) throws(StorageError) -> Result
    ) throws(StorageError) -> [Result] {
        try statement(sql).all(values, read)
    }

    /// Runs a statement that is not worth keeping, as those that make tables.
    package func execute(_ sql: String) throws(StorageError) {
        guard let handle else {
            throw StorageError(.unavailable, while: "working on \(name)", cause: "it is closed")
        }
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else {
            throw StorageError(sqlite: result, of: handle, while: "working on \(name)")
        }
    }

    /// The `rowid` of the row inserted last.
    package var lastInsertedRow: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }
    /// How many rows the last INSERT, UPDATE or DELETE touched.
    package var changedRows: Int { handle.map { Int(sqlite3_changes($0)) } ?? 0 }

    // MARK: Transactions

    package var isInTransaction: Bool {
        handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    /// Begins a writing transaction, or one that reads one state of the file.
    package func begin(writing: Bool) throws(StorageError) {
        if writing {
            try run("BEGIN IMMEDIATE")
        } else {
            try run("BEGIN")
        }
    }

    package func commit() throws(StorageError) { try run("COMMIT") }

    /// No effect outside a transaction. Never fails: where SQLite cannot roll back, closing does.
    package func rollback() {
        guard isInTransaction else { return }
        do throws(StorageError) {
            try run("ROLLBACK")
        } catch {
            close()
        }
    }

    /// Commits what the body did, or, when it throws, takes it back.
    package func transaction<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try begin(writing: true)
        do throws(StorageError) {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// The number of the last commit of another connection that this one has seen.
    package func dataVersion() throws(StorageError) -> Int64 {
        try pragma("data_version")
    }

    /// Throws `corrupt` where the file is not of that format any more, or of a newer program's.
    package func expect(_ format: SQLiteFormat) throws(StorageError) {
        if try check(format) == 0 {
            throw .corrupt("\(path) is empty", while: "reading \(name)")
        }
    }

    /// Chooses for the transactions that follow; not inside one.
    package func setSynchronous(_ synchronous: SQLiteSynchronous) throws(StorageError) {
        try execute("PRAGMA synchronous = \(synchronous.rawValue)")
    }

    // MARK: Opening

    private static func makeFile(_ path: String) {
        // SQLite gives the files beside it (-wal, -shm) the mode of the file itself. Only a new
        // file is opened here: closing a descriptor of one in use would drop the process's locks on
        // it.
        let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    fileprivate static func open(
        _ path: String, name: String, busyMilliseconds: Int32
    ) throws(StorageError) -> OpaquePointer {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(path, &opened, flags, nil)
        guard result == SQLITE_OK, let opened else {
            let error = StorageError(sqlite: result, of: opened, while: "opening \(name)")
            sqlite3_close_v2(opened)
            throw error
        }
        sqlite3_busy_timeout(opened, busyMilliseconds)
        return opened
    }

    private func prepare(
        _ format: SQLiteFormat, synchronous: SQLiteSynchronous
    ) throws(StorageError) {
        let registered = handle.map { QueryFunctions.register(on: $0) } ?? SQLITE_MISUSE
        guard registered == SQLITE_OK else {
            throw StorageError(.unavailable, while: "opening \(name)", cause: "no functions")
        }
        try execute("PRAGMA mmap_size = 0; PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF")
        try execute("PRAGMA wal_autocheckpoint = 0")
        let version = try check(format)
        try enterWAL()
        try setSynchronous(synchronous)
        guard version != format.version else { return }
        try transaction { () throws(StorageError) in
            // Another process may have been first.
            let version = try check(format)
            guard version != format.version else { return }
            if version == 0 {
                for table in format.tables { try execute(table) }
            } else {
                try upgrade(from: version, to: format)
            }
            try execute("PRAGMA application_id = \(format.applicationID)")
            try execute("PRAGMA user_version = \(format.version)")
        }
    }

    /// The version of the file's layout, zero for an empty file. Throws for one that this program
    /// must not touch.
    private func check(_ format: SQLiteFormat) throws(StorageError) -> Int32 {
        let application = try pragma("application_id")
        let version = try pragma("user_version")
        let tables = try first("SELECT count(*) FROM sqlite_schema") { (row) throws(StorageError) in
            try row.int(0)
        }
        if application == 0, version == 0, tables == 0 { return 0 }
        guard application == Int64(format.applicationID), version > 0 else {
            throw .corrupt("\(path) is another kind of file", while: "opening \(name)")
        }
        guard version <= Int64(format.version) else {
            throw .corrupt("\(path) was written by a newer program", while: "opening \(name)")
        }
        return Int32(version)
    }

    private func upgrade(
        from version: Int32, to format: SQLiteFormat
    ) throws(StorageError) {
        for step in version..<format.version {
            guard let upgrade = format.upgrades[step] else {
                throw .corrupt(
                    "\(path) was written by a program older than this one can read",
                    while: "opening \(name)")
            }
            try upgrade.run(on: self)
        }
    }

    private func enterWAL() throws(StorageError) {
        // SQLite does not wait here for another process that does the same.
        var waited: Int32 = 0
        while true {
            do throws(StorageError) {
                let mode = try first("PRAGMA journal_mode = WAL") { (row) throws(StorageError) in
                    try row.text(0)
                }
                if mode == "wal" { return }
                throw StorageError(
                    .unavailable, while: "opening \(name)", cause: "no write-ahead log here")
            } catch {
                guard error.code == .busy, waited < busyTimeout else { throw error }
                waited += sqlite3_sleep(10)
            }
        }
    }

    private func pragma(_ pragma: String) throws(StorageError) -> Int64 {
        try first("PRAGMA \(pragma)") { (row) throws(StorageError) in try row.int(0) } ?? 0
    }
}

extension SQLiteConnection {
    /// Moves what is committed from the write-ahead log into the file, and syncs it. Outside a
    /// transaction. For a file that nobody else writes to: its write-ahead log begins anew with the
    /// next commit. Throws `busy` where somebody reads the file from before for longer than a
    /// moment: others wait.
    package func checkpoint() throws(StorageError) {
        sqlite3_busy_timeout(handle, Self.checkpointBusyMilliseconds)
        defer { sqlite3_busy_timeout(handle, busyTimeout) }
        try checkpoint("RESTART")
    }

    private static let checkpointBusyMilliseconds: Int32 = 20

    /// The same for a file that others may have open. A checkpoint beside a commit that begins the
    /// write-ahead log anew can corrupt the file (SQLite 3.7.0 to 3.51.2), so that another
    /// connection holds the lock for writing meanwhile. Does as much as others' reading allows.
    package func checkpointShared() throws(StorageError) {
        let guardian = try Self.open(path, name: name, busyMilliseconds: busyTimeout)
        defer { sqlite3_close_v2(guardian) }
        let result = sqlite3_exec(
            guardian, "PRAGMA wal_autocheckpoint = 0; BEGIN IMMEDIATE", nil, nil, nil)
        guard result == SQLITE_OK else {
            throw StorageError(sqlite: result, of: guardian, while: "working on \(name)")
        }
        try checkpoint("PASSIVE")
    }

    /// What the write-ahead log beside the file holds, as far as this connection knows: what others
    /// write is counted at its next commit.
    package var pendingByteCount: Int { pending.count }

    private func followPending() throws(StorageError) {
        var status = stat()
        if stat(path + "-wal", &status) == 0 { pending.count = Int(status.st_size) }
        pending.bytesAPage = Int(try pragma("page_size")) + PendingBytes.frameHeaderCount
        sqlite3_wal_hook(
            handle,
            { (pending, _, _, pages) in
                guard let pending else { return SQLITE_OK }
                Unmanaged<PendingBytes>.fromOpaque(pending).takeUnretainedValue()
                    .noteCommit(pages: Int(pages))
                return SQLITE_OK
            }, Unmanaged.passUnretained(pending).toOpaque())
    }

    private func checkpoint(_ mode: String) throws(StorageError) {
        let isBusy = try first("PRAGMA wal_checkpoint(\(mode))") { (row) throws(StorageError) in
            try row.int(0) != 0
        }
        if isBusy == true, mode != "PASSIVE" {
            throw StorageError(.busy, while: "checkpointing \(name)", cause: "somebody reads it")
        }
        pending.count = 0
    }
}

/// What a connection knows of its write-ahead log, for SQLite to tell it.
private final class PendingBytes {
    static let frameHeaderCount = 24
    var bytesAPage = 0
    var count = 0

    func noteCommit(pages: Int) { count = pages * bytesAPage }
}
