/// What dies with what. The law: after each transaction, whatever a deleted object owned is owned
/// by another, or is deleted too; and a part of something is held in one place, or is deleted. (An
/// owned object that is let go by one who stays lives on; a part does not.)
package enum OwnershipRule {
    package enum Fate: Hashable, Sendable {
        case stays
        case dies
        /// A part would have two places, and there is no telling which one is meant.
        case refuses
    }

    /// - Parameters:
    ///   - owners: how many places hold the object as their own, at the end of the transaction.
    ///   - isPart: whether its class is one of parts.
    package static func fate(owners: Int, isPart: Bool) -> Fate {
        switch owners {
        // Nobody's any more: an owned object dies with its last owner, a part without its place.
        case 0: .dies
        case 1: .stays
        // Another owner holds it.
        default: isPart ? .refuses : .stays
        }
    }
}
