/// The changes of one `write`: applied once, and shown whole or not at all.
package struct Transaction: Hashable, Sendable {
    package let id: TransactionID
    /// What the replica had integrated when it wrote. What was committed later by others is
    /// concurrent.
    package let base: ResumePoint
    package let changes: [Change]

    package init(id: TransactionID, base: ResumePoint, changes: [Change]) {
        self.id = id
        self.base = base
        self.changes = changes
    }
}

/// A transaction as it is stored and sent: its body's bytes never change again, since the chain of
/// hashes goes over them as they were first sent.
package struct SealedTransaction: Hashable, Sendable {
    package let body: [UInt8]
    /// The chain's link after this body.
    package let hash: ChainHash
    /// The author's clock when it wrote, as stamp ticks. Outside the hash: the server fixes it.
    package var clockTicks: UInt64
    package var standing: Standing

    /// What is known of it from a server that has lost it since.
    package enum Standing: UInt64, Sendable {
        /// Nothing: no server has told of it.
        case new = 0
        /// It was applied, with the ticks that it has now.
        case decided = 1
        /// It was refused or parked: it keeps its place in the chain, and is not to happen after
        /// all.
        case undone = 2
    }

    package init(
        body: [UInt8], hash: ChainHash, clockTicks: UInt64, standing: Standing = .new
    ) {
        self.body = body
        self.hash = hash
        self.clockTicks = clockTicks
        self.standing = standing
    }
}
