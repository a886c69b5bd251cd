import CSQLite
import TarnModel
package import TarnStorage

/// A prepared statement. Its verbs bind, run and reset in one call, so that no statement is left
/// standing on a row, which would keep a reading transaction open.
package final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let file: String
    /// Whether a verb is at work on it: one that is begun meanwhile needs a statement of its own.
    private(set) var isRunning = false

    init(
        _ sql: String, on connection: OpaquePointer, file: String, isKept: Bool
    ) throws(StorageError) {
        self.connection = connection
        self.file = file
        var prepared: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let result = sqlite3_prepare_v3(connection, sql, -1, flags, &prepared, nil)
        guard result == SQLITE_OK, let prepared else {
            throw StorageError(sqlite: result, of: connection, while: "working on \(file)")
        }
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs to the end; rows are passed over.
    package func run(_ values: [SQLiteValue] = []) throws(StorageError) {
        try each(values) { (_) throws(StorageError) in true }
    }

    package func first<Result>(
        _ values: [SQLiteValue] = [], _ read: (SQLiteRow) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        var found: Result?
        try each(values) { (row) throws(StorageError) in
            found = try read(row)
            return false
        }
        return found
    }

    package func all<Result>(
        _ values: [SQLiteValue] = [], _ read: (SQLiteRow) throws(StorageError) -> Result
    ) throws(StorageError) -> [Result] {
        var found: [Result] = []
        try each(values) { (row) throws(StorageError) in
            found.append(try read(row))
            return true
        }
        return found
    }

    /// Hands over the rows one by one, for as long as the answer is true.
    package func each(
        _ values: [SQLiteValue] = [], _ read: (SQLiteRow) throws(StorageError) -> Bool
    ) throws(StorageError) {
        precondition(!isRunning, "a statement is run once at a time")
        isRunning = true
        defer {
            sqlite3_reset(handle)
            isRunning = false
        }
        precondition(
            values.count == Int(sqlite3_bind_parameter_count(handle)),
            "a statement is given as many values as it has parameters")
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        let row = SQLiteRow(statement: handle, file: file)
        while true {
            let result = sqlite3_step(handle)
            switch result {
            case SQLITE_ROW: if try !read(row) { return }
            case SQLITE_DONE: return
            default:
                throw StorageError(sqlite: result, of: connection, while: "working on \(file)")
            }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) throws(StorageError) {
        let result =
            switch value {
            case .null: sqlite3_bind_null(handle, index)
            case .int(let value): sqlite3_bind_int64(handle, index, value)
            case .real(let value): sqlite3_bind_double(handle, index, value.value)
            case .text(var text):
                text.withUTF8 { utf8 in
                    utf8.withMemoryRebound(to: CChar.self) {
                        tarn_bind_text(
                            handle, index, $0.baseAddress, Int32(clamping: $0.count))
                    }
                }
            case .blob(let bytes):
                bytes.withUnsafeBytes {
                    tarn_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count))
                }
            }
        guard result == SQLITE_OK else {
            throw StorageError(sqlite: result, of: connection, while: "working on \(file)")
        }
    }
}
