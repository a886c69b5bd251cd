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
///
/// It walks over the slots between the two of the new one's place, tombstones too, in their order,
/// and no further than it must: `meets` is told of each in turn.
package struct SlotRule {
    private let new: PlacedSlot
    private var walked: Set<SlotID> = []
    private var last: SlotID?
    // Whether we walk over slots that may turn out to belong after the new one.
    private var isUndecided = false
    /// How many of the slots stand before the new one.
    package private(set) var index = 0
    /// The slot right before the new one; nil where that is none of those walked over.
    package private(set) var predecessor: SlotID?
    /// How many slots it has met.
    package private(set) var count = 0

    private enum Order { case less, equal, greater }

    private enum Relation {
        case leftOfUs
        case within
        /// Wanted after the same slot as ours; how its right neighbour stands to ours.
        case sameLeft(Order)
    }

    package init(placing new: PlacedSlot) { self.new = new }

    /// - Parameter isBetween: whether a slot is one of those between, met by now or not.
    /// - Returns: whether the walk goes on.
    package mutating func meets<Failure: Error>(
        _ other: PlacedSlot, isBetween: (SlotID) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        count += 1
        switch try relation(of: other, isBetween) {
        // It was wanted after something before our left neighbour: its run encloses ours.
        case .leftOfUs: return false
        // It was wanted after one of the slots that we step over: it goes with that one.
        case .within: break
        case .sameLeft(.less): isUndecided = true
        case .sameLeft(.equal):
            if new.stamp < other.stamp { return false }
            isUndecided = false
        case .sameLeft(.greater): isUndecided = false
        }
        walked.insert(other.id)
        last = other.id
        if !isUndecided {
            index = count
            predecessor = other.id
        }
        return true
    }

    private func relation<Failure: Error>(
        of other: PlacedSlot, _ isBetween: (SlotID) throws(Failure) -> Bool
    ) throws(Failure) -> Relation {
        guard other.place.after == new.place.after else {
            guard let after = other.place.after else { return .leftOfUs }
            // Along a run it is the slot before. One that was not met is hardly ever ahead.
            if after == last || walked.contains(after) { return .within }
            return try isBetween(after) ? .within : .leftOfUs
        }
        if other.place.before == new.place.before { return .sameLeft(.equal) }
        // Our right neighbour ends the walk, so one that is between stands before it.
        guard let before = other.place.before else { return .sameLeft(.greater) }
        if walked.contains(before) { return .sameLeft(.less) }
        return .sameLeft(try isBetween(before) ? .less : .greater)
    }
}

extension SlotRule {
    /// - Parameter between: the slots that stand between the two of `new.place`.
    /// - Returns: how many of them stand before the new one.
    package static func index(of new: PlacedSlot, among between: [PlacedSlot]) -> Int {
        let all = Set(between.map(\.id))
        var rule = SlotRule(placing: new)
        for other in between {
            guard rule.meets(other, isBetween: { all.contains($0) }) else { break }
        }
        return rule.index
    }
}
