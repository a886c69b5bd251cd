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

    package init(body: [UInt8], hash: ChainHash, clockTicks: UInt64) {
        self.body = body
        self.hash = hash
        self.clockTicks = clockTicks
    }
}
