import TarnModel
import TarnStorage

/// What the user sees, and how one change alters it. A change that does not apply (its object or
/// element is gone, its class unknown) does nothing: the server will say what became of it.
///
/// A fold is a function of the confirmed state and the outbox alone, so it comes out the same
/// whether a transaction is applied when it is written or again after a download.
struct VisibleLayer {
    let store: any ReplicaStore
    /// Whose outbox is folded.
    let identity: ReplicaIdentity

    /// Whether a change that names one life means the object that has the other.
    ///
    /// A creation of this replica's may have merged with somebody else's object, and only the
    /// server knows: so a life that this replica gave means whoever bears the key.
    func means(_ named: TransactionID, _ present: TransactionID?) -> Bool {
        named == present || identity.isOwn(named.replica)
    }

    /// Does to an object what a change that names it says. What a delete does to others is
    /// `dropLinks`.
    func apply(
        _ change: Change, to object: ObjectID, by id: TransactionID
    ) throws(StorageError) {
        switch change {
        case .addClass: break
        case .create(_, _, let values): try create(object, values, by: id)
        case .set(let name, let property, let value):
            guard let number = try place(of: property, in: object, name.life, .value)
            else { return }
            try store.set(value.withoutLife, number, of: object)
        case .increment(let name, let property, let amount):
            guard let number = try place(of: property, in: object, name.life, .value),
                let sum = IncrementRule.adding(amount, to: try store.values(of: object)[number])
            else { return }
            try store.set(sum, number, of: object)
        case .setEntry(let name, let property, let entry, let value):
            guard let number = try place(of: property, in: object, name.life, .set, .map)
            else { return }
            try show(
                value.withoutLife, under: entry.withoutLife,
                in: ListID(object: object, property: number))
        case .removeEntry(let name, let property, let entry):
            guard let number = try place(of: property, in: object, name.life, .set, .map)
            else { return }
            try show(
                nil, under: entry.withoutLife, in: ListID(object: object, property: number))
        case .delete(let name), .deleteOwned(let name):
            guard try isPresent(object, name.life) else { return }
            try hide(object)
        case .insert(let name, let property, let slot, let place, let value):
            guard let list = try list(property, of: object, name.life) else { return }
            try put(slot, ElementID(insertedIn: slot), value.withoutLife, at: place, in: list)
        case .move(let name, let property, let element, let slot, let place):
            guard let list = try list(property, of: object, name.life),
                let old = try store.visibleSlot(of: element, in: list), old.slot != slot
            else { return }
            try put(slot, element, old.value, at: place, in: list)
            try store.setFlags(
                of: old.slot, isConfirmed: old.isConfirmed, isVisible: false, in: list)
        case .remove(let name, let property, let element):
            guard let list = try list(property, of: object, name.life),
                let old = try store.visibleSlot(of: element, in: list)
            else { return }
            try store.setFlags(
                of: old.slot, isConfirmed: old.isConfirmed, isVisible: false, in: list)
        }
    }

    private func isPresent(_ object: ObjectID, _ life: TransactionID) throws(StorageError) -> Bool {
        guard let row = try store.row(of: object) else { return false }
        return row.isVisible && means(life, row.life)
    }

    private func place(
        of property: String, in object: ObjectID, _ life: TransactionID, _ kinds: PropertyKind...
    ) throws(StorageError) -> Int? {
        guard let schema = store.schema.schema(number: object.classNumber),
            let number = schema.number(of: property),
            kinds.contains(schema.properties[number].kind), try isPresent(object, life)
        else { return nil }
        return number
    }

    private func list(
        _ property: String, of object: ObjectID, _ life: TransactionID
    ) throws(StorageError) -> ListID? {
        try place(of: property, in: object, life, .list).map {
            ListID(object: object, property: $0)
        }
    }

    /// - Parameter value: nil takes the entry from sight.
    private func show(
        _ value: Value?, under entry: Value, in collection: ListID
    ) throws(StorageError) {
        let present = try store.entry(entry, in: collection)
        guard present?.visible != value else { return }
        try store.put(
            ReplicaEntry(entry: entry, confirmed: present?.confirmed, visible: value),
            in: collection)
    }

    private func create(
        _ object: ObjectID, _ values: [InitialValue], by id: TransactionID
    ) throws(StorageError) {
        guard let schema = store.schema.schema(number: object.classNumber),
            var row = try store.row(of: object)
        else { return }
        let merges = row.isVisible
        if !merges {
            row.life = id
            row.isVisible = true
            try store.update(row)
            for (number, property) in schema.properties.enumerated() where property.isCell {
                try store.set(property.initialValue, number, of: object)
            }
        }
        for value in values {
            // Two creations of one key are one object; a default loses to what somebody said.
            if merges && value.isDefault { continue }
            guard let number = schema.number(of: value.property),
                schema.properties[number].isCell
            else { continue }
            try store.set(value.value.withoutLife, number, of: object)
        }
    }

    /// Takes an object from sight, empty, so that it holds nobody and may be created anew.
    private func hide(_ object: ObjectID) throws(StorageError) {
        guard let schema = store.schema.schema(number: object.classNumber),
            var row = try store.row(of: object)
        else { return }
        row.isVisible = false
        try store.update(row)
        for (number, property) in schema.properties.enumerated() {
            let collection = ListID(object: object, property: number)
            switch property.kind {
            case .value: try store.set(.null, number, of: object)
            case .list: try hide(try store.slots(in: collection), in: collection)
            case .set, .map: try hideEntries(of: collection) { _ in true }
            }
        }
    }

    private func hideEntries(
        of collection: ListID, where isMeant: (ReplicaEntry) -> Bool
    ) throws(StorageError) {
        for entry in try store.entries(in: collection) where entry.visible != nil && isMeant(entry)
        {
            try show(nil, under: entry.entry, in: collection)
        }
    }

    /// Nulls the holder's links to an object that is deleted, and hides the elements that are such
    /// links.
    func dropLink(
        at holder: Holder, to target: ObjectID, named key: PrimaryKey
    ) throws(StorageError) {
        let schema = store.schema.schema(number: holder.object.classNumber)
        guard let schema, schema.properties.indices.contains(holder.property) else { return }
        let link = Value.link(Link(key: key, life: nil))
        let property = schema.properties[holder.property]
        let list = ListID(object: holder.object, property: holder.property)
        if property.isList {
            try hide(try store.slots(in: list, leadingTo: target), in: list)
        } else if property.hasEntries {
            try hideEntries(of: list) { $0.entry == link || $0.visible == link }
        } else if try store.values(of: holder.object)[holder.property] == link {
            try store.set(.null, holder.property, of: holder.object)
        }
    }

    private func hide(_ slots: [ReplicaSlot], in list: ListID) throws(StorageError) {
        for slot in slots where slot.isVisible {
            try store.setFlags(
                of: slot.slot, isConfirmed: slot.isConfirmed, isVisible: false, in: list)
        }
    }

    /// Right behind `after` if that is there, else right before `before`, else at the end.
    private func put(
        _ slot: SlotID, _ element: ElementID, _ value: Value, at place: ListPlace, in list: ListID
    ) throws(StorageError) {
        // The server has placed it already.
        if let present = try store.slot(slot, in: list), present.isConfirmed { return }
        let content = ReplicaSlot(
            slot: slot, element: element, value: value, isConfirmed: false, isVisible: true)
        try store.put(content, behind: try predecessor(for: place, in: list), in: list)
    }

    private func predecessor(
        for place: ListPlace, in list: ListID
    ) throws(StorageError) -> SlotID? {
        guard let after = place.after else { return nil }
        if try store.slot(after, in: list) != nil { return after }
        if let before = place.before, try store.slot(before, in: list) != nil {
            return try store.predecessor(of: before, in: list)
        }
        return try store.lastSlot(in: list)
    }
}
