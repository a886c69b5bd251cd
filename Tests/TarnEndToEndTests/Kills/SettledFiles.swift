import CSQLite
import Glibc
import TarnClient
import TarnModel
import TarnSQLite
import TarnServer
import TarnStorage
import TarnTesting

/// What the programs have left on the disk, once all of them have ended with nothing unsent. The
/// stores are opened in this process, as the programs open them.
struct SettledFiles {
    /// The daemon's folder.
    let server: String
    /// That of all profiles.
    let home: String

    /// One user's replicas and realm.
    struct Picture {
        let realm: TodoPicture
        let replicas: [String: TodoPicture]
        /// What does not hold of the files, whatever was written.
        let problems: [String]
    }

    /// The names of files that SQLite finds something wrong with, and what.
    func damages(of profiles: [String: [String]]) -> [String] {
        var paths = ["\(server)/commits.tarnlog", "\(server)/accounts.db"]
        paths += TemporaryFolder.names(in: "\(server)/realms").filter { $0.hasSuffix(".realm") }
            .map { "\(server)/realms/\($0)" }
        for (user, names) in profiles { paths += names.map { replicaPath(of: $0, user) } }
        return paths.compactMap { path in
            let answer = Self.integrity(of: path)
            return answer == "ok" ? nil : "\(path): \(answer)"
        }
    }

    func picture(of user: String, profiles: [String]) throws -> Picture {
        guard let name = RealmName(owner: user, name: "todo") else {
            preconditionFailure("a valid name")
        }
        let accounts = try SQLiteAccountStore(path: "\(server)/accounts.db")
        defer { accounts.close() }
        let log = try SQLiteCommitLog(path: "\(server)/commits.tarnlog")
        defer { log.close() }
        guard let realm = try accounts.realm(name) else {
            return Picture(
                realm: try .init(MemoryRealmStore(), Schema()), replicas: [:],
                problems: ["there is no realm \(name)"])
        }
        let digits = realm.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        let store = try SQLiteRealmStore(path: "\(server)/realms/\(digits.joined()).realm")
        defer { store.close() }
        try RealmRecovery.replay(log, of: realm, into: store)

        let records = try log.records(of: realm, after: .zero, limit: .max)
        var problems = Self.problems(of: records, store)
        var replicas: [String: TodoPicture] = [:]
        for profile in profiles {
            let replica = try SQLiteReplicaStore(path: replicaPath(of: profile, user))
            defer { replica.close() }
            try replica.begin(.reading)
            defer { replica.rollback() }
            replicas[profile] = try TodoPicture(replica, replica.schema)
            problems += try Self.problems(of: replica, store).map { "\(profile): \($0)" }
        }
        return Picture(
            realm: try TodoPicture(store, store.schema), replicas: replicas, problems: problems)
    }

    private func replicaPath(of profile: String, _ user: String) -> String {
        "\(home)/\(profile)/realms/\(user)/todo.tarn"
    }

    /// The log has every version once, and of every replica one transaction after the other.
    private static func problems(
        of records: [LogRecord], _ store: SQLiteRealmStore
    ) -> [String] {
        var problems: [String] = []
        var last: Version?
        var sequences: [ReplicaID: UInt64] = [:]
        for record in records {
            if let last, record.point.version != last.next {
                problems.append("version \(record.point.version) follows \(last)")
            }
            last = record.point.version
            let transaction = record.origin.transaction
            if let before = sequences[transaction.replica], transaction.sequence != before + 1 {
                problems.append("\(transaction) follows \(before)")
            }
            sequences[transaction.replica] = transaction.sequence
            if case .refused(let refusal) = record.outcome {
                problems.append("\(transaction) was refused: \(refusal.sentence)")
            }
        }
        if let last, last != store.applied.version {
            problems.append("the realm is at \(store.applied.version), its log at \(last)")
        }
        return problems
    }

    /// Nothing is unsent, every receipt is here, and no shadow is left; the server knows the
    /// replica as it knows itself.
    private static func problems(
        of replica: SQLiteReplicaStore, _ store: SQLiteRealmStore
    ) throws -> [String] {
        var problems: [String] = []
        let chain = try replica.chain()
        let unsent = try replica.pendingCount()
        if unsent > 0 || chain.acknowledgedSequence != chain.sequence {
            problems.append("\(unsent) unsent, \(chain)")
        }
        if try replica.resumePoint() != store.applied {
            problems.append("it is at \(try replica.resumePoint()), the realm at \(store.applied)")
        }
        for kept in try replica.keptReceipts() {
            if case .refused(let refusal) = kept.receipt.outcome {
                problems.append("\(kept.receipt.sequence) was refused: \(refusal.sentence)")
            }
        }
        for number in replica.schema.classes.indices {
            for object in try replica.objects(in: number)
            where try replica.shadow(of: object) != nil {
                problems.append("a shadow of \(try replica.key(of: object)) is left")
            }
        }
        guard let id = try replica.identity()?.replica, let head = try store.head(of: id) else {
            return problems + ["the server does not know it"]
        }
        if head.sequence != chain.sequence || head.hash != chain.hash {
            problems.append("the server has \(head.sequence) of it, it has \(chain.sequence)")
        }
        return problems
    }

    private static func integrity(of path: String) -> String {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            return "it cannot be opened"
        }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard
            sqlite3_prepare_v2(handle, "PRAGMA integrity_check", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { return String(cString: sqlite3_errmsg(handle)) }
        return String(cString: text)
    }
}
