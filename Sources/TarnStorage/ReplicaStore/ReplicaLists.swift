package import TarnModel

/// One slot of a list in a replica. It is gone when it is neither confirmed nor visible.
package struct ReplicaSlot: Hashable, Sendable {
    package let slot: SlotID
    package let element: ElementID
    package let value: Value
    /// Live in what the server last said.
    package var isConfirmed: Bool
    /// Live in what the user sees.
    package var isVisible: Bool

    package init(
        slot: SlotID, element: ElementID, value: Value, isConfirmed: Bool, isVisible: Bool
    ) {
        self.slot = slot
        self.element = element
        self.value = value
        self.isConfirmed = isConfirmed
        self.isVisible = isVisible
    }
}

/// The slots of the lists of one replica, in one order for both layers.
package protocol ReplicaLists {
    /// All slots, confirmed or visible, in order.
    func slots(in list: ListID) throws(StorageError) -> [ReplicaSlot]

    /// The visible slots that hold a link to an object, in order; the others are not decoded.
    func slots(in list: ListID, leadingTo target: ObjectID) throws(StorageError) -> [ReplicaSlot]

    func slot(_ id: SlotID, in list: ListID) throws(StorageError) -> ReplicaSlot?

    /// The visible slot of an element.
    func visibleSlot(of element: ElementID, in list: ListID) throws(StorageError) -> ReplicaSlot?

    /// The slot right before another one, of either layer; nil at the beginning.
    func predecessor(of slot: SlotID, in list: ListID) throws(StorageError) -> SlotID?

    /// The last slot of either layer; nil in an empty list.
    func lastSlot(in list: ListID) throws(StorageError) -> SlotID?

    /// Puts a slot right behind another one, or at the beginning. If the slot is there already it
    /// is moved, and becomes as given. A predecessor that is not there counts as the end. A link
    /// to a key that has no row makes one for it, neither confirmed nor visible.
    func put(
        _ slot: ReplicaSlot, behind predecessor: SlotID?, in list: ListID
    ) throws(StorageError)

    /// Changes a slot's flags, and takes the slot away where both are false.
    func setFlags(
        of slot: SlotID, isConfirmed: Bool, isVisible: Bool, in list: ListID
    ) throws(StorageError)

    /// Makes what the user sees what the server last said: slots that are only visible go, and
    /// confirmed ones show.
    func resetToConfirmed(_ list: ListID) throws(StorageError)
}
