package import TarnModel

/// What was done to a thing.
package enum HistoryDeed: UInt64, Sendable, CaseIterable {
    /// An object; the values that it was given follow as entries of their own.
    case created = 1
    case set = 2
    case deleted = 3
    /// A link lost its target, which was deleted.
    case unlinked = 4
    /// A second creation of an object's key, which became one with it.
    case merged = 5
    /// Into a list.
    case inserted = 6
    case moved = 7
    /// Out of a list, a set or a map.
    case removed = 8
    case incremented = 9
    /// Into a set, or under a map's key.
    case put = 10
    /// A class, or properties of one.
    case defined = 11
    /// A whole transaction: nothing of it was done.
    case refused = 12
}

/// One thing that was done, by whom and when.
package struct HistoryEntry: Hashable, Sendable {
    package let place: HistoryPlace
    /// The stamp's: milliseconds since 1970 in the upper 48 bits.
    package let ticks: UInt64
    package let transaction: TransactionID
    package let user: String
    package let deed: HistoryDeed
    package var className: String?
    package var key: PrimaryKey?
    package var property: String?
    /// The map's key, or the set's element.
    package var entry: Value?
    /// What stood there afterwards, or what was added.
    package var value: Value?
    /// What stood there before, where that is known.
    package var before: Value?
    /// A value was too large to be told.
    package var isCut = false
    /// Why it was refused.
    package var sentence: String?

    package init(
        at place: HistoryPlace, ticks: UInt64, by transaction: TransactionID, user: String,
        _ deed: HistoryDeed
    ) {
        self.place = place
        self.ticks = ticks
        self.transaction = transaction
        self.user = user
        self.deed = deed
    }

    package var milliseconds: Int64 { Int64(clamping: ticks >> 16) }
}
