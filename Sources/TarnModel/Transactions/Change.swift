/// An object as a change names it: a key alone would hit whatever bears it by then.
package struct ObjectName: Hashable, Sendable {
    package let className: String
    package let key: PrimaryKey
    /// The transaction that created the object meant; for one made in the same transaction, that
    /// transaction itself.
    package let life: TransactionID

    package init(_ className: String, _ key: PrimaryKey, life: TransactionID) {
        self.className = className
        self.key = key
        self.life = life
    }
}

/// Where an element is to stand, as its author saw it: after one slot and before another; nil is
/// the list's beginning and end. Only the server places it.
package struct ListPlace: Hashable, Sendable {
    package static let only = ListPlace(after: nil, before: nil)
    package let after: SlotID?
    package let before: SlotID?

    package init(after: SlotID?, before: SlotID?) {
        self.after = after
        self.before = before
    }
}

/// A property's first value.
package struct InitialValue: Hashable, Sendable {
    package let property: String
    package let value: Value
    /// Filled in by a program rather than said by a person: it loses to any explicit value.
    package let isDefault: Bool

    package init(_ property: String, _ value: Value, isDefault: Bool = false) {
        self.property = property
        self.value = value
        self.isDefault = isDefault
    }
}

/// One instruction of a transaction, as its author gave it.
package enum Change: Hashable, Sendable {
    case addClass(ClassSchema)
    case create(className: String, key: PrimaryKey, values: [InitialValue])
    case set(ObjectName, property: String, value: Value)
    case delete(ObjectName)
    /// The slot's ordinal is its place among the transaction's insertions and moves, from 0.
    case insert(ObjectName, property: String, slot: SlotID, place: ListPlace, value: Value)
    case move(ObjectName, property: String, element: ElementID, slot: SlotID, place: ListPlace)
    case remove(ObjectName, property: String, element: ElementID)
    /// Adds to an int, wrapping; what others add meanwhile adds up.
    case increment(ObjectName, property: String, by: Int64)
    /// Puts a value under an entry of a map, or an element into a set (`entry` is the element, and
    /// `value` is true).
    case setEntry(ObjectName, property: String, entry: Value, value: Value)
    /// Takes an entry out of a set or map.
    case removeEntry(ObjectName, property: String, entry: Value)
    /// Deletes what belonged to an object that is deleted, or let go, in this transaction: unless
    /// another owner holds it by then.
    case deleteOwned(ObjectName)
}

extension Change {
    /// Bytes of the keys, strings and data in it: all else is short.
    package var byteCount: Int {
        switch self {
        case .addClass: 0
        case .create(_, let key, let values):
            values.reduce(key.byteCount) { $0 + $1.value.byteCount }
        case .set(let name, _, let value), .insert(let name, _, _, _, let value):
            name.key.byteCount + value.byteCount
        case .setEntry(let name, _, let entry, let value):
            name.key.byteCount + entry.byteCount + value.byteCount
        case .removeEntry(let name, _, let entry): name.key.byteCount + entry.byteCount
        case .delete(let name), .move(let name, _, _, _, _), .remove(let name, _, _),
            .increment(let name, _, _), .deleteOwned(let name):
            name.key.byteCount
        }
    }

    /// How often it names a transaction, at the most: as a life, an element or a slot.
    var transactionNameCount: Int {
        switch self {
        case .addClass: 0
        case .create(_, _, let values): values.count { $0.value.isLink }
        case .set(_, _, let value): value.isLink ? 2 : 1
        case .delete, .increment, .deleteOwned: 1
        case .insert(_, _, _, _, let value): value.isLink ? 5 : 4
        case .move: 5
        case .remove: 2
        case .setEntry(_, _, let entry, let value):
            1 + (entry.isLink ? 1 : 0) + (value.isLink ? 1 : 0)
        case .removeEntry(_, _, let entry): entry.isLink ? 2 : 1
        }
    }
}
