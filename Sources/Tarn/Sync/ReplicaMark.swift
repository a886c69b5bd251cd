import TarnClient
import TarnModel
import TarnStorage

/// What tells one state of a replica from another, for a few reads.
struct ReplicaMark: Equatable {
    let note: Int64
    let chain: ChainState
    let resumePoint: ResumePoint
    let subscriptions: [StoredSubscription]
    let status: SyncStatus
    let pendingCount: Int

    init(_ shared: SharedReplica) throws(TarnError) {
        self = try shared.reading { reader in
            ReplicaMark(
                note: try reader.store.lastNote(), chain: try reader.store.chain(),
                resumePoint: try reader.store.resumePoint(),
                subscriptions: try reader.store.subscriptions(),
                status: try reader.store.syncStatus(),
                pendingCount: try reader.store.pendingCount())
        }
    }

    private init(
        note: Int64, chain: ChainState, resumePoint: ResumePoint,
        subscriptions: [StoredSubscription], status: SyncStatus, pendingCount: Int
    ) {
        self.note = note
        self.chain = chain
        self.resumePoint = resumePoint
        self.subscriptions = subscriptions
        self.status = status
        self.pendingCount = pendingCount
    }

    /// Whether people may see something else, the connection's state apart.
    func showsTheSame(as other: ReplicaMark) -> Bool {
        note == other.note && chain == other.chain && resumePoint == other.resumePoint
            && subscriptions == other.subscriptions
    }

    /// Nothing is unsent, and the server has answered for every subscription.
    var isComplete: Bool {
        pendingCount == 0
            && subscriptions.allSatisfy { if case .pending = $0.state { false } else { true } }
    }
}
