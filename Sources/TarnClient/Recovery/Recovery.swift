import TarnModel
import TarnProtocol
import TarnStorage

/// What a replica has found out about its own work at a server whose memory does not fit its own,
/// and what it does about that, all at once, when the next group comes. Until then nothing is
/// changed, so that whatever ends the attempt, it begins anew.
struct Recovery {
    struct Item {
        let id: TransactionID
        let isArchived: Bool
        /// By this replica or by a copy of it.
        let isDecided: Bool
        /// As far as the server still has it.
        let receipt: Receipt?
    }

    /// Which replica it was about, and the last transaction that it knew to be decided.
    let replica: ReplicaID
    let acknowledged: UInt64
    let items: [Item]
    /// What its other transactions are called from now on.
    let renaming: Renaming
    /// The id that it goes on under, and the last transaction of it that is decided.
    let successor: ReplicaID
    let head: ChainState.Link
    /// What the session begins at.
    let point: ResumePoint
    /// The server was restored, and has no more than `point` of what the replica had from it.
    let isRewound: Bool
    /// Work under ids that the replica has given up: it goes up under those, before all else.
    var errands: [Errand]
    /// Transactions that the server has lost and that are not kept here any more.
    let gap: Gap?

    /// Transactions of one former id, behind what the server has of it.
    struct Errand {
        let replica: ReplicaID
        let head: ChainState.Link
        let ids: [TransactionID]
    }

    struct Gap: Hashable {
        let first: UInt64
        let last: UInt64

        var sentence: String {
            "the server was restored from a backup, and transactions \(first) to \(last) of this "
                + "replica are lost: they are not kept here any more"
        }
    }
}

extension Recovery {
    /// Whether the id that it goes on under is not derived from work, since none was left.
    var isNamedByChance: Bool { successor != replica && items.allSatisfy(\.isDecided) }
}

extension ChainState {
    /// A transaction of the chain, and its hash.
    struct Link: Hashable {
        let sequence: UInt64
        let hash: ChainHash

        static let zero = Link(sequence: 0, hash: .zero)
    }
}
