/// What became of a transaction. Final: decided once by the server, in order, and kept until the
/// replica has confirmed that it knows.
package enum Outcome: Hashable, Sendable {
    /// All of it holds.
    case accepted
    /// It was applied, and some of it lost to what others had done; the list says what.
    case overridden([Override])
    /// None of it was applied.
    case refused(Refusal)
    /// None of it was applied: what it works on has not come back since the server was restored
    /// from an older backup.
    case parked(Parking)

    /// Whether nothing of the transaction was applied.
    package var isUndone: Bool {
        switch self {
        case .accepted, .overridden: false
        case .refused, .parked: true
        }
    }
}

/// One change that was lost at commit, and to what.
package struct Override: Hashable, Sendable {
    package enum Reason: UInt64, Sendable {
        /// The object that it changes was deleted meanwhile.
        case objectDeleted = 1
        /// A value with a later stamp, or one that was said against a default, stands.
        case laterValue = 2
        /// The element was removed, or moved later by someone else.
        case elementGone = 3
        /// The object that it links to was deleted meanwhile.
        case targetDeleted = 4
        /// The object was made for an owner that was deleted, or has let it go, meanwhile; and
        /// died.
        case ownerDeleted = 5
        /// Nothing can be added to null.
        case valueIsNull = 6
    }

    package let className: String
    package let key: PrimaryKey
    /// Nil where the whole object is meant.
    package let property: String?
    package let reason: Reason
    /// Nil where it may not be known, or is known no more.
    package let winner: Winner?

    /// What stands instead.
    package struct Winner: Hashable, Sendable {
        /// Whose it is: a user's id.
        package let user: String
        /// The value that stands; nil where that is none.
        package let value: Value?

        package init(user: String, value: Value? = nil) {
            self.user = user
            self.value = value
        }
    }

    package init(
        className: String, key: PrimaryKey, property: String?, reason: Reason,
        winner: Winner? = nil
    ) {
        self.className = className
        self.key = key
        self.property = property
        self.reason = reason
        self.winner = winner
    }
}

/// Why a transaction was refused.
package struct Refusal: Hashable, Sendable {
    package enum Code: UInt64, Sendable {
        /// It adds a class or property that is there already, defined otherwise.
        case schemaConflict = 1
        /// It names a class or property that the realm does not have.
        case unknownName = 2
        /// A value is not of its property's type.
        case wrongType = 3
        /// It touches what only a refused transaction had created.
        case dependsOnRefused = 4
        /// A limit of the server is exceeded.
        case tooLarge = 5
        /// Another object has that value of a unique property already.
        case notUnique = 6
        /// An object that is a part of another would be held in two places.
        case heldTwice = 7
        /// It was refused, or parked, by this server before that was restored from a backup.
        case refusedBefore = 8
    }

    package let code: Code
    /// One sentence for a person, without anything that the author may not know.
    package let sentence: String

    package init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

/// What a parked transaction waits for.
package struct Parking: Hashable, Sendable {
    /// The transaction that created what it works on, which the server has never decided.
    package let creator: TransactionID
    /// One sentence for a person.
    package let sentence: String

    package init(creator: TransactionID, sentence: String) {
        self.creator = creator
        self.sentence = sentence
    }
}

/// An outcome, and the transaction that it is of.
package struct Receipt: Hashable, Sendable {
    package let sequence: UInt64
    package let hash: ChainHash
    /// The version that the outcome was decided at; a refusal has one, too.
    package let version: Version
    /// The fixed stamp's ticks, which the replica adopts.
    package let ticks: UInt64
    package let outcome: Outcome

    package init(
        sequence: UInt64, hash: ChainHash, version: Version, ticks: UInt64, outcome: Outcome
    ) {
        self.sequence = sequence
        self.hash = hash
        self.version = version
        self.ticks = ticks
        self.outcome = outcome
    }
}
