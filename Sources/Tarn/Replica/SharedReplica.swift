import Glibc
package import TarnClient
import TarnCrypto
package import TarnModel
import TarnSQLite
package import TarnStorage

/// A replica file that several processes use at once: what this one writes, the others hear of.
///
/// For one thread. Reading goes through `replica.read`; writing goes through here, so that whoever
/// leads the synchronisation is woken.
package final class SharedReplica {
    package let replica: Replica
    package let path: String
    let wake: WakeFile
    private let file: FileIdentity

    private struct FileIdentity: Equatable {
        let device: UInt
        let number: UInt

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt(status.st_dev)
            number = UInt(status.st_ino)
        }
    }

    /// Opens the file, or makes it; its folder must be, and the caller be alone in the profile:
    /// SQLite finds the log by its name, which has to be this file's until it is open as well.
    init(at path: String, of realm: RealmName, user: String) throws(TarnError) {
        self.path = path
        wake = try WakeFile(at: Self.wakePath(of: path))
        if FileIdentity(path) == nil {
            // A logout that was cut short may have left the log, which is another user's.
            for suffix in ["-wal", "-shm"] { try PrivateFile.remove(path + suffix) }
            try PrivateFile.touch(path)
        }
        var random = SystemRandomNumberGenerator()
        do {
            let store = try SQLiteReplicaStore(path: path)
            replica = try Replica.open(
                store, of: realm, user: user, random: &random, sha256: { SHA256.hash($0) })
        } catch {
            throw TarnError(anything: error)
        }
        guard let file = FileIdentity(path) else { throw PrivateFile.failure("opening \(path)") }
        self.file = file
    }

    static func wakePath(of path: String) -> String { "\(path.dropLast(5)).wake" }

    package var realm: RealmName { replica.identity.realmName }

    /// Writes one transaction, and wakes the others. See `Replica.write`.
    package func write<Answer>(
        _ body: (inout WriteTransaction) throws -> Answer
    ) throws -> Answer {
        let answer = try replica.write(
            clockTicks: Stamp.ticks(milliseconds: Clock.wall())
        ) { transaction in
            // A logout removes the file while nobody writes, so this cannot change before the end.
            try expectFile()
            return try body(&transaction)
        }
        announce()
        return answer
    }

    /// See `Replica.subscribe`; wakes the others.
    package func subscribe(
        to query: String, name: String? = nil, arguments: [Value] = [], depth: Int? = nil,
        update: Bool = false
    ) throws(TarnError) -> StoredSubscription {
        try expectFile()
        do throws(ReplicaError) {
            let subscription =
                if let depth {
                    try replica.subscribe(
                        to: query, name: name, arguments: arguments, depth: depth, update: update)
                } else {
                    try replica.subscribe(
                        to: query, name: name, arguments: arguments, update: update)
                }
            announce()
            return subscription
        } catch {
            throw TarnError(error)
        }
    }

    /// See `Replica.unsubscribe`; wakes the others.
    package func unsubscribe(named name: String) throws(TarnError) -> Bool {
        try expectFile()
        do throws(ReplicaError) {
            let wasThere = try replica.unsubscribe(named: name)
            if wasThere { announce() }
            return wasThere
        } catch {
            throw TarnError(error)
        }
    }

    /// Says to all processes that the replica is another now.
    package func announce() { wake.touch() }

    /// Whether the file at the path is still this one.
    package var isThere: Bool { FileIdentity(path) == file }

    private func expectFile() throws(TarnError) {
        guard isThere else { throw Self.gone }
    }

    static let gone = TarnError(
        .replicaGone, "the replica is not there any more: its user has logged out.")
}
