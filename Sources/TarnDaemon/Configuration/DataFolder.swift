import CLinux
import Glibc
package import TarnModel

/// The folder that a daemon keeps everything in. One daemon has it at a time.
///
///     lock             held while a daemon runs
///     commits.tarnlog  the commit log of all realms
///     accounts.db      users, sessions, realm names
///     realms/ID.realm  one realm each
package final class DataFolder {
    package let path: String
    private let lock: Int32

    package enum Failure: Error {
        /// Another daemon runs on it.
        case inUse
        case unusable(String)
    }

    /// Makes the folder, if need be, and takes it for this process.
    package init(at path: String) throws(Failure) {
        self.path = path
        for folder in [path, "\(path)/realms"] { try Self.make(folder) }
        let descriptor = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(while: "writing to \(path)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            Glibc.close(descriptor)
            if isHeld { throw .inUse }
            throw Self.failure(while: "locking \(path)")
        }
        lock = descriptor
    }

    deinit { Glibc.close(lock) }

    package var logPath: String { "\(path)/commits.tarnlog" }
    package var accountsPath: String { Self.accountsPath(in: path) }

    /// Where the accounts are; `tarnd user` opens them beside a running daemon.
    package static func accountsPath(in folder: String) -> String { "\(folder)/accounts.db" }

    package func path(of realm: RealmID) -> String {
        let digits = realm.bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 2 ? digits : "0" + digits
        }
        return "\(path)/realms/\(digits.joined()).realm"
    }

    /// Makes a folder that only its owner may look into, with those above it.
    package static func make(_ path: String) throws(Failure) {
        var prefix = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            prefix += component
            if mkdir(prefix, 0o700) != 0, errno != EEXIST {
                throw failure(while: "making the folder \(prefix)")
            }
            prefix += "/"
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            throw failure(while: "opening the folder \(path)")
        }
    }

    private static func failure(while operation: String) -> Failure {
        .unusable("\(String(cString: strerror(errno))) while \(operation)")
    }
}
