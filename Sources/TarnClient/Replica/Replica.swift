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

    /// Opens the replica that a store holds, or makes the empty store a replica.
    ///
    /// Throws `notOwn` where it is another realm's or another user's.
    package init(
        _ store: any ReplicaStore, of realm: RealmName, user: String,
        random: inout some RandomNumberGenerator, sha256: @escaping (_ bytes: [UInt8]) -> [UInt8]
    ) throws(ReplicaError) {
        let id = ReplicaID(random.next())
        do throws(StorageError) {
            identity = try Self.identity(in: store, of: realm, user: user, fresh: id)
        } catch {
            throw ReplicaError(error)
        }
        guard identity.realmName == realm, Text(identity.user) == Text(user) else {
            throw ReplicaError(
                .notOwn, "the replica is \(identity.user)'s, of \(identity.realmName)")
        }
        self.store = store
        self.sha256 = sha256
    }

    private static func identity(
        in store: any ReplicaStore, of realm: RealmName, user: String, fresh: ReplicaID
    ) throws(StorageError) -> ReplicaIdentity {
        try store.begin(.writing(.full))
        do throws(StorageError) {
            if let identity = try store.identity() {
                store.rollback()
                return identity
            }
            let identity = ReplicaIdentity(
                realmName: realm, realm: nil, replica: fresh, user: user)
            try store.setIdentity(identity)
            try store.commit()
            return identity
        } catch {
            store.rollback()
            throw error
        }
    }

    /// A realm of nobody's server: it is its own authority, so its writes are confirmed at once and
    /// there is no outbox.
    package var isLocal: Bool { identity.isLocal }
}

extension ReplicaIdentity {
    /// The owner under whose name a person's realms stand before any login. No user can be called
    /// so: the server refuses the name.
    package static let localOwner = "local"

    package var isLocal: Bool { realmName.owner == Self.localOwner }
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
