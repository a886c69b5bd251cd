package import TarnModel

/// A list, set or map: that property of one object.
package struct ListID: Hashable, Sendable {
    package let object: ObjectID
    package let property: Int

    package init(object: ObjectID, property: Int) {
        self.object = object
        self.property = property
    }
}

/// A live element, where it stands.
package struct ListElement: Hashable, Sendable {
    package let slot: SlotID
    package let element: ElementID
    package let value: Value

    package init(slot: SlotID, element: ElementID, value: Value) {
        self.slot = slot
        self.element = element
        self.value = value
    }
}

/// A live element, and the live slot right before it; nil for the beginning.
package struct ListPlacement: Hashable, Sendable {
    package let element: ListElement
    package let predecessor: SlotID?

    package init(element: ListElement, predecessor: SlotID?) {
        self.element = element
        self.predecessor = predecessor
    }
}

/// What happened to a list, for one who had it at an earlier version.
package struct ListDifference: Hashable, Sendable {
    /// Slots that ceased to be live. Some may not have been there at that version: who holds the
    /// object by two views may have met them by the other.
    package var vacated: [SlotID]
    /// Live slots that were not, in list order; a predecessor may be the slot of the entry before.
    package var placed: [ListPlacement]

    package init(vacated: [SlotID] = [], placed: [ListPlacement] = []) {
        self.vacated = vacated
        self.placed = placed
    }

    package var isEmpty: Bool { vacated.isEmpty && placed.isEmpty }
}

package typealias SlotVisit = (
    _ slot: PlacedSlot, _ isBetween: (SlotID) throws(StorageError) -> Bool
) throws(StorageError) -> Bool

/// The slots of the lists of one realm, tombstones too.
package protocol RealmLists {
    /// Where an element stands now, or that it is gone.
    func state(of element: ElementID, in list: ListID) throws(StorageError) -> ElementState

    /// The version at which an element was taken out; nil where it stands, was never there, or is
    /// forgotten below the floor.
    func removal(of element: ElementID, in list: ListID) throws(StorageError) -> Version?

    /// The element where it stands now; nil where it is gone.
    func element(_ id: ElementID, in list: ListID) throws(StorageError) -> ListElement?

    /// Hands over what is between the two slots of a place, tombstones too, in order, for as long
    /// as the answer is true. `isBetween` tells of any slot whether it is one of those between, be
    /// it handed over by then or not.
    ///
    /// An anchor that is not known (below the floor, or never there) falls back: without `after`,
    /// right before `before`; without `before`, right after `after`; without both, the end. A
    /// `before` that does not stand behind `after` counts as not known.
    /// - Returns: the slot right before all that; the place's own `after`, where it is known.
    func walk(
        _ place: ListPlace, in list: ListID, visit: SlotVisit
    ) throws(StorageError) -> SlotID?

    /// The live elements in order.
    func liveElements(in list: ListID) throws(StorageError) -> [ListElement]

    /// What changed above a version, which is not below the floor.
    func difference(of list: ListID, since version: Version) throws(StorageError) -> ListDifference

    /// The live slots of a list that hold this object, and their elements.
    func slots(holding target: ObjectID, in list: ListID) throws(StorageError) -> [ListElement]
}

extension RealmLists {
    /// All that is between the two slots of a place, and the slot right before that.
    package func surroundings(
        of place: ListPlace, in list: ListID
    ) throws(StorageError) -> (predecessor: SlotID?, between: [PlacedSlot]) {
        var between: [PlacedSlot] = []
        let predecessor = try walk(place, in: list) { (slot, _) throws(StorageError) in
            between.append(slot)
            return true
        }
        return (predecessor, between)
    }
}
