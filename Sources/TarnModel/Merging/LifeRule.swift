/// What a store knows of a class and key.
package enum KeyState: Hashable, Sendable {
    case absent
    case present(life: TransactionID)
    /// The last life that the key had ended at that version.
    case deleted(at: Version)
}

/// What becomes of a creation.
package enum CreationOutcome: Hashable, Sendable {
    case creates
    /// The key's object is there already: both creations are one object, whose life the
    /// creation's own id is another name for.
    case merges(into: TransactionID)
    /// Somebody deleted the key meanwhile.
    case overridden
}

/// What a change to a named object meets.
package enum ChangeTarget: Hashable, Sendable {
    case present
    case gone
}

/// Delete wins over what is concurrent with it; what was written by someone who saw the delete
/// lives.
package enum LifeRule {
    /// - Parameter floor: deletes at or below it are forgotten.
    package static func creation(
        meets state: KeyState, base: Version, floor: Version
    ) -> CreationOutcome {
        switch state {
        // Never heard of, or forgotten with the floor: a creation creates.
        case .absent: .creates
        // Two creations of one key are one object.
        case .present(let life): .merges(into: life)
        // Its author had seen the delete.
        case .deleted(let version) where version <= base: .creates
        // A delete below the floor is as if never heard of.
        case .deleted(let version) where version <= floor: .creates
        // Delete wins over the creation that did not know of it.
        case .deleted: .overridden
        }
    }

    /// - Parameter life: the life that the change names, with aliases resolved.
    package static func change(names life: TransactionID, meets state: KeyState) -> ChangeTarget {
        switch state {
        case .present(let present) where present == life: .present
        // Another life of the key is another object: the one that was meant is deleted.
        case .present: .gone
        // Delete wins, even over a later change.
        case .deleted: .gone
        // Deleted, and forgotten with the floor.
        case .absent: .gone
        }
    }
}
