import CSQLite
import Glibc
import TarnStorage

extension StorageError {
    /// What SQLite's result code means to whoever uses a store.
    init(sqlite result: Int32, of handle: OpaquePointer?, while operation: String) {
        // SQLite does not keep it where a commit is what failed.
        var systemError = result & 0xFF == SQLITE_IOERR ? errno : 0
        var cause = String(cString: sqlite3_errstr(result))
        if let handle {
            let kept = sqlite3_system_errno(handle)
            if kept != 0 { systemError = kept }
            if sqlite3_errcode(handle) & 0xFF == result & 0xFF {
                cause = String(cString: sqlite3_errmsg(handle))
            }
        }
        let code = Code(sqlite: result, systemError: systemError)
        if code == .unavailable, systemError != 0 {
            cause += ": " + String(cString: strerror(systemError))
        }
        self.init(code, while: operation, cause: cause)
    }

    static func corrupt(_ cause: String, while operation: String) -> StorageError {
        StorageError(.corrupt, while: operation, cause: cause)
    }
}

extension StorageError.Code {
    fileprivate init(sqlite result: Int32, systemError: Int32) {
        switch result & 0xFF {
        case SQLITE_FULL: self = .full
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH, SQLITE_CONSTRAINT, SQLITE_TOOBIG:
            self = .corrupt
        // A statement that does not fit the tables: they are not the ones that were made.
        case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_FORMAT: self = .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(systemError): self = .full
        default: self = .unavailable
        }
    }
}
