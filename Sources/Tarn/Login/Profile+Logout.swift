import TarnClient
package import TarnModel
import TarnSQLite
import TarnStorage

/// What a logout left behind elsewhere.
package struct LogoutReport: Equatable, Sendable {
    package let user: String
    /// Why the server does not know of it; nil where the token is revoked.
    package let notRevoked: TarnError?
}

/// Work that a logout would lose.
package struct UnsentWork: Equatable, Sendable {
    package let realm: RealmName
    package let transactionCount: Int
}

extension Profile {
    /// Transactions that no server has decided, by realm.
    package func unsentWork() throws(TarnError) -> [UnsentWork] {
        try alone { () throws(TarnError) in
            var unsent: [UnsentWork] = []
            for realm in try realms() {
                let count = try withReplica(of: realm) { (store) throws(StorageError) in
                    try store.pendingCount()
                }
                if count > 0 { unsent.append(UnsentWork(realm: realm, transactionCount: count)) }
            }
            return unsent
        }
    }

    /// Ends the login: removes the account and the user's replicas, so that nobody else sees them,
    /// and revokes the token, which is tried for a short time only.
    ///
    /// Work that the server does not have is the error `unsentWork`, unless `force` drops it.
    package func logout(
        force: Bool = false, program: String = "tarn"
    ) throws(TarnError) -> LogoutReport {
        let account = try alone { () throws(TarnError) in
            let account = try requireAccount()
            try removeEverything(force: force)
            return account
        }
        do throws(LoginConversation.Failure) {
            _ = try LoginConversation.hold(
                with: account.server, trust: account.trust, goal: .logout(token: account.token),
                program: program, upTo: TarnLimits.logout)
            return LogoutReport(user: account.user, notRevoked: nil)
        } catch {
            let cause =
                switch error {
                case .other(let error): error
                case .certificate(let error): TarnError(error)
                }
            return LogoutReport(user: account.user, notRevoked: cause)
        }
    }

    /// Nobody writes between the look for unsent work and the removal: other processes that have
    /// a file open see that it is gone before they write to it again. The account goes first, so
    /// that nobody makes the replicas anew for it.
    private func removeEverything(force: Bool) throws(TarnError) {
        let realms = try realms()
        var stores: [SQLiteReplicaStore] = []
        // Nothing was written to them but by removing them.
        defer { for store in stores { store.close() } }
        for realm in realms {
            let count: Int
            do throws(StorageError) {
                let store = try SQLiteReplicaStore(path: replicaPath(of: realm))
                stores.append(store)
                try store.begin(.writing(.relaxed))
                count = try store.pendingCount()
            } catch {
                guard error.code == .corrupt, force else { throw TarnError(error) }
                continue
            }
            guard count == 0 || force else { throw Self.unsent(count, in: realm) }
        }
        try removeAccount()
        for realm in realms { try Self.removeFiles(of: replicaPath(of: realm)) }
    }

    /// The replica itself first: what is left of it after a crash is removed before the next one is
    /// made.
    private static func removeFiles(of path: String) throws(TarnError) {
        for suffix in ["", "-wal", "-shm"] { try PrivateFile.remove(path + suffix) }
        try PrivateFile.remove(SharedReplica.wakePath(of: path))
    }

    private static func unsent(_ count: Int, in realm: RealmName) -> TarnError {
        TarnError(
            .unsentWork,
            count == 1
                ? "one change of \(realm) has not reached the server."
                : "\(count) changes of \(realm) have not reached the server.",
            advice: "Use `tarn sync` to send them, or `tarn logout --force` to drop them.")
    }

    /// Opens a replica's file for one look, alone in the profile.
    func withReplica<Answer>(
        of realm: RealmName, _ body: (SQLiteReplicaStore) throws(StorageError) -> Answer
    ) throws(TarnError) -> Answer {
        do throws(StorageError) {
            let store = try SQLiteReplicaStore(path: replicaPath(of: realm))
            defer { store.close() }
            try store.begin(.reading)
            return try body(store)
        } catch {
            throw TarnError(error)
        }
    }
}
