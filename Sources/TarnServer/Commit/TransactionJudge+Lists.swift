import TarnModel
import TarnStorage

/// Insertions, moves and removals.
extension TransactionJudge {
    /// The list that a change is on, where its owner lives.
    private struct NamedList {
        let id: ListID
        let owner: NamedClass
        let property: NamedProperty
        let effect: ListEffect
    }

    private func find(
        list propertyName: String, of name: ObjectName
    ) throws(JudgementStop) -> NamedList? {
        let owner = try find(class: name.className)
        let property = try find(list: propertyName, of: owner)
        guard let object = try find(name, in: owner) else {
            try refuseIfDependent(on: name.life)
            return nil
        }
        return NamedList(
            id: ListID(object: object, property: property.number), owner: owner,
            property: property,
            effect: ListEffect(className: name.className, key: name.key, property: propertyName))
    }

    mutating func insert(
        _ name: ObjectName, _ propertyName: String, _ slot: SlotID, _ place: ListPlace,
        _ value: Value
    ) throws(JudgementStop) {
        guard let list = try find(list: propertyName, of: name) else {
            try orphan(value, ofList: propertyName, name.className)
            return try override(name, propertyName, .objectDeleted)
        }
        switch try resolve(value, for: list.property.schema, of: list.owner) {
        case .targetDeleted(let version):
            override(name, propertyName, .targetDeleted, to: try winner(of: version))
        case .value(let held):
            try put(
                ElementID(insertedIn: slot), holding: held, into: slot, at: place, of: list)
            try hold(held, by: list.property.schema)
        }
    }

    mutating func move(
        _ name: ObjectName, _ propertyName: String, _ element: ElementID, _ slot: SlotID,
        _ place: ListPlace
    ) throws(JudgementStop) {
        guard let list = try find(list: propertyName, of: name) else {
            return try override(name, propertyName, .objectDeleted)
        }
        let (state, present) = try stored { () throws(StorageError) in
            (
                try store.state(of: element, in: list.id),
                try store.element(element, in: list.id)
            )
        }
        // A transaction may move one element twice: its own earlier move has the same stamp.
        let outcome: MoveOutcome =
            if case .placed(let own, origin.stamp) = state { .moves(from: own) } else {
                ElementRule.move(meets: state, stamp: origin.stamp)
            }
        guard case .moves(let old) = outcome, let present else {
            try refuseIfDependent(on: element.transaction)
            let removal = try stored { () throws(StorageError) in
                try store.removal(of: element, in: list.id)
            }
            return override(name, propertyName, .elementGone, to: try winner(of: removal))
        }
        try put(element, holding: present.value, into: slot, at: place, of: list, leaving: old)
    }

    mutating func remove(
        _ name: ObjectName, _ propertyName: String, _ element: ElementID
    ) throws(JudgementStop) {
        guard let list = try find(list: propertyName, of: name) else {
            return try override(name, propertyName, .objectDeleted)
        }
        let (state, present) = try stored { () throws(StorageError) in
            (
                try store.state(of: element, in: list.id),
                try store.element(element, in: list.id)
            )
        }
        guard let slot = ElementRule.removal(meets: state) else {
            return try refuseIfDependent(on: element.transaction)
        }
        try letGo(present?.value, of: list.property.schema)
        try apply(.vacate(list.effect, slot: slot), touching: list.id.object)
    }

    private mutating func orphan(
        _ value: Value, ofList propertyName: String, _ className: String
    ) throws(JudgementStop) {
        let owner = try find(class: className)
        try orphan(value, of: try find(list: propertyName, of: owner).schema)
    }

    private mutating func put(
        _ element: ElementID, holding value: Value, into slot: SlotID, at place: ListPlace,
        of list: NamedList, leaving old: SlotID? = nil
    ) throws(JudgementStop) {
        let predecessor = try self.predecessor(of: slot, at: place, in: list.id)
        if let old {
            try apply(.vacate(list.effect, slot: old), touching: list.id.object)
        }
        let placed = PlacedElement(
            slot: slot, element: element, place: place, predecessor: predecessor, value: value)
        try apply(.place(list.effect, slot: placed), touching: list.id.object)
    }

    private mutating func predecessor(
        of slot: SlotID, at place: ListPlace, in list: ListID
    ) throws(JudgementStop) -> SlotID? {
        let allowed = ServerLimits.slotsWalkedMax - slotsWalked
        var rule = SlotRule(placing: PlacedSlot(id: slot, place: place, stamp: origin.stamp))
        let first = try stored { () throws(StorageError) in
            try store.walk(place, in: list) { (other, isBetween) throws(StorageError) in
                let goesOn = try rule.meets(other, isBetween: isBetween)
                return goesOn && rule.count <= allowed
            }
        }
        guard rule.count <= allowed else {
            throw .refusal(
                Refusal(
                    .tooLarge,
                    "The transaction's insertions pass over more than "
                        + "\(ServerLimits.slotsWalkedMax) list elements in all."))
        }
        slotsWalked += rule.count
        return rule.predecessor ?? first
    }
}
