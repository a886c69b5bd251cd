import TarnModel
import TarnProtocol
import TarnTesting

/// A server that decides by dice, but tells what it decided without contradicting itself: its
/// groups are differences between what it has sent and what it holds.
struct ModelServer {
    var realm = PlainRealm()
    var version = Version.zero
    /// What the replica has by now, and of which version.
    var sent = PlainRealm()
    var sentPoint = ResumePoint.zero
    var members: [Int64: Set<Ref>] = [:]
    /// By subscription: what the replica has as its members; nil where it must be sent all.
    var sentMembers: [Int64: Set<Ref>] = [:]
    var head: UInt64 = 0
    /// Outcomes that the replica has not confirmed.
    var receipts: [Receipt] = []
    var told: UInt64 = 0
    private var aliases: [TransactionID: TransactionID] = [:]
    private var others: UInt64 = 0
    private var toldClasses = false

    /// All that the replica may have as confirmed.
    var confirmed: PlainRealm {
        var realm = sent
        let held = sentMembers.values.reduce(into: Set<Ref>()) { $0.formUnion($1) }
        realm.objects = sent.objects.filter { held.contains($0.key) }
        return realm
    }

    mutating func nextID() -> TransactionID {
        others += 1
        return TransactionID(replica: ReplicaID(99), sequence: others)
    }

    // MARK: - Deciding

    mutating func decide(_ entry: SealedTransaction, random: inout SeededGenerator) throws {
        let dice = Int.random(in: 0..<10, using: &random)
        switch dice {
        case 0: try refuse(entry)
        case 1: try accept(entry, losing: { if case .set = $0 { true } else { false } })
        default: try accept(entry)
        }
    }

    mutating func refuse(_ entry: SealedTransaction) throws {
        let transaction = try TransactionDecoder.transaction(from: entry.body)
        decided(entry, transaction, .refused(Refusal(.tooLarge, "by the dice")))
    }

    /// - Parameter loses: the changes that are overridden.
    mutating func accept(
        _ entry: SealedTransaction, losing loses: (Change) -> Bool = { _ in false }
    ) throws {
        let transaction = try TransactionDecoder.transaction(from: entry.body)
        var overrides: [Override] = []
        for change in transaction.changes {
            if loses(change), case .set(let name, let property, _) = change {
                overrides.append(
                    Override(
                        className: name.className, key: name.key, property: property,
                        reason: .laterValue))
            } else {
                apply(change, by: transaction.id)
            }
        }
        decided(entry, transaction, overrides.isEmpty ? .accepted : .overridden(overrides))
    }

    /// The next group tells the classes again, as on a new connection.
    mutating func forgetClasses() { toldClasses = false }

    private mutating func decided(
        _ entry: SealedTransaction, _ transaction: Transaction, _ outcome: Outcome
    ) {
        head = transaction.id.sequence
        receipts.append(
            Receipt(
                sequence: head, hash: entry.hash, version: version.next,
                ticks: entry.clockTicks + 1, outcome: outcome))
    }

    mutating func apply(_ change: Change, by id: TransactionID) {
        let aliases = aliases
        realm.means = { named, present in (aliases[named] ?? named) == present }
        if case .create(let className, let key, _) = change,
            let present = realm.objects[Ref(className: className, key: key)]
        {
            self.aliases[id] = present.life
        }
        if let link = change.linkTarget, realm.objects[link] == nil { return }
        realm.apply(change, by: id)
    }

    /// Somebody else's change, under a new transaction.
    mutating func change(_ change: (TransactionID) -> Change) {
        let id = nextID()
        apply(change(id), by: id)
    }

    func name(_ ref: Ref) -> ObjectName {
        ObjectName(ref.className, ref.key, life: realm.objects[ref]!.life)
    }

    /// The subscription selects all there is.
    mutating func selectAll(_ number: Int64) { members[number] = Set(realm.objects.keys) }

    // MARK: - Telling

    mutating func group(full: Bool = false) -> Group {
        version = version.next
        let to = ResumePoint(version: version, salt: Salt(version.number &* 77))
        var views: [GroupView] = []
        for number in members.keys.sorted() {
            let now = (members[number] ?? []).filter { realm.objects[$0] != nil }
            members[number] = now
            let before = full ? nil : sentMembers[number]
            let delta = delta(from: before ?? [], to: now)
            if before == nil || !delta.isEmpty {
                views.append(
                    GroupView(
                        subscription: number, isFull: before == nil, delta: delta.encoded()))
            }
            sentMembers[number] = now
        }
        let classes =
            toldClasses && !full
            ? [] : TodoSchema.numbered.map { NumberedClass(number: $0.key, schema: $0.value) }
        toldClasses = true
        let new = receipts.filter { $0.sequence > told }
        told = head
        defer {
            sent = realm
            sentPoint = to
        }
        return Group(
            from: sentPoint, to: to, time: Int64(version.number) * 1000, classes: classes,
            views: views, receipts: new, faults: [])
    }

    private func delta(from before: Set<Ref>, to now: Set<Ref>) -> ViewDelta {
        var delta = ViewDelta()
        for ref in before.union(now).sorted() {
            let (old, new) = (sent.objects[ref], realm.objects[ref])
            switch (before.contains(ref), now.contains(ref)) {
            case (true, false): delta.departures.append(key(ref))
            case (true, true) where old?.life != new?.life:
                delta.departures.append(key(ref))
                delta.arrivals.append(arrival(ref))
            case (true, true): change(ref).map { delta.changes.append($0) }
            case (false, true): delta.arrivals.append(arrival(ref))
            case (false, false): break
            }
        }
        return delta
    }

    private func key(_ ref: Ref) -> ObjectKey {
        ObjectKey(classNumber: ref.className == "Task" ? 7 : 3, key: ref.key)
    }

    private func arrival(_ ref: Ref) -> Arrival {
        let object = realm.objects[ref]!
        let contents = TodoSchema.schema(ref.className).properties.map {
            property -> PropertyContent in
            switch property.kind {
            case .value: .value(object.values[property.name] ?? .null)
            case .list: .list((object.lists[property.name] ?? []).map(content))
            case .set, .map:
                .entries(
                    (object.entries[property.name] ?? [:]).sorted { $0.key < $1.key }.map {
                        Entry(entry: $0.key, value: $0.value)
                    })
            }
        }
        return Arrival(object: key(ref), life: object.life, isRoot: true, properties: contents)
    }

    private func content(_ slot: PlainRealm.Slot) -> SlotContent {
        SlotContent(slot: slot.slot, element: slot.element, value: slot.value)
    }

    private func change(_ ref: Ref) -> ObjectChange? {
        let (old, new) = (sent.objects[ref]!, realm.objects[ref]!)
        var values: [NumberedValue] = []
        var lists: [ListChange] = []
        var entries: [EntriesChange] = []
        for (number, property) in TodoSchema.schema(ref.className).properties.enumerated() {
            if property.isList {
                let (before, after) = (old.lists[property.name]!, new.lists[property.name]!)
                let vacated = before.map(\.slot).filter { slot in
                    !after.contains { $0.slot == slot }
                }
                var placed: [PlacedSlotContent] = []
                for (index, slot) in after.enumerated()
                where !before.contains(where: { $0.slot == slot.slot }) {
                    placed.append(
                        PlacedSlotContent(
                            content: content(slot),
                            predecessor: index > 0 ? after[index - 1].slot : nil))
                }
                if !vacated.isEmpty || !placed.isEmpty {
                    lists.append(ListChange(property: number, vacated: vacated, placed: placed))
                }
            } else if property.hasEntries {
                let changes = entryChanges(
                    from: old.entries[property.name] ?? [:], to: new.entries[property.name] ?? [:])
                if !changes.isEmpty {
                    entries.append(EntriesChange(property: number, changes: changes))
                }
            } else if old.values[property.name] != new.values[property.name] {
                values.append(
                    NumberedValue(property: number, value: new.values[property.name]!))
            }
        }
        guard !values.isEmpty || !lists.isEmpty || !entries.isEmpty else { return nil }
        return ObjectChange(object: key(ref), values: values, lists: lists, entries: entries)
    }

    private func entryChanges(
        from old: [Value: Value], to new: [Value: Value]
    ) -> [EntryChange] {
        Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map {
            EntryChange(entry: $0, value: new[$0])
        }
    }
}

extension Change {
    var linkTarget: Ref? {
        switch self {
        case .set(let name, let property, .link(let link)),
            .insert(let name, let property, _, _, .link(let link)),
            .setEntry(let name, let property, .link(let link), _),
            .setEntry(let name, let property, _, .link(let link)):
            let schema = TodoSchema.schema(name.className).property(property)
            return schema?.type.linkedClass.map { Ref(className: $0, key: link.key) }
        default: return nil
        }
    }
}
