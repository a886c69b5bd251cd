import TarnModel
import TarnProtocol
import TarnStorage

/// What the server says, as it goes into the store: into the shadow of an object that pending work
/// touches, which is then folded again, and straight into the row of any other.
struct ConfirmedLayer {
    let store: any ReplicaStore
    /// Whether links are remembered at all: with an empty outbox nobody is going to ask.
    let remembersLinks: Bool
    /// Objects with a shadow that were changed.
    private(set) var shadowed: Set<ObjectID> = []
    /// Objects without one of which the user sees something else now.
    private(set) var noted: Set<ObjectID> = []
    /// Objects that have another confirmed life now, or none.
    private(set) var reborn: Set<ObjectID> = []
    /// By object: what it has come to link to.
    private(set) var links: [ObjectID: Set<ObjectID>] = [:]

    init(_ store: any ReplicaStore, remembersLinks: Bool) {
        self.store = store
        self.remembersLinks = remembersLinks
    }

    /// An object's parts while they are changed.
    private struct Draft {
        var row: ReplicaRow
        var shadow: Shadow?
        /// By property number: of the shadow where there is one, else of the row.
        let present: [Value]
        let schema: ClassSchema
    }

    // MARK: - Arrivals

    mutating func arrive(
        _ key: PrimaryKey, life: TransactionID, _ contents: ObjectContents,
        in translation: ClassTranslation
    ) throws(StorageError) -> ObjectID {
        guard let row = try store.row(of: key, in: translation.classNumber) else {
            return try insert(key, life: life, contents, in: translation)
        }
        let object = row.object
        guard var draft = try draft(of: object) else { return object }
        if !row.isConfirmed || confirmedLife(draft) != life { reborn.insert(object) }
        draft.row.isConfirmed = true
        if draft.shadow != nil {
            draft.shadow?.life = life
            shadowed.insert(object)
        } else {
            if !draft.row.isVisible || draft.row.life != life { noted.insert(object) }
            draft.row.life = life
            draft.row.isVisible = true
        }
        try store.update(draft.row)
        for (number, property) in translation.schema.properties.enumerated() {
            let list = ListID(object: object, property: number)
            switch property.kind {
            case .value:
                try set(
                    contents.values[number] ?? property.initialValue, number, of: object, &draft)
            case .list:
                try replace(
                    list, by: contents.lists[number] ?? [], isShadowed: draft.shadow != nil)
            case .set, .map: try replaceEntries(of: list, by: contents.entries[number] ?? [])
            }
        }
        try store(draft, of: object)
        return object
    }

    /// Most of a first download: nobody here has heard of the object, so nothing is compared.
    private mutating func insert(
        _ key: PrimaryKey, life: TransactionID, _ contents: ObjectContents,
        in translation: ClassTranslation
    ) throws(StorageError) -> ObjectID {
        let object = try store.insertRow(
            of: key, in: translation.classNumber, life: life, isConfirmed: true, isVisible: true)
        noted.insert(object)
        for (number, property) in translation.schema.properties.enumerated() {
            guard property.isCell else {
                let list = ListID(object: object, property: number)
                var predecessor: SlotID?
                for slot in contents.lists[number] ?? [] {
                    try put(slot, behind: predecessor, in: list)
                    predecessor = slot.slot
                }
                for entry in contents.entries[number] ?? [] {
                    try put(entry.value, under: entry.entry, in: list, isShadowed: false)
                }
                continue
            }
            let value = contents.values[number] ?? property.initialValue
            guard value != .null else { continue }
            try store.set(value, number, of: object)
            try remember(value, number, of: object, translation.schema)
        }
        return object
    }

    private func confirmedLife(_ draft: Draft) -> TransactionID? {
        draft.shadow != nil ? draft.shadow?.life : draft.row.life
    }

    // MARK: - Changes

    mutating func set(_ values: [Int: Value], of object: ObjectID) throws(StorageError) {
        guard !values.isEmpty, var draft = try draft(of: object) else { return }
        for (number, value) in values.sorted(by: { $0.key < $1.key }) {
            try set(value, number, of: object, &draft)
        }
        try store(draft, of: object)
    }

    mutating func change(
        _ list: ListID, vacated: [SlotID], placed: [PlacedSlotContent]
    ) throws(StorageError) {
        let isShadowed = try store.shadow(of: list.object) != nil
        // What is vacated may never have been here.
        var present: [ReplicaSlot] = []
        for id in vacated {
            if let slot = try store.slot(id, in: list) { present.append(slot) }
        }
        guard !present.isEmpty || !placed.isEmpty else { return }
        for slot in present { try vacate(slot, in: list, isShadowed: isShadowed) }
        for placement in placed {
            try put(placement.content, behind: placement.predecessor, in: list)
        }
        mark(list.object, isShadowed: isShadowed)
    }

    /// What the server says of a set's or map's entries.
    mutating func change(_ collection: ListID, _ changes: [EntryChange]) throws(StorageError) {
        let isShadowed = try store.shadow(of: collection.object) != nil
        for change in changes {
            try put(change.value, under: change.entry, in: collection, isShadowed: isShadowed)
        }
    }

    // MARK: - Departures

    /// The object is held by no subscription any more.
    mutating func lose(_ object: ObjectID) throws(StorageError) {
        guard var draft = try draft(of: object), draft.row.isConfirmed else { return }
        reborn.insert(object)
        guard draft.shadow != nil else {
            noted.insert(object)
            try store.removeRow(object)
            return
        }
        draft.row.isConfirmed = false
        try store.update(draft.row)
        try store.setShadow(
            Shadow(life: nil, values: draft.present.map { _ in .null }), of: object)
        for (number, property) in draft.schema.properties.enumerated() where !property.isCell {
            let list = ListID(object: object, property: number)
            guard property.isList else {
                try replaceEntries(of: list, by: [])
                continue
            }
            for slot in try store.slots(in: list) where slot.isConfirmed {
                try vacate(slot, in: list, isShadowed: true)
            }
        }
        shadowed.insert(object)
    }

    // MARK: - Parts

    private func draft(of object: ObjectID) throws(StorageError) -> Draft? {
        guard let row = try store.row(of: object),
            let schema = store.schema.schema(number: object.classNumber)
        else { return nil }
        var shadow = try store.shadow(of: object)
        var present = try store.values(of: object)
        if let kept = shadow {
            present = schema.properties.enumerated().map { number, property in
                kept.value(of: number, property, isConfirmed: row.isConfirmed)
            }
            shadow?.values = present
        }
        return Draft(row: row, shadow: shadow, present: present, schema: schema)
    }

    private mutating func set(
        _ value: Value, _ number: Int, of object: ObjectID, _ draft: inout Draft
    ) throws(StorageError) {
        try remember(value, number, of: object, draft.schema)
        guard draft.present[number] != value else { return }
        if draft.shadow != nil {
            draft.shadow?.values[number] = value
            shadowed.insert(object)
        } else {
            try store.set(value, number, of: object)
            noted.insert(object)
        }
    }

    private func store(_ draft: Draft, of object: ObjectID) throws(StorageError) {
        guard let shadow = draft.shadow else { return }
        try store.setShadow(shadow, of: object)
    }

    private mutating func replace(
        _ list: ListID, by content: [SlotContent], isShadowed: Bool
    ) throws(StorageError) {
        let present = try store.slots(in: list).filter(\.isConfirmed)
        let isSame =
            present.map(\.slot) == content.map(\.slot)
            && present.map(\.element) == content.map(\.element)
            && present.map(\.value) == content.map(\.value)
        if isSame { return }
        let kept = Set(content.map(\.slot))
        for slot in present where !kept.contains(slot.slot) {
            try vacate(slot, in: list, isShadowed: isShadowed)
        }
        var predecessor: SlotID?
        for slot in content {
            try put(slot, behind: predecessor, in: list)
            predecessor = slot.slot
        }
        mark(list.object, isShadowed: isShadowed)
    }

    private mutating func replaceEntries(
        of collection: ListID, by content: [Entry]
    ) throws(StorageError) {
        let isShadowed = try store.shadow(of: collection.object) != nil
        let kept = Set(content.map(\.entry))
        for entry in try store.entries(in: collection)
        where entry.confirmed != nil && !kept.contains(entry.entry) {
            try put(nil, under: entry.entry, in: collection, isShadowed: isShadowed)
        }
        for entry in content {
            try put(entry.value, under: entry.entry, in: collection, isShadowed: isShadowed)
        }
    }

    /// - Parameter value: nil where the entry is not there.
    private mutating func put(
        _ value: Value?, under entry: Value, in collection: ListID, isShadowed: Bool
    ) throws(StorageError) {
        let present = try store.entry(entry, in: collection)
        guard present?.confirmed != value else { return }
        // Where pending work touches the object, the fold says what is visible.
        try store.put(
            ReplicaEntry(
                entry: entry, confirmed: value, visible: isShadowed ? present?.visible : value),
            in: collection)
        mark(collection.object, isShadowed: isShadowed)
        guard let value,
            let schema = store.schema.schema(number: collection.object.classNumber)
        else { return }
        for link in [entry, value] {
            try remember(link, collection.property, of: collection.object, schema)
        }
    }

    private func vacate(
        _ slot: ReplicaSlot, in list: ListID, isShadowed: Bool
    ) throws(StorageError) {
        try store.setFlags(
            of: slot.slot, isConfirmed: false, isVisible: isShadowed && slot.isVisible, in: list)
    }

    private mutating func put(
        _ content: SlotContent, behind predecessor: SlotID?, in list: ListID
    ) throws(StorageError) {
        // Where pending work touches the list, the fold says what is visible.
        let slot = ReplicaSlot(
            slot: content.slot, element: content.element, value: content.value, isConfirmed: true,
            isVisible: true)
        try store.put(slot, behind: predecessor, in: list)
        guard let schema = store.schema.schema(number: list.object.classNumber) else { return }
        try remember(content.value, list.property, of: list.object, schema)
    }

    private mutating func mark(_ object: ObjectID, isShadowed: Bool) {
        if isShadowed { shadowed.insert(object) } else { noted.insert(object) }
    }

    private mutating func remember(
        _ value: Value, _ property: Int, of object: ObjectID, _ schema: ClassSchema
    ) throws(StorageError) {
        guard remembersLinks, case .link(let link) = value,
            let className = schema.properties[property].type.linkedClass,
            let classNumber = store.schema.number(of: className),
            let target = try store.row(of: link.key, in: classNumber)
        else { return }
        links[object, default: []].insert(target.object)
    }
}
