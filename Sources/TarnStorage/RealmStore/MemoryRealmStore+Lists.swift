package import TarnModel

extension MemoryRealmStore {
    package func state(
        of element: ElementID, in list: ListID
    ) throws(StorageError) -> ElementState {
        guard let slot = try standing(element, in: list) else { return .gone }
        return .placed(in: slot.id, stamp: try state.stamp(of: slot.placed))
    }

    package func removal(
        of element: ElementID, in list: ListID
    ) throws(StorageError) -> Version? {
        let slots = try state.slots(list).filter { $0.element == element }
        guard !slots.contains(where: \.isLive), let last = slots.compactMap(\.vacated).max(),
            last > state.floor
        else { return nil }
        return last
    }

    package func element(
        _ id: ElementID, in list: ListID
    ) throws(StorageError) -> ListElement? {
        guard let slot = try standing(id, in: list) else { return nil }
        return try state.element(slot)
    }

    /// The slot that holds an element; of two, in the midst of a move, the later one.
    private func standing(
        _ element: ElementID, in list: ListID
    ) throws(StorageError) -> StoredSlot? {
        try state.slots(list).filter { $0.element == element && $0.isLive }
            .max { $0.placing < $1.placing }
    }

    package func walk(
        _ place: ListPlace, in list: ListID, visit: SlotVisit
    ) throws(StorageError) -> SlotID? {
        let slots = try state.slots(list)
        func index(of anchor: SlotID) -> Int? { slots.firstIndex { $0.id == anchor } }
        // Where the gap begins and ends, as counts of slots before; nil for an unknown anchor.
        let begin = place.after.map { after in index(of: after).map { $0 + 1 } } ?? 0
        let end = place.before.map(index) ?? slots.count
        let range =
            switch (begin, end) {
            case (let begin?, let end?): begin <= end ? begin..<end : begin..<begin
            case (let begin?, nil): begin..<begin
            case (nil, let end?): end..<end
            case (nil, nil): slots.count..<slots.count
            }
        for slot in slots[range] {
            let placed = PlacedSlot(
                id: slot.id, place: slot.place, stamp: try state.stamp(of: slot.placed))
            let goesOn = try visit(placed) { (other) throws(StorageError) in
                slots[range].contains { $0.id == other }
            }
            guard goesOn else { break }
        }
        return range.lowerBound > 0 ? slots[range.lowerBound - 1].id : nil
    }

    package func liveElements(in list: ListID) throws(StorageError) -> [ListElement] {
        var elements: [ListElement] = []
        for slot in try state.slots(list) where slot.isLive {
            elements.append(try state.element(slot))
        }
        return elements
    }

    package func difference(
        of list: ListID, since version: Version
    ) throws(StorageError) -> ListDifference {
        var difference = ListDifference()
        var predecessor: SlotID?
        for slot in try state.slots(list) {
            let isNew = slot.placed > version
            if let vacated = slot.vacated {
                if vacated > version { difference.vacated.append(slot.id) }
                continue
            }
            if isNew {
                difference.placed.append(
                    ListPlacement(element: try state.element(slot), predecessor: predecessor))
            }
            predecessor = slot.id
        }
        return difference
    }

    package func slots(
        holding target: ObjectID, in list: ListID
    ) throws(StorageError) -> [ListElement] {
        var elements: [ListElement] = []
        for slot in try state.slots(list) where slot.isLive && slot.value.target == target {
            elements.append(try state.element(slot))
        }
        return elements
    }
}
