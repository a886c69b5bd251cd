package import TarnModel

/// What the server keeps of a replica for ever, so that a fork is noticed whenever it shows.
package struct ReplicaHead: Hashable, Sendable {
    package var user: String
    /// Its last transaction that was decided, and the chain's link there.
    package var sequence: UInt64
    package var hash: ChainHash
    /// The ticks of that transaction's stamp.
    package var ticks: UInt64
    /// Its last transaction whose outcome it has confirmed to know, and the link there.
    package var confirmedSequence: UInt64
    package var confirmedHash: ChainHash
    /// What it had integrated when it last said so.
    package var integrated: ResumePoint

    package init(user: String) {
        self.user = user
        sequence = 0
        hash = .zero
        ticks = 0
        confirmedSequence = 0
        confirmedHash = .zero
        integrated = .zero
    }
}

/// The replicas of one realm, and the outcomes that they have not confirmed.
package protocol RealmReplicas {
    func head(of replica: ReplicaID) throws(StorageError) -> ReplicaHead?
    func put(_ head: ReplicaHead, of replica: ReplicaID) throws(StorageError)

    /// The kept receipts above a sequence, in order.
    func receipts(
        of replica: ReplicaID, after sequence: UInt64
    ) throws(StorageError) -> [Receipt]

    func put(_ receipt: Receipt, of replica: ReplicaID) throws(StorageError)
    func dropReceipts(of replica: ReplicaID, through sequence: UInt64) throws(StorageError)
}
