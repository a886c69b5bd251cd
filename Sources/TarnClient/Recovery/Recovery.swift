import TarnModel
import TarnStorage

/// What a replica has found out about its own work at a server whose memory does not fit its own,
/// and what it does about that, all at once, when the next group comes. Until then nothing is
/// changed, so that whatever ends the attempt, it begins anew.
struct Recovery {
    /// Which replica it was about, and where that one's chain began to be asked about.
    let replica: ReplicaID
    let acknowledged: UInt64
    /// Of that replica's transactions, those up to here have been decided: by itself or by a copy.
    let settled: UInt64
    /// Receipts of these, as far as the server still has them.
    let receipts: [UInt64: Receipt]
    /// What its other transactions are called from now on.
    let renaming: Renaming
    /// The id that it goes on under, and the last transaction of it that is decided.
    let successor: ReplicaID
    let head: ChainState.Link
    /// What the session begins at.
    let point: ResumePoint

    /// Whether the replica is another one from now on.
    var isRenamed: Bool { successor != replica }
}

extension ChainState {
    /// A transaction of the chain, and its hash.
    struct Link: Hashable {
        let sequence: UInt64
        let hash: ChainHash

        static let zero = Link(sequence: 0, hash: .zero)
    }
}
