import TarnModel
import TarnProtocol

/// What a replica holds, as plainly as it can be kept: groups are applied by the letter, and what
/// does not fit is noted rather than mended.
struct ReplicaModel {
    struct Object: Hashable {
        var life: TransactionID
        var contents: [PropertyContent]
    }

    var integrated = ResumePoint.zero
    var classes: [Int: ClassSchema] = [:]
    /// The same of all sessions: what a number means does not change, on this server.
    private var known: [Int: ClassSchema] = [:]
    /// Groups of a series that are here and not applied.
    private(set) var staged: [Group] = []
    /// Subscriptions of which the server has found out what they hold: what it says of those may
    /// have been said by then.
    private var compared: Set<Int64> = []
    var objects: [ObjectKey: Object] = [:]
    /// By subscription: the objects that it holds, with whether it selects them itself.
    var members: [Int64: [ObjectKey: Bool]] = [:]
    var faults: [Int64: String] = [:]
    /// What of the groups made no sense.
    private(set) var misfits: [String] = []

    /// - Parameter known: the subscriptions that have not been given up meanwhile.
    ///
    /// A group that others follow is kept, and applied with the last of them.
    mutating func take(_ group: Group, known: Set<Int64>) {
        if group.from != staged.last?.to ?? integrated {
            misfits.append("a group begins at \(group.from.version)")
        }
        if group.to.version < group.from.version { misfits.append("a group goes back") }
        guard group.progress == nil else {
            if !(group.receipts.isEmpty && group.faults.isEmpty) {
                misfits.append("a group in the middle of a series has receipts or faults")
            }
            return staged.append(group)
        }
        for group in staged { apply(group, known: known) }
        staged = []
        apply(group, known: known)
        dropUnheld()
        compared = []
        integrated = group.to
    }

    mutating func dropStaged() { staged = [] }

    private mutating func apply(_ group: Group, known: Set<Int64>) {
        for entry in group.classes {
            classes[entry.number] = entry.schema
            self.known[entry.number] = entry.schema
        }
        grow()
        for fault in group.faults where known.contains(fault.subscription) {
            faults[fault.subscription] = fault.sentence
        }
        for view in group.views where known.contains(view.subscription) {
            do throws(FormatError) {
                apply(try ViewDelta(decoding: view.delta), view)
            } catch {
                misfits.append("\(error)")
            }
        }
    }

    mutating func forget(_ subscription: Int64) {
        members[subscription] = nil
        faults[subscription] = nil
        dropUnheld()
    }

    private mutating func apply(_ delta: ViewDelta, _ view: GroupView) {
        faults[view.subscription] = nil
        var held = members[view.subscription] ?? [:]
        switch view.replaced {
        case .nothing: break
        case .everything: held = [:]
        case .buckets(let buckets):
            compared.insert(view.subscription)
            held = held.filter { object, _ in
                let bucket = name(of: object).bucket(of: buckets.bucketCount, sha256: Digest.of)
                return !buckets.contains(bucket)
            }
        }
        let isCompared = compared.contains(view.subscription)
        if view.isFull && !(delta.departures.isEmpty && delta.changes.isEmpty) {
            misfits.append("a full view has more than arrivals")
        }
        for departure in delta.departures where held.removeValue(forKey: departure) == nil {
            if isCompared { continue }
            misfits.append("\(departure.key) departs and was not there")
        }
        for arrival in delta.arrivals {
            let before = held.updateValue(arrival.isRoot, forKey: arrival.object)
            if before != nil, !isCompared {
                misfits.append("\(arrival.object.key) arrives and was there")
            }
            objects[arrival.object] = Object(life: arrival.life, contents: arrival.properties)
        }
        for change in delta.changes {
            if held[change.object] == nil { misfits.append("\(change.object.key) changes unseen") }
            apply(change)
        }
        members[view.subscription] = held
    }

    private func name(of object: ObjectKey) -> HeldName {
        HeldName(className: known[object.classNumber]?.name ?? "", key: object.key)
    }

    /// What a digest is made of.
    func digest(of subscription: Int64) -> ContentDigest {
        let held = members[subscription] ?? [:]
        var digest = ContentDigest(
            bucketCount: ContentDigest.bucketCount(forObjects: held.count))
        for (key, isRoot) in held {
            guard let object = objects[key], let schema = known[key.classNumber] else { continue }
            var whole = HeldObject(name: name(of: key), life: object.life, isRoot: isRoot)
            for (content, property) in zip(object.contents, schema.properties) {
                whole.set(content, of: property)
            }
            digest.add(whole, sha256: Digest.of)
        }
        return digest
    }

    private mutating func apply(_ change: ObjectChange) {
        guard var object = objects[change.object] else {
            misfits.append("\(change.object.key) changes and is not here")
            return
        }
        for value in change.values {
            object.contents[value.property] = .value(value.value)
        }
        for list in change.lists {
            guard case .list(var slots) = object.contents[list.property] else {
                misfits.append("\(change.object.key) has no such list")
                continue
            }
            slots.removeAll { list.vacated.contains($0.slot) }
            for placed in list.placed {
                slots.removeAll { $0.slot == placed.content.slot }
                var index = 0
                if let predecessor = placed.predecessor {
                    guard let found = slots.firstIndex(where: { $0.slot == predecessor }) else {
                        misfits.append("a slot is placed behind one that is not here")
                        continue
                    }
                    index = found + 1
                }
                slots.insert(placed.content, at: index)
            }
            object.contents[list.property] = .list(slots)
        }
        for entries in change.entries { apply(entries, to: &object, change.object.key) }
        objects[change.object] = object
    }

    private mutating func apply(
        _ change: EntriesChange, to object: inout Object, _ key: PrimaryKey
    ) {
        guard case .entries(var held) = object.contents[change.property] else {
            misfits.append("\(key) has no such set or map")
            return
        }
        for entry in change.changes {
            held.removeAll { $0.entry == entry.entry }
            if let value = entry.value { held.append(Entry(entry: entry.entry, value: value)) }
        }
        object.contents[change.property] = .entries(held.sorted { $0.entry < $1.entry })
    }

    /// Objects that were sent before their class got more properties have those as they begin.
    private mutating func grow() {
        for (key, object) in objects {
            guard let schema = classes[key.classNumber],
                object.contents.count < schema.properties.count
            else { continue }
            objects[key]?.contents += schema.properties[object.contents.count...].map {
                switch $0.kind {
                case .value: .value($0.initialValue)
                case .list: .list([])
                case .set, .map: .entries([])
                }
            }
        }
    }

    private mutating func dropUnheld() {
        let held = Set(members.values.flatMap(\.keys))
        objects = objects.filter { held.contains($0.key) }
    }
}
