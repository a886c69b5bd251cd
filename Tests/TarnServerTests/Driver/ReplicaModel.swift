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
    var objects: [ObjectKey: Object] = [:]
    /// By subscription: the objects that it holds, with whether it selects them itself.
    var members: [Int64: [ObjectKey: Bool]] = [:]
    var faults: [Int64: String] = [:]
    /// What of the groups made no sense.
    private(set) var misfits: [String] = []

    /// - Parameter known: the subscriptions that have not been given up meanwhile.
    mutating func apply(_ group: Group, known: Set<Int64>) {
        if group.from != integrated { misfits.append("a group begins at \(group.from.version)") }
        if group.to.version < group.from.version { misfits.append("a group goes back") }
        for entry in group.classes { classes[entry.number] = entry.schema }
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
        dropUnheld()
        integrated = group.to
    }

    mutating func forget(_ subscription: Int64) {
        members[subscription] = nil
        faults[subscription] = nil
        dropUnheld()
    }

    private mutating func apply(_ delta: ViewDelta, _ view: GroupView) {
        faults[view.subscription] = nil
        var held = view.isFull ? [:] : members[view.subscription] ?? [:]
        if view.isFull && !(delta.departures.isEmpty && delta.changes.isEmpty) {
            misfits.append("a full view has more than arrivals")
        }
        for departure in delta.departures where held.removeValue(forKey: departure) == nil {
            misfits.append("\(departure.key) departs and was not there")
        }
        for arrival in delta.arrivals {
            if held.updateValue(arrival.isRoot, forKey: arrival.object) != nil {
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
