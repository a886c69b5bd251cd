package import TarnModel

extension MemoryReplicaStore {
    package func slots(in list: ListID) throws(StorageError) -> [ReplicaSlot] {
        state[list.object]?.lists[list.property] ?? []
    }

    package func slots(
        in list: ListID, leadingTo target: ObjectID
    ) throws(StorageError) -> [ReplicaSlot] {
        let property = try schema.property(list.property, in: list.object.classNumber)
        guard property.type.isLink, let row = try row(of: target),
            try schema.linkedClass(of: property) == target.classNumber
        else { return [] }
        let link = Value.link(Link(key: row.key, life: nil))
        return try slots(in: list).filter { $0.isVisible && $0.value == link }
    }

    package func slot(_ id: SlotID, in list: ListID) throws(StorageError) -> ReplicaSlot? {
        try slots(in: list).first { $0.slot == id }
    }

    package func visibleSlot(
        of element: ElementID, in list: ListID
    ) throws(StorageError) -> ReplicaSlot? {
        try slots(in: list).first { $0.isVisible && $0.element == element }
    }

    package func predecessor(
        of slot: SlotID, in list: ListID
    ) throws(StorageError) -> SlotID? {
        let slots = try slots(in: list)
        guard let index = slots.firstIndex(where: { $0.slot == slot }), index > 0 else {
            return nil
        }
        return slots[index - 1].slot
    }

    package func lastSlot(in list: ListID) throws(StorageError) -> SlotID? {
        try slots(in: list).last?.slot
    }

    package func put(
        _ slot: ReplicaSlot, behind predecessor: SlotID?, in list: ListID
    ) throws(StorageError) {
        try check(.write)
        let property = try state.schema.property(list.property, in: list.object.classNumber)
        guard property.isList, property.accepts(slot.value) else {
            throw .wrongType(list.property, in: list.object.classNumber)
        }
        _ = try state.expectRow(list.object)
        let kept = ReplicaSlot(
            slot: slot.slot, element: slot.element, value: slot.value.withoutLife,
            isConfirmed: slot.isConfirmed, isVisible: slot.isVisible)
        var slots = try slots(in: list)
        slots.removeAll { $0.slot == slot.slot }
        if kept.isConfirmed || kept.isVisible {
            let index = slots.firstIndex { $0.slot == predecessor }.map { $0 + 1 }
            slots.insert(kept, at: predecessor == nil ? 0 : index ?? slots.count)
        }
        try replace(list, by: slots)
    }

    package func setFlags(
        of slot: SlotID, isConfirmed: Bool, isVisible: Bool, in list: ListID
    ) throws(StorageError) {
        try check(.write)
        var slots = try slots(in: list)
        guard let index = slots.firstIndex(where: { $0.slot == slot }) else { return }
        slots[index].isConfirmed = isConfirmed
        slots[index].isVisible = isVisible
        try replace(list, by: slots)
    }

    package func resetToConfirmed(_ list: ListID) throws(StorageError) {
        try check(.write)
        var slots = try slots(in: list)
        for index in slots.indices { slots[index].isVisible = slots[index].isConfirmed }
        try replace(list, by: slots)
    }

    /// Sets a list's slots, without those of neither layer.
    private func replace(_ list: ListID, by slots: [ReplicaSlot]) throws(StorageError) {
        let kept = slots.filter { $0.isConfirmed || $0.isVisible }
        let holder = Holder(object: list.object, property: list.property)
        let previous = try self.slots(in: list)
        for slot in kept { try state.reference(slot.value, from: holder) }
        for slot in previous { try state.unreference(slot.value, from: holder) }
        state[list.object]?.lists[list.property] = kept
    }
}
