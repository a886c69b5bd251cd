package import TarnModel

/// What happened to one view between two versions; for a new subscription, all of it as arrivals.
/// Encoded once for all who share the view. Classes and properties go by the numbers of the
/// connection's dictionary.
package struct ViewDelta: Hashable, Sendable {
    package var departures: [ObjectKey]
    package var arrivals: [Arrival]
    package var changes: [ObjectChange]

    package init(
        departures: [ObjectKey] = [], arrivals: [Arrival] = [], changes: [ObjectChange] = []
    ) {
        self.departures = departures
        self.arrivals = arrivals
        self.changes = changes
    }

    package var isEmpty: Bool { departures.isEmpty && arrivals.isEmpty && changes.isEmpty }
}

/// A class by its number, and a key.
package struct ObjectKey: Hashable, Sendable {
    package let classNumber: Int
    package let key: PrimaryKey

    package init(classNumber: Int, key: PrimaryKey) {
        self.classNumber = classNumber
        self.key = key
    }
}

/// An element of a list, where it stands.
package struct SlotContent: Hashable, Sendable {
    package let slot: SlotID
    package let element: ElementID
    package let value: Value

    package init(slot: SlotID, element: ElementID, value: Value) {
        self.slot = slot
        self.element = element
        self.value = value
    }
}

/// What a property holds: a value, a list's elements in order, or the entries of a set or map.
package enum PropertyContent: Hashable, Sendable {
    case value(Value)
    case list([SlotContent])
    case entries([Entry])
}

/// An object that the view did not hold, whole.
package struct Arrival: Hashable, Sendable {
    package let object: ObjectKey
    package let life: TransactionID
    /// Selected by the query itself.
    package let isRoot: Bool
    /// By property number.
    package let properties: [PropertyContent]

    package init(
        object: ObjectKey, life: TransactionID, isRoot: Bool, properties: [PropertyContent]
    ) {
        self.object = object
        self.life = life
        self.isRoot = isRoot
        self.properties = properties
    }
}

/// An object that the view held and holds, with what changed of it.
package struct ObjectChange: Hashable, Sendable {
    package let object: ObjectKey
    package let values: [NumberedValue]
    package let lists: [ListChange]
    /// Of its sets and maps.
    package let entries: [EntriesChange]

    package init(
        object: ObjectKey, values: [NumberedValue], lists: [ListChange],
        entries: [EntriesChange] = []
    ) {
        self.object = object
        self.values = values
        self.lists = lists
        self.entries = entries
    }
}

/// A property's new value.
package struct NumberedValue: Hashable, Sendable {
    package let property: Int
    package let value: Value

    package init(property: Int, value: Value) {
        self.property = property
        self.value = value
    }
}

/// What happened to one list: first all slots are vacated, then each is placed, in list order,
/// right behind a slot that is there by then.
package struct ListChange: Hashable, Sendable {
    package let property: Int
    package let vacated: [SlotID]
    package let placed: [PlacedSlotContent]

    package init(property: Int, vacated: [SlotID], placed: [PlacedSlotContent]) {
        self.property = property
        self.vacated = vacated
        self.placed = placed
    }
}

/// What happened to the entries of one set or map.
package struct EntriesChange: Hashable, Sendable {
    package let property: Int
    package let changes: [EntryChange]

    package init(property: Int, changes: [EntryChange]) {
        self.property = property
        self.changes = changes
    }
}

package struct PlacedSlotContent: Hashable, Sendable {
    package let content: SlotContent
    /// Nil for the beginning.
    package let predecessor: SlotID?

    package init(content: SlotContent, predecessor: SlotID?) {
        self.content = content
        self.predecessor = predecessor
    }
}
