package import TarnModel

/// Who wrote a transaction, and when.
package struct Origin: Hashable, Sendable {
    package let transaction: TransactionID
    /// The chain's link after it.
    package let hash: ChainHash
    /// The fixed stamp's ticks.
    package let ticks: UInt64
    /// The author's user id.
    package let user: String

    package init(transaction: TransactionID, hash: ChainHash, ticks: UInt64, user: String) {
        self.transaction = transaction
        self.hash = hash
        self.ticks = ticks
        self.user = user
    }

    package var stamp: Stamp { Stamp(ticks: ticks, replica: transaction.replica) }
}

/// One committed transaction of one realm, or the refusal of one.
package struct LogRecord: Hashable, Sendable {
    package let realm: RealmID
    package let point: ResumePoint
    package let origin: Origin
    package let outcome: Outcome
    /// What it did; nothing where it was refused.
    package let effects: [Effect]

    package init(
        realm: RealmID, point: ResumePoint, origin: Origin, outcome: Outcome, effects: [Effect]
    ) {
        self.realm = realm
        self.point = point
        self.origin = origin
        self.outcome = outcome
        self.effects = effects
    }

    package var receipt: Receipt {
        Receipt(
            sequence: origin.transaction.sequence, hash: origin.hash, version: point.version,
            ticks: origin.ticks, outcome: outcome)
    }
}
