package import TarnModel

/// A transaction that the server has not decided.
package struct OutboxEntry: Hashable, Sendable {
    package let sequence: UInt64
    package let sealed: SealedTransaction

    package init(sequence: UInt64, sealed: SealedTransaction) {
        self.sequence = sequence
        self.sealed = sealed
    }
}

/// The ends of the replica's hash chain.
package struct ChainState: Hashable, Sendable {
    /// The last transaction written, and the link there.
    package var sequence: UInt64
    package var hash: ChainHash
    /// The last transaction whose receipt has arrived, and the link there.
    package var acknowledgedSequence: UInt64
    package var acknowledgedHash: ChainHash
    /// Nothing is written with lower ticks: the last transaction's, as fixed or as claimed.
    package var ticks: UInt64

    package static let empty = ChainState(
        sequence: 0, hash: .zero, acknowledgedSequence: 0, acknowledgedHash: .zero, ticks: 0)

    package init(
        sequence: UInt64, hash: ChainHash, acknowledgedSequence: UInt64,
        acknowledgedHash: ChainHash, ticks: UInt64
    ) {
        self.sequence = sequence
        self.hash = hash
        self.acknowledgedSequence = acknowledgedSequence
        self.acknowledgedHash = acknowledgedHash
        self.ticks = ticks
    }
}

/// A receipt that says more than "accepted", kept to be read; a refused transaction's with its
/// body, so that nothing vanishes.
package struct KeptReceipt: Hashable, Sendable {
    package let receipt: Receipt
    /// The transaction's body, where it was refused.
    package let body: [UInt8]?
    /// The server's time when the receipt came, in milliseconds since 1970.
    package let decided: Int64

    package init(receipt: Receipt, body: [UInt8]?, decided: Int64 = 0) {
        self.receipt = receipt
        self.body = body
        self.decided = decided
    }
}

/// What the server has not decided yet, and what it decided against.
package protocol ReplicaOutbox {
    func chain() throws(StorageError) -> ChainState
    func setChain(_ chain: ChainState) throws(StorageError)

    /// Appends a transaction, with the objects whose rows or lists it touches.
    func append(_ entry: OutboxEntry, touching objects: [ObjectID]) throws(StorageError)
    /// Adds an object that a pending transaction turned out to touch.
    func addTouch(_ object: ObjectID, by sequence: UInt64) throws(StorageError)

    /// The pending transactions above a sequence, in order, at most so many.
    func pending(after sequence: UInt64, limit: Int) throws(StorageError) -> [OutboxEntry]
    func pending(_ sequence: UInt64) throws(StorageError) -> OutboxEntry?
    func pendingCount() throws(StorageError) -> Int

    /// The pending transactions that touch an object, in order.
    func sequences(touching object: ObjectID) throws(StorageError) -> [UInt64]
    func objects(touchedBy sequence: UInt64) throws(StorageError) -> [ObjectID]
    /// Takes a transaction out, and what it is said to touch.
    func removePending(_ sequence: UInt64) throws(StorageError)

    /// Gives a pending transaction another place in the outbox, with what it touches. The place is
    /// free, or its own.
    func replacePending(_ sequence: UInt64, by entry: OutboxEntry) throws(StorageError)

    /// Kept once by sequence and hash: a replica that had to take another id counts from 1 again.
    func keep(_ receipt: KeptReceipt) throws(StorageError)
    /// Takes the one with that sequence and hash away.
    func dropReceipt(_ receipt: Receipt) throws(StorageError)
    /// In order of sequence.
    func keptReceipts() throws(StorageError) -> [KeptReceipt]
}
