import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage

/// Turns objects of a realm into what is sent of them.
struct ViewContents {
    let store: any RealmStore

    /// The objects that an object's links and lists lead to, and how often each.
    func links(of object: ObjectID) throws(StorageError) -> Reach.Links {
        var links: Reach.Links = [:]
        guard let schema = store.schema.schema(number: object.classNumber),
            try store.isAlive(object)
        else { return links }
        for (number, property) in schema.properties.enumerated() where property.type.isLink {
            try reading("following links") {
                if !property.isCell {
                    for target in try store.targets(number, of: object) {
                        links[target, default: 0] += 1
                    }
                } else if let target = try store.target(number, of: object) {
                    links[target, default: 0] += 1
                }
            }
        }
        return links
    }

    func key(of object: ObjectID) throws(StorageError) -> ObjectKey {
        let key = try reading("reading a key") { try store.key(of: object) }
        return ObjectKey(classNumber: object.classNumber, key: key)
    }

    /// Nil for what was deleted before the floor: whoever is at the floor or above never had it.
    func knownKey(of object: ObjectID) throws(StorageError) -> ObjectKey? {
        try store.knownKey(of: object).map {
            ObjectKey(classNumber: object.classNumber, key: $0)
        }
    }

    /// What a digest puts an object into a bucket by.
    func name(of object: ObjectID) throws(StorageError) -> HeldName {
        let key = try key(of: object).key
        let schema = store.schema.schema(number: object.classNumber)
        return HeldName(className: schema?.name ?? "", key: key)
    }

    /// An object as a digest takes it in, and about how many bytes it has.
    func held(
        _ object: ObjectID, isRoot: Bool
    ) throws(StorageError) -> (held: HeldObject, weight: Int) {
        let whole = try arrival(object, isRoot: isRoot)
        let schema = store.schema.schema(number: object.classNumber)
        var held = HeldObject(
            name: HeldName(className: schema?.name ?? "", key: whole.object.key),
            life: whole.life, isRoot: isRoot)
        for (property, content) in zip(schema?.properties ?? [], whole.properties) {
            held.set(content, of: property)
        }
        return (held, whole.weight)
    }

    /// The whole object.
    func arrival(_ object: ObjectID, isRoot: Bool) throws(StorageError) -> Arrival {
        let schema = store.schema.schema(number: object.classNumber)
        let values = try store.values(of: object)
        var contents: [PropertyContent] = []
        contents.reserveCapacity(values.count)
        for (number, property) in (schema?.properties ?? []).enumerated() {
            let list = ListID(object: object, property: number)
            switch property.kind {
            case .value: contents.append(.value(values[number]))
            case .list:
                contents.append(.list(try store.liveElements(in: list).map(SlotContent.init)))
            case .set, .map: contents.append(.entries(try store.entries(in: list)))
            }
        }
        return Arrival(
            object: try key(of: object), life: try store.life(of: object), isRoot: isRoot,
            properties: contents)
    }

    /// What of a living object changed above a version; nil where nothing did.
    func change(of object: ObjectID, since version: Version) throws(StorageError) -> ObjectChange? {
        let changed = try store.changedProperties(of: object, since: version)
        let values = try values(changed, of: object)
        var lists: [ListChange] = []
        var entries: [EntriesChange] = []
        let schema = store.schema.schema(number: object.classNumber)
        for (number, property) in (schema?.properties ?? []).enumerated() where !property.isCell {
            let list = ListID(object: object, property: number)
            guard property.isList else {
                let changes = try store.changedEntries(in: list, since: version)
                if !changes.isEmpty {
                    entries.append(EntriesChange(property: number, changes: changes))
                }
                continue
            }
            let difference = try store.difference(of: list, since: version)
            if !difference.isEmpty { lists.append(ListChange(property: number, difference)) }
        }
        if values.isEmpty && lists.isEmpty && entries.isEmpty { return nil }
        return ObjectChange(
            object: try key(of: object), values: values, lists: lists, entries: entries)
    }

    /// One by itself, lest a long value beside it is read.
    private func values(
        _ properties: [Int], of object: ObjectID
    ) throws(StorageError) -> [NumberedValue] {
        switch properties.count {
        case 0: return []
        case 1:
            let value = try reading("reading a value") {
                try store.value(properties[0], of: object)
            }
            return [NumberedValue(property: properties[0], value: value)]
        default:
            let all = try store.values(of: object)
            return properties.map { NumberedValue(property: $0, value: all[$0]) }
        }
    }
}

extension SlotContent {
    fileprivate init(_ element: ListElement) {
        self.init(slot: element.slot, element: element.element, value: element.value)
    }
}

extension ListChange {
    fileprivate init(property: Int, _ difference: ListDifference) {
        self.init(
            property: property, vacated: difference.vacated,
            placed: difference.placed.map { placement in
                PlacedSlotContent(
                    content: SlotContent(placement.element), predecessor: placement.predecessor)
            })
    }
}

/// Passes on what an `ObjectReader` throws as the storage failure that it is.
func reading<Result>(
    _ operation: String, _ body: () throws -> Result
) throws(StorageError) -> Result {
    do {
        return try body()
    } catch {
        throw StorageError(wrapping: error, while: operation)
    }
}
