import CSQLite
package import TarnModel
package import TarnStorage

/// The row that a statement stands on. Columns count from 0, and hold what was written or are
/// `corrupt`: nothing is converted.
package struct SQLiteRow {
    let statement: OpaquePointer
    let file: String

    package var columnCount: Int { Int(sqlite3_column_count(statement)) }

    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    package func int(_ column: Int) throws(StorageError) -> Int64 {
        try expect(SQLITE_INTEGER, column)
        return sqlite3_column_int64(statement, Int32(column))
    }

    /// An unsigned number that was written by its bits.
    package func bits(_ column: Int) throws(StorageError) -> UInt64 {
        UInt64(bitPattern: try int(column))
    }

    package func flag(_ column: Int) throws(StorageError) -> Bool {
        switch try int(column) {
        case 0: return false
        case 1: return true
        default: throw unexpected(column)
        }
    }

    /// A double as `SQLiteValue.number(_:)` wrote it.
    package func number(_ column: Int) throws(StorageError) -> Real {
        if sqlite3_column_type(statement, Int32(column)) == SQLITE_BLOB {
            guard let bits = UInt64(bigEndianBytes: try blob(column)),
                Real(bits: bits).value.isNaN
            else { throw unexpected(column) }
            return Real(bits: bits)
        }
        try expect(SQLITE_FLOAT, column)
        return Real(sqlite3_column_double(statement, Int32(column)))
    }

    package func text(_ column: Int) throws(StorageError) -> String {
        try expect(SQLITE_TEXT, column)
        // The pointer first: asking for it may change the length.
        guard let start = sqlite3_column_text(statement, Int32(column)) else {
            throw StorageError(.unavailable, while: "reading \(file)", cause: "out of memory")
        }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        let bytes = UnsafeBufferPointer(start: start, count: count)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unexpected(column) }
        return text
    }

    package func blob(_ column: Int) throws(StorageError) -> [UInt8] {
        try expect(SQLITE_BLOB, column)
        // An empty blob has no pointer.
        guard let start = sqlite3_column_blob(statement, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    package func optionalInt(_ column: Int) throws(StorageError) -> Int64? {
        isNull(column) ? nil : try int(column)
    }

    package func optionalText(_ column: Int) throws(StorageError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    package func optionalBlob(_ column: Int) throws(StorageError) -> [UInt8]? {
        isNull(column) ? nil : try blob(column)
    }

    package func value(_ column: Int) throws(StorageError) -> SQLiteValue {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .int(try int(column))
        case SQLITE_FLOAT: return .real(try number(column))
        case SQLITE_TEXT: return .text(try text(column))
        case SQLITE_BLOB: return .blob(try blob(column))
        default: throw unexpected(column)
        }
    }

    /// What to throw where a column holds what no layout writes there.
    package func unexpected(_ column: Int) -> StorageError {
        let name = sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? "?"
        return .corrupt("column \(name) holds what was never written", while: "reading \(file)")
    }

    private func expect(_ type: Int32, _ column: Int) throws(StorageError) {
        guard sqlite3_column_type(statement, Int32(column)) == type else {
            throw unexpected(column)
        }
    }
}
