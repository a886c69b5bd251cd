/// What a committed transaction did, resolved: whoever replays it applies effects in order, and
/// never merges or checks access. Objects are named by class and key, which at that point of the
/// history name one object; links carry no life.
package enum Effect: Hashable, Sendable {
    /// The class as it is from now on.
    case putClass(ClassSchema)
    /// Properties that are not named have their initial values, as defaults.
    case create(className: String, key: PrimaryKey, life: TransactionID, values: [InitialValue])
    /// Another name of an existing object's life: that of a creation that merged with it.
    case alias(TransactionID, className: String, key: PrimaryKey)
    case set(className: String, key: PrimaryKey, property: String, value: Value, isDefault: Bool)
    /// A link loses its target, which is deleted; the property keeps the stamp of who set it.
    case unlink(className: String, key: PrimaryKey, property: String)
    case delete(className: String, key: PrimaryKey)
    case place(ListEffect, slot: PlacedElement)
    /// The slot's element leaves it; the slot stays as a tombstone.
    case vacate(ListEffect, slot: SlotID)
    /// Adds to an int, wrapping; the property keeps the stamp of who set it.
    case increment(className: String, key: PrimaryKey, property: String, by: Int64)
    /// A set's entry is the element, and holds true.
    case setEntry(ListEffect, entry: Value, value: Value)
    /// Somebody took the entry out.
    case removeEntry(ListEffect, entry: Value)
    /// The entry's link loses its target, which is deleted: it goes, with the stamp of who set it.
    case unlinkEntry(ListEffect, entry: Value)
}

/// The list, set or map that an effect is on.
package struct ListEffect: Hashable, Sendable {
    package let className: String
    package let key: PrimaryKey
    package let property: String

    package init(className: String, key: PrimaryKey, property: String) {
        self.className = className
        self.key = key
        self.property = property
    }
}

/// An element in a new slot, and where that came to stand.
package struct PlacedElement: Hashable, Sendable {
    package let slot: SlotID
    package let element: ElementID
    /// Where its author wanted it: later placings need to know.
    package let place: ListPlace
    /// The slot, tombstones counted, that it was put right behind; nil for the beginning.
    package let predecessor: SlotID?
    package let value: Value

    package init(
        slot: SlotID, element: ElementID, place: ListPlace, predecessor: SlotID?, value: Value
    ) {
        self.slot = slot
        self.element = element
        self.place = place
        self.predecessor = predecessor
        self.value = value
    }
}
