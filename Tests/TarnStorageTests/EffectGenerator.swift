import TarnModel
import TarnQuery
import TarnStorage
import TarnTesting

/// Random effects that fit what a store holds, and all names that it was ever given.
struct EffectGenerator {
    var random: SeededGenerator
    private(set) var keys: [[PrimaryKey]] = []
    private(set) var transactions: [TransactionID] = [transaction(bob, 77)]
    private(set) var slots: [SlotID] = [slot(transaction(bob, 77), 7)]
    private(set) var elements: [ElementID] = []
    private(set) var entries: [Value] = []
    private var nextOrdinal: UInt32 = 0
    /// Whether what leads to an object is taken away before it is deleted, as the server does.
    let isTidy: Bool
    /// What has begun and is to be ended before anything else.
    private var begun: [Effect] = []

    init(seed: UInt64, isTidy: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.isTidy = isTidy
    }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    mutating func origin(of version: Version) -> Origin {
        let replica = chance(50) ? alice : bob
        // The number of the version, so that no two transactions are the same.
        let id = transaction(replica, version.number)
        transactions.append(id)
        nextOrdinal = 0
        begun = []
        let ticks = UInt64.random(in: 0...(.max), using: &random) >> (chance(90) ? 20 : 0)
        return TarnStorageTests.origin(id, ticks: ticks, user: chance(50) ? "alice" : "bob")
    }

    /// Nil where the drawn kind has nothing to work on.
    mutating func effect(for store: any RealmStore) throws -> Effect? {
        if !begun.isEmpty { return begun.removeFirst() }
        let origin = transactions[transactions.count - 1]
        let draw = Int.random(in: 0..<100, using: &random)
        if store.schema.classes.isEmpty { return .putClass(RealmSchemas.project) }
        if draw < 4 {
            let classes = [
                RealmSchemas.task, RealmSchemas.grownTask, RealmSchemas.counter,
                RealmSchemas.project, RealmSchemas.sample, RealmSchemas.grownSample,
            ]
            guard let schema = classes.randomElement(using: &random),
                schema.properties.count >= store.schema[schema.name]?.properties.count ?? 0
            else { return nil }
            return .putClass(schema)
        }
        let classNumber = Int.random(in: 0..<store.schema.classes.count, using: &random)
        if draw < 30 { return try creation(in: classNumber, of: store, by: origin) }
        guard let object = try store.objects(in: classNumber).randomElement(using: &random) else {
            return nil
        }
        let schema = store.schema.classes[classNumber]
        let key = try store.key(of: object)
        if draw < 36 {
            begun = isTidy ? try releases(of: object, in: store) : []
            begun.append(.delete(className: schema.name, key: key))
            return begun.removeFirst()
        }
        if draw < 39 { return .alias(origin, className: schema.name, key: key) }
        let number = Int.random(in: 0..<schema.properties.count, using: &random)
        let property = schema.properties[number]
        if property.hasEntries {
            return try entryEffect(
                ListEffect(className: schema.name, key: key, property: property.name), property,
                in: ListID(object: object, property: number), of: store)
        }
        guard property.isList else {
            if property.type == .int, draw < 60, try store.value(number, of: object) != .null {
                return .increment(
                    className: schema.name, key: key, property: property.name,
                    by: chance(20) ? .max : Int64(draw) - 50)
            }
            if property.type.isLink, draw < 48 {
                return .unlink(className: schema.name, key: key, property: property.name)
            }
            guard let value = try value(of: property, in: store) else { return nil }
            return .set(
                className: schema.name, key: key, property: property.name, value: value,
                isDefault: chance(20))
        }
        return try listEffect(
            ListEffect(className: schema.name, key: key, property: property.name), property,
            in: ListID(object: object, property: number), of: store, by: origin)
    }

    /// What leads to an object, taken away.
    private func releases(of object: ObjectID, in store: any RealmStore) throws -> [Effect] {
        var effects: [Effect] = []
        for holder in try store.holders(of: object) where holder.object != object {
            let schema = store.schema.classes[holder.object.classNumber]
            let key = try store.key(of: holder.object)
            let property = schema.properties[holder.property]
            let list = ListID(object: holder.object, property: holder.property)
            let effect = ListEffect(className: schema.name, key: key, property: property.name)
            if property.isCell {
                effects.append(
                    .unlink(className: schema.name, key: key, property: property.name))
                continue
            }
            if property.hasEntries {
                effects += try store.entries(holding: object, in: list).map {
                    .unlinkEntry(effect, entry: $0)
                }
                continue
            }
            effects += try store.slots(holding: object, in: list).map {
                .vacate(effect, slot: $0.slot)
            }
        }
        return effects
    }

    private mutating func creation(
        in classNumber: Int, of store: any RealmStore, by origin: TransactionID
    ) throws -> Effect? {
        let schema = store.schema.classes[classNumber]
        let number = UInt64.random(in: 1...12, using: &random)
        let key: PrimaryKey =
            switch schema.primaryKey.type {
            case .int: .int(Int64(number) - 5)
            case .string: .string(Text("p\(number)"))
            default: .uuid(UUIDValue(high: number, low: .max - number))
            }
        while keys.count <= classNumber { keys.append([]) }
        if !keys[classNumber].contains(key) { keys[classNumber].append(key) }
        guard try store.object(key, in: classNumber) == nil else { return nil }
        var values: [InitialValue] = []
        for property in schema.properties.shuffled(using: &random)
        where property.isCell && chance(60) {
            guard var value = try value(of: property, in: store) else { continue }
            if property.type.linkedClass == schema.name, chance(20) {
                value = .link(Link(key: key, life: nil))
            }
            values.append(InitialValue(property.name, value, isDefault: chance(20)))
        }
        return .create(className: schema.name, key: key, life: origin, values: values)
    }

    private mutating func listEffect(
        _ effect: ListEffect, _ property: PropertySchema, in list: ListID,
        of store: any RealmStore, by origin: TransactionID
    ) throws -> Effect? {
        let live = try store.liveElements(in: list)
        let all = try store.surroundings(of: .only, in: list).between.map(\.id)
        if chance(25), let element = live.randomElement(using: &random) {
            return .vacate(effect, slot: element.slot)
        }
        let new = slot(origin, nextOrdinal)
        nextOrdinal += 1
        slots.append(new)
        var element = ElementID(insertedIn: new)
        var value = try value(of: property, in: store)
        if chance(20), let moved = live.randomElement(using: &random),
            try isThere(moved.value, property, store)
        {
            element = moved.element
            value = moved.value
        }
        elements.append(element)
        guard let value else { return nil }
        let place = ListPlace(
            after: slots.randomElement(using: &random),
            before: chance(40) ? nil : slots.randomElement(using: &random))
        // Often the same place, to use a gap up.
        let predecessor =
            chance(30) ? all.first : chance(10) ? nil : all.randomElement(using: &random)
        return .place(
            effect,
            slot: PlacedElement(
                slot: new, element: element, place: place, predecessor: predecessor, value: value))
    }

    private mutating func entryEffect(
        _ effect: ListEffect, _ property: PropertySchema, in collection: ListID,
        of store: any RealmStore
    ) throws -> Effect? {
        let present = try store.entries(in: collection).randomElement(using: &random)
        if let present, chance(35), try isThere(present.entry, property, store) {
            return chance(50)
                ? .unlinkEntry(effect, entry: present.entry)
                : .removeEntry(effect, entry: present.entry)
        }
        let key = Value.string(["", "a", "é", "e\u{301}", "a\0"].randomElement(using: &random)!)
        let isMap = property.kind == .map
        guard let value = try value(of: property, in: store) else { return nil }
        let entry = isMap ? key : value
        if !entries.contains(entry) { entries.append(entry) }
        if chance(10) { return .removeEntry(effect, entry: entry) }
        return .setEntry(effect, entry: entry, value: isMap ? value : .bool(true))
    }

    /// Whether a link in a collection leads to an object that lives.
    private func isThere(
        _ value: Value, _ property: PropertySchema, _ store: any RealmStore
    ) throws -> Bool {
        guard case .link(let link) = value, let name = property.type.linkedClass,
            let number = store.schema.number(of: name)
        else { return true }
        return try store.object(link.key, in: number) != nil
    }

    private mutating func value(
        of property: PropertySchema, in store: any RealmStore
    ) throws -> Value? {
        if property.accepts(.null), chance(20) { return .null }
        switch property.type {
        case .bool: return .bool(chance(50))
        case .int:
            return .int(
                Int64(bitPattern: random.next() >> UInt64.random(in: 0...63, using: &random)))
        case .string:
            return .string(
                ["", "a", "b\0c", "é", "e\u{301}", "12", "🦆"].randomElement(using: &random)!)
        case .uuid: return .uuid(UUIDValue(high: random.next(), low: random.next()))
        case .date:
            let seconds = Int64(bitPattern: random.next()) >> 8
            return Timestamp(
                seconds: seconds, nanoseconds: Int32.random(in: 0..<1_000_000_000, using: &random)
            ).map(Value.date)
        case .double: return .double(RealmValues.doubles.randomElement(using: &random)!)
        case .data: return .data(RealmValues.data.randomElement(using: &random)!)
        case .link(let name):
            guard let number = store.schema.number(of: name),
                let object = try store.objects(in: number).randomElement(using: &random)
            else { return nil }
            return .link(Link(key: try store.key(of: object), life: nil))
        }
    }
}
