/// A slot as the rule for placing the next one sees it.
package struct PlacedSlot: Hashable, Sendable {
    package let id: SlotID
    /// Where its author wanted it.
    package let place: ListPlace
    package let stamp: Stamp

    package init(id: SlotID, place: ListPlace, stamp: Stamp) {
        self.id = id
        self.place = place
        self.stamp = stamp
    }
}

/// Where a new slot goes among those that its author could not see (Fugue's rule; Weidner and
/// Kleppmann, "The Art of the Fugue", 2023). The law: elements that one transaction puts side by
/// side stay side by side, whether it put them from left to right or from right to left; slots
/// wanted at the same place stand in the order of their stamps.
package enum SlotRule {
    /// - Parameter between: the slots that stand between the two of `new.place`, tombstones too, in
    ///   their order.
    /// - Returns: how many of them stand before the new one.
    package static func index(of new: PlacedSlot, among between: [PlacedSlot]) -> Int {
        let positions = Dictionary(
            between.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        var index = 0
        // Whether we walk over slots that may turn out to belong after the new one.
        var isUndecided = false
        for (position, other) in between.enumerated() {
            switch relation(of: other, to: new, positions: positions) {
            // It was wanted after something before our left neighbour: its run encloses ours.
            case .leftOfUs: return index
            // It was wanted after one of the slots that we step over: it goes with that one.
            case .within: break
            case .sameLeft(.less): isUndecided = true
            case .sameLeft(.equal):
                if new.stamp < other.stamp { return index }
                isUndecided = false
            case .sameLeft(.greater): isUndecided = false
            }
            if !isUndecided { index = position + 1 }
        }
        return index
    }

    private enum Order { case less, equal, greater }

    private enum Relation {
        case leftOfUs
        case within
        /// Wanted after the same slot as ours; how its right neighbour stands to ours.
        case sameLeft(Order)
    }

    private static func relation(
        of other: PlacedSlot, to new: PlacedSlot, positions: [SlotID: Int]
    ) -> Relation {
        guard other.place.after == new.place.after else {
            guard let after = other.place.after, positions[after] != nil else { return .leftOfUs }
            return .within
        }
        if other.place.before == new.place.before { return .sameLeft(.equal) }
        // Our right neighbour ends the walk, so one among the walked stands before it.
        if let before = other.place.before, positions[before] != nil { return .sameLeft(.less) }
        return .sameLeft(.greater)
    }
}
