/// What a list knows of an element.
package enum ElementState: Hashable, Sendable {
    /// It stands in that slot since the transaction of that stamp.
    case placed(in: SlotID, stamp: Stamp)
    /// It was removed, with its owner or target or by itself.
    case gone
}

/// What becomes of a move.
package enum MoveOutcome: Hashable, Sendable {
    /// The element leaves that slot for its new one.
    case moves(from: SlotID)
    case overridden
}

/// A move is a move: an element stands in one slot or in none, whoever moves it.
package enum ElementRule {
    package static func move(meets state: ElementState, stamp: Stamp) -> MoveOutcome {
        switch state {
        // The later of two moves wins.
        case .placed(let slot, let present) where stamp > present: .moves(from: slot)
        case .placed: .overridden
        // A removal wins over a move, whichever is later.
        case .gone: .overridden
        }
    }

    /// The slot to be left behind: wherever a move has taken the element meanwhile. Nil where it is
    /// gone already: an element is removed once.
    package static func removal(meets state: ElementState) -> SlotID? {
        switch state {
        case .placed(let slot, _): slot
        case .gone: nil
        }
    }
}
