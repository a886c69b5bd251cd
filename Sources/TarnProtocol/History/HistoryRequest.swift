package import TarnModel

/// A question for what happened to a realm or to one of its objects, newest first.
package struct HistoryRequest: Hashable, Sendable {
    package let realm: RealmName
    /// Nil for all of the realm.
    package let object: HistorySubject?
    /// Nothing at this place or newer is told.
    package let before: HistoryPlace
    /// Entries that are wanted at most; the answer may have fewer, though there are more.
    package let limit: UInt64

    package init(
        realm: RealmName, object: HistorySubject?, before: HistoryPlace = .end, limit: UInt64
    ) {
        self.realm = realm
        self.object = object
        self.before = before
        self.limit = limit
    }
}

/// An object by its names, whichever of its lives.
package struct HistorySubject: Hashable, Sendable {
    package let className: String
    package let key: PrimaryKey

    package init(className: String, key: PrimaryKey) {
        self.className = className
        self.key = key
    }
}

/// Where an entry stands in a realm's history: at which version, and as which of its entries.
package struct HistoryPlace: Hashable, Comparable, Sendable {
    /// Behind everything that ever happens.
    package static let end = HistoryPlace(version: Version(.max), index: 0)
    package let version: Version
    package let index: UInt64

    package init(version: Version, index: UInt64) {
        self.version = version
        self.index = index
    }

    package static func < (left: HistoryPlace, right: HistoryPlace) -> Bool {
        (left.version, left.index) < (right.version, right.index)
    }
}

/// A part of a realm's history, newest first.
package struct HistoryPage: Hashable, Sendable {
    package let entries: [HistoryEntry]
    /// Where to ask on from; nil where nothing more is kept.
    package let next: HistoryPlace?
    /// What happened at or below this version is forgotten.
    package let floor: Version

    package init(entries: [HistoryEntry], next: HistoryPlace?, floor: Version) {
        self.entries = entries
        self.next = next
        self.floor = floor
    }
}
