import TarnModel
import TarnProtocol
import TarnStorage

/// The digest of what a subscription holds, in the making: some objects at a time, so that whoever
/// leads is not taken for dead over it. What is confirmed stays as it is meanwhile, since the
/// server sends nothing before it has the answer.
struct DigestInProgress {
    let subscription: Int64
    private let members: [ObjectID]
    private let roots: Set<ObjectID>
    private var taken = 0
    private(set) var digest: ContentDigest

    /// Some tens of milliseconds.
    private static let objectsASlice = 2_000

    /// Inside a storage transaction.
    init(of subscription: Int64, in store: any ReplicaStore) throws(StorageError) {
        self.subscription = subscription
        members = try store.members(of: subscription)
        roots = Set(try store.roots(of: subscription))
        digest = ContentDigest(
            bucketCount: ContentDigest.bucketCount(forObjects: members.count))
    }

    var isDone: Bool { taken == members.count }

    /// Inside a storage transaction.
    mutating func goOn(in replica: Replica) throws(StorageError) {
        let end = min(taken + Self.objectsASlice, members.count)
        for object in members[taken..<end] {
            let held = try replica.store.heldObject(object, isRoot: roots.contains(object))
            digest.add(held, sha256: replica.sha256)
        }
        taken = end
    }
}
