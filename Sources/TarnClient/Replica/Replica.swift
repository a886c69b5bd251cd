package import TarnModel
package import TarnStorage

/// One client's copy of its part of one realm, and the only door to it: people's writes go in by
/// `write`, the server's groups by `integrate`, and everybody looks by `read`.
///
/// It may be used by one thread at a time; other processes may have the same store open. A
/// reference to the store is all it holds, so copies are the same replica.
package struct Replica {
    package let store: any ReplicaStore
    /// Which replica it was when it was opened.
    package let identity: ReplicaIdentity
    let sha256: (_ bytes: [UInt8]) -> [UInt8]
    /// How much of its own decided work it keeps.
    package var archiveBounds = ArchiveBounds.standard

    private init(
        _ store: any ReplicaStore, _ identity: ReplicaIdentity,
        _ sha256: @escaping (_ bytes: [UInt8]) -> [UInt8]
    ) {
        self.store = store
        self.identity = identity
        self.sha256 = sha256
    }

    /// Opens the replica that a store holds, or makes the empty store a replica.
    ///
    /// Throws `notOwn` where it is another realm's or another user's.
    package static func open(
        _ store: any ReplicaStore, of realm: RealmName, user: String,
        random: inout some RandomNumberGenerator, sha256: @escaping (_ bytes: [UInt8]) -> [UInt8]
    ) throws(ReplicaError) -> Replica {
        let fresh = ReplicaIdentity(
            realmName: realm, realm: nil, replica: ReplicaID(random.next()), user: user)
        let replica = Replica(store, fresh, sha256)
        let stored: ReplicaIdentity
        do {
            let known = try replica.inTransaction(.reading) { try store.identity() }
            stored =
                try known
                ?? replica.inTransaction(.writing(.full)) {
                    // Another process may have been faster.
                    if let stored = try store.identity() { return stored }
                    try store.setIdentity(fresh)
                    return fresh
                }
        } catch {
            throw ReplicaError(error)
        }
        guard stored.realmName == realm, Text(stored.user) == Text(user) else {
            throw ReplicaError(.notOwn, "the replica is \(stored.user)'s, of \(stored.realmName)")
        }
        return Replica(store, stored, sha256)
    }

    /// A realm of nobody's server: it is its own authority, so its writes are confirmed at once and
    /// there is no outbox.
    package var isLocal: Bool { identity.isLocal }
}

extension ReplicaIdentity {
    package var isLocal: Bool { realmName.owner == RealmName.localOwner }
}

extension Replica {
    /// Runs within one storage transaction, and takes back everything where the body throws.
    func inTransaction<Answer>(
        _ kind: TransactionKind, _ body: () throws -> Answer
    ) throws -> Answer {
        try store.begin(kind)
        do {
            let answer = try body()
            try store.commit()
            return answer
        } catch {
            store.rollback()
            throw error
        }
    }
}
