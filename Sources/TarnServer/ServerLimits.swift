import TarnModel
import TarnProtocol

/// What the server holds itself and its clients to, beyond the protocol's own limits.
package enum ServerLimits {
    /// Transactions that one turn of a realm decides: enough that fifty writers share one sync,
    /// little enough that the first of them does not wait for the last.
    static let transactionsATurnMax = 1_000
    /// Weight at which a turn of a realm takes no further transaction: what its largest transaction
    /// may weigh.
    static let weightATurnMax = TransactionLimits.weightMax
    /// Bytes of a transaction's body that shares its turn with others: of some hundreds of changes
    /// at most, at fifteen bytes or more for each. A larger one has a turn to itself, and small
    /// ones have one before the next large one, so that nobody waits for more than one of them,
    /// whoever else imports.
    static let smallBodyBytesMax = 8 << 10
    /// Slots that the insertions and moves of one transaction may be compared with. Each of them
    /// meets those only that its author could not see, and those wanted at the same place: two
    /// hundred that others have put there, on the average of a transaction of the largest size.
    static let slotsWalkedMax = 200_000
    /// Transactions of one session that wait to be decided; while there are more, nothing is
    /// granted to it.
    static let uploadsWaitingMax = 10_000
    /// Messages of one session that wait for the realm's next turn. Credit bounds the bytes of
    /// parts, but not their number, nor what is outside of credit: this is room for every upload
    /// that may wait, and as much again.
    static let messagesWaitingMax = 1 << 17
    /// Encoded differences that a view keeps for them.
    static let differencesSharedMax = 16
    /// Rows of the past that are freed after a turn: about a millisecond.
    static let rowsAHistorySlice = 128
    /// While others wait for the next turn, one of so many turns frees something.
    static let turnsAHistorySlice = 8
    /// Records that are read from the log at once when a realm is opened.
    static let replayBatch = 1_000
    /// Receipts of a replica that are kept after it has confirmed them: what a copy of the replica
    /// has in its outbox is told by them from what it has written itself.
    static let receiptsKept: UInt64 = 1_000
    /// Logins of one connection that may fail: a person mistypes a few times, a guesser goes on.
    static let loginsRefusedMax = 20
    /// Seconds from the connection's opening to its login: a person types a password meanwhile only
    /// in programs that connect first.
    package static let loginSeconds = 60
}
