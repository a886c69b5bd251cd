import TarnModel
import TarnProtocol

/// Makes what a server may say of a view, of an input's bytes: mostly what fits the classes, about
/// few objects and slots, so that they come again.
enum DeltaGenes {
    static func delta(from input: inout FuzzInput) -> ViewDelta {
        let counts = input.byte()
        var delta = ViewDelta()
        for _ in 0..<counts & 3 { delta.departures.append(key(from: &input)) }
        for _ in 0..<counts >> 2 & 3 { delta.arrivals.append(arrival(from: &input)) }
        for _ in 0..<counts >> 4 & 3 { delta.changes.append(change(from: &input)) }
        return delta
    }

    private static func key(from input: inout FuzzInput) -> ObjectKey {
        let byte = input.byte()
        let number = Int64(byte >> 2 & 3)
        return switch byte & 0x13 {
        case 0x00, 0x02, 0x10: ObjectKey(classNumber: 0, key: .string(Text("p\(number)")))
        case 0x12: ObjectKey(classNumber: 2, key: .int(number))
        default: ObjectKey(classNumber: 1, key: .int(number))
        }
    }

    private static func transaction(from input: inout FuzzInput) -> TransactionID {
        let byte = input.byte()
        return TransactionID(
            replica: ReplicaID(UInt64(byte & 1)), sequence: UInt64(byte >> 1 & 3) + 1)
    }

    private static func slot(from input: inout FuzzInput) -> SlotID {
        SlotID(transaction: transaction(from: &input), ordinal: UInt32(input.byte() & 1))
    }

    private static func arrival(from input: inout FuzzInput) -> Arrival {
        let object = key(from: &input)
        let life = transaction(from: &input)
        let flags = input.byte()
        let classes = FuzzSchema.classes
        let properties =
            object.classNumber < classes.count ? classes[object.classNumber].properties : []
        var contents = properties.map { content(of: $0, flags, from: &input) }
        if flags & 0x0E == 0x0E { contents.removeLast(min(1, contents.count)) }
        return Arrival(
            object: object, life: life, isRoot: flags & 1 == 0, properties: contents)
    }

    private static func content(
        of property: PropertySchema, _ flags: UInt8, from input: inout FuzzInput
    ) -> PropertyContent {
        if property.hasEntries, flags & 0xF0 != 0xF0 {
            return .entries((0..<input.choice(4)).map { _ in entry(of: property, from: &input) })
        }
        // Now and then a list where there should be none, or the other way round.
        guard property.isList != (flags & 0xF0 == 0xF0) else {
            return .value(value(of: property, from: &input))
        }
        return .list((0..<input.choice(4)).map { _ in slotContent(of: property, from: &input) })
    }

    private static func entry(
        of property: PropertySchema, from input: inout FuzzInput
    ) -> Entry {
        let value = value(of: property, from: &input)
        guard property.kind == .map else { return Entry(entry: value, value: .bool(true)) }
        return Entry(entry: .string("k\(input.byte() & 3)"), value: value)
    }

    private static func slotContent(
        of property: PropertySchema, from input: inout FuzzInput
    ) -> SlotContent {
        let slot = slot(from: &input)
        let element = input.byte() & 7 == 7 ? self.slot(from: &input) : slot
        return SlotContent(
            slot: slot, element: ElementID(insertedIn: element),
            value: value(of: property, from: &input))
    }

    private static func change(from input: inout FuzzInput) -> ObjectChange {
        let object = key(from: &input)
        let counts = input.byte()
        let classes = FuzzSchema.classes
        let properties =
            object.classNumber < classes.count ? classes[object.classNumber].properties : []
        func property(_ number: Int) -> PropertySchema {
            properties.indices.contains(number) ? properties[number] : FuzzSchema.project.primaryKey
        }
        var values: [NumberedValue] = []
        for _ in 0..<counts & 3 {
            let number = input.choice(12)
            values.append(
                NumberedValue(
                    property: number, value: value(of: property(number), from: &input)))
        }
        var lists: [ListChange] = []
        for _ in 0..<counts >> 2 & 1 {
            let number = properties.firstIndex(where: \.isList) ?? 0
            let vacated = (0..<input.choice(3)).map { _ in slot(from: &input) }
            let placed = (0..<input.choice(3)).map { _ in
                let content = slotContent(of: property(number), from: &input)
                let predecessor = input.byte() & 1 == 0 ? nil : slot(from: &input)
                return PlacedSlotContent(content: content, predecessor: predecessor)
            }
            lists.append(ListChange(property: number, vacated: vacated, placed: placed))
        }
        var entries: [EntriesChange] = []
        for _ in 0..<counts >> 3 & 1 {
            let number = properties.firstIndex(where: \.hasEntries) ?? 0
            let changes = (0..<input.choice(3)).map { _ in
                let entry = entry(of: property(number), from: &input)
                return EntryChange(
                    entry: entry.entry, value: input.byte() & 1 == 0 ? nil : entry.value)
            }
            entries.append(EntriesChange(property: number, changes: changes))
        }
        return ObjectChange(object: object, values: values, lists: lists, entries: entries)
    }

    /// One of the property's type, but for now and then.
    static func value(of property: PropertySchema, from input: inout FuzzInput) -> Value {
        let byte = input.byte()
        if byte >= 0xF8 { return .null }
        let number = Int64(byte & 3)
        switch byte >= 0xF0 ? .bool : property.type {
        case .bool: return .bool(number & 1 == 1)
        case .int: return .int(number)
        case .string: return .string("s\(number)")
        case .uuid: return .uuid(UUIDValue(high: 0, low: UInt64(number)))
        case .date: return .date(Timestamp(milliseconds: number))
        case .double: return .double([0, -0.0, .nan, 1.5][Int(number)])
        case .data: return .data([UInt8(number)])
        case .link(let name):
            let key: PrimaryKey = name == "Project" ? .string(Text("p\(number)")) : .int(number)
            return .link(Link(key: key, life: nil))
        }
    }
}
