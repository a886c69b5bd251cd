package import TarnCBOR

/// The number that begins each effect. A number keeps its meaning for as long as a log does.
enum EffectKind: UInt64 {
    case putClass = 1
    case create = 2
    case alias = 3
    case set = 4
    case unlink = 5
    case delete = 6
    case place = 7
    case vacate = 8
    case increment = 9
    case setEntry = 10
    case removeEntry = 11
    case unlinkEntry = 12

    /// The kind's number and its fields.
    var fieldCount: Int {
        switch self {
        case .putClass: 2
        case .create: 5
        case .set: 6
        case .alias, .unlink: 4
        case .delete: 3
        case .place: 9
        case .vacate, .increment, .removeEntry, .unlinkEntry: 5
        case .setEntry: 6
        }
    }
}

extension CBORWriter {
    /// `[[name, ...], [effect, ...]]`: class and property names stand once, in the table, and
    /// effects name them by their place in it. What is named by the transaction that the effects
    /// are of is short.
    package mutating func write(_ effects: [Effect], of transaction: TransactionID) {
        var encoder = EffectEncoder(transaction: transaction)
        for effect in effects { encoder.append(effect) }
        writeArrayHeader(2)
        writeArrayHeader(encoder.names.count)
        for name in encoder.names { write(name) }
        writeArrayHeader(effects.count)
        writeEncoded(encoder.writer.bytes)
    }
}

extension CBORReader {
    package mutating func readEffects(
        of transaction: TransactionID
    ) throws(CBORError) -> [Effect] {
        try expectArray(2)
        var names: [String] = []
        for _ in 0..<(try readArrayHeader()) { names.append(try readText()) }
        let count = try readArrayHeader()
        var decoder = EffectDecoder(reader: self, transaction: transaction, names: names)
        var effects: [Effect] = []
        effects.reserveCapacity(count)
        for _ in 0..<count { effects.append(try decoder.readEffect()) }
        self = decoder.reader
        return effects
    }
}

private struct EffectEncoder {
    let transaction: TransactionID
    var names: [String] = []
    var writer = CBORWriter()
    private var numbers: [String: Int] = [:]

    init(transaction: TransactionID) { self.transaction = transaction }

    mutating func append(_ effect: Effect) {
        switch effect {
        case .putClass(let schema):
            begin(.putClass)
            writer.write(schema)
        case .create(let className, let key, let life, let values):
            begin(.create, className, key)
            write(life)
            writer.writeArrayHeader(values.count * 2)
            for value in values {
                // A default's name counts down from -1, so that a flag takes no room.
                let number = number(of: value.property)
                writer.write(value.isDefault ? -1 - number : number)
                writer.write(value.value)
            }
        case .alias(let alias, let className, let key):
            begin(.alias, className, key)
            write(alias)
        case .set(let className, let key, let property, let value, let isDefault):
            begin(.set, className, key)
            write(name: property)
            writer.write(value)
            writer.write(isDefault)
        case .unlink(let className, let key, let property):
            begin(.unlink, className, key)
            write(name: property)
        case .delete(let className, let key):
            begin(.delete, className, key)
        case .place(let list, let placed):
            begin(.place, list.className, list.key)
            write(name: list.property)
            append(placed)
        case .vacate(let list, let slot):
            begin(.vacate, list.className, list.key)
            write(name: list.property)
            write(slot)
        case .increment(let className, let key, let property, let amount):
            begin(.increment, className, key)
            write(name: property)
            writer.write(amount)
        case .setEntry(let list, let entry, let value):
            begin(.setEntry, list, entry)
            writer.write(value)
        case .removeEntry(let list, let entry):
            begin(.removeEntry, list, entry)
        case .unlinkEntry(let list, let entry):
            begin(.unlinkEntry, list, entry)
        }
    }

    private mutating func begin(_ kind: EffectKind, _ list: ListEffect, _ entry: Value) {
        begin(kind, list.className, list.key)
        write(name: list.property)
        writer.write(entry)
    }

    /// Slot, where it should stand (two fields), where it stands, and the value; five fields.
    private mutating func append(_ placed: PlacedElement) {
        if placed.element.firstSlot == placed.slot {
            write(placed.slot)
        } else {
            // A moved element: its own name beside its new slot's.
            writer.writeArrayHeader(2)
            write(placed.slot)
            write(placed.element.firstSlot)
        }
        write(placed.place.after)
        write(placed.place.before)
        if placed.predecessor == placed.place.after {
            writer.write(true)
        } else {
            write(placed.predecessor)
        }
        writer.write(placed.value)
    }

    private mutating func begin(_ kind: EffectKind) {
        writer.writeArrayHeader(kind.fieldCount)
        writer.write(kind.rawValue)
    }

    private mutating func begin(_ kind: EffectKind, _ className: String, _ key: PrimaryKey) {
        begin(kind)
        write(name: className)
        writer.write(key)
    }

    private mutating func write(name: String) { writer.write(number(of: name)) }

    private mutating func number(of name: String) -> Int {
        if let number = numbers[name] { return number }
        let number = names.count
        numbers[name] = number
        names.append(name)
        return number
    }

    /// Null for the transaction whose effects they are.
    private mutating func write(_ id: TransactionID) {
        if id == transaction { writer.writeNull() } else { writer.write(id) }
    }

    /// The ordinal alone for a slot of the transaction whose effects they are; else a map of the
    /// ordinal and the transaction. Null for none.
    private mutating func write(_ slot: SlotID?) {
        guard let slot else { return writer.writeNull() }
        if slot.transaction == transaction {
            writer.write(UInt64(slot.ordinal))
        } else {
            writer.writeMapHeader(1)
            writer.write(UInt64(slot.ordinal))
            writer.write(slot.transaction)
        }
    }
}

private struct EffectDecoder {
    var reader: CBORReader
    let transaction: TransactionID
    let names: [String]

    mutating func readEffect() throws(CBORError) -> Effect {
        let start = reader.offset
        let fields = try reader.readArrayHeader()
        guard let kind = EffectKind(rawValue: try reader.readUInt64()), fields == kind.fieldCount
        else { throw CBORError(.malformed, at: start) }
        if kind == .putClass { return .putClass(try reader.readClassSchema()) }
        let className = try readName()
        let key = try reader.readKey()
        switch kind {
        case .putClass: throw CBORError(.malformed, at: start)
        case .create:
            let life = try readTransaction()
            return .create(
                className: className, key: key, life: life, values: try readValues())
        case .alias:
            return .alias(try readTransaction(), className: className, key: key)
        case .set:
            let property = try readName()
            let value = try reader.readValue()
            return .set(
                className: className, key: key, property: property, value: value,
                isDefault: try reader.readBool())
        case .unlink:
            return .unlink(className: className, key: key, property: try readName())
        case .delete:
            return .delete(className: className, key: key)
        case .place:
            let list = ListEffect(className: className, key: key, property: try readName())
            return .place(list, slot: try readPlaced())
        case .vacate:
            let list = ListEffect(className: className, key: key, property: try readName())
            return .vacate(list, slot: try readSlot())
        case .increment:
            let property = try readName()
            return .increment(
                className: className, key: key, property: property, by: try reader.readInt64())
        case .setEntry, .removeEntry, .unlinkEntry:
            let list = ListEffect(className: className, key: key, property: try readName())
            return try readEntry(kind, of: list)
        }
    }

    private mutating func readEntry(
        _ kind: EffectKind, of list: ListEffect
    ) throws(CBORError) -> Effect {
        let entry = try reader.readValue()
        return switch kind {
        case .setEntry: .setEntry(list, entry: entry, value: try reader.readValue())
        case .removeEntry: .removeEntry(list, entry: entry)
        default: .unlinkEntry(list, entry: entry)
        }
    }

    private mutating func readValues() throws(CBORError) -> [InitialValue] {
        let start = reader.offset
        let count = try reader.readArrayHeader()
        guard count.isMultiple(of: 2) else { throw CBORError(.malformed, at: start) }
        var values: [InitialValue] = []
        for _ in 0..<count / 2 {
            let isDefault = try reader.peekType() == .negative
            let start = reader.offset
            let number = try reader.readInt()
            let property = try name(isDefault ? -1 - number : number, at: start)
            values.append(InitialValue(property, try reader.readValue(), isDefault: isDefault))
        }
        return values
    }

    private mutating func readPlaced() throws(CBORError) -> PlacedElement {
        let isMoved = try reader.peekType() == .array
        if isMoved { try reader.expectArray(2) }
        let slot = try readSlot()
        let first = isMoved ? try readSlot() : slot
        let after = try readOptionalSlot()
        let place = ListPlace(after: after, before: try readOptionalSlot())
        var predecessor = place.after
        if try reader.peekType() == .boolean {
            let start = reader.offset
            guard try reader.readBool() else { throw CBORError(.malformed, at: start) }
        } else {
            predecessor = try readOptionalSlot()
        }
        return PlacedElement(
            slot: slot, element: ElementID(insertedIn: first), place: place,
            predecessor: predecessor, value: try reader.readValue())
    }

    private mutating func readName() throws(CBORError) -> String {
        let start = reader.offset
        return try name(try reader.readInt(), at: start)
    }

    private func name(_ number: Int, at start: Int) throws(CBORError) -> String {
        guard names.indices.contains(number) else { throw CBORError(.outOfRange, at: start) }
        return names[number]
    }

    private mutating func readTransaction() throws(CBORError) -> TransactionID {
        try reader.skipNull() ? transaction : try reader.readTransactionID()
    }

    private mutating func readOptionalSlot() throws(CBORError) -> SlotID? {
        try reader.skipNull() ? nil : try readSlot()
    }

    private mutating func readSlot() throws(CBORError) -> SlotID {
        guard try reader.peekType() == .map else {
            return SlotID(transaction: transaction, ordinal: try reader.readUInt32())
        }
        let start = reader.offset
        guard try reader.readMapHeader() == 1 else { throw CBORError(.malformed, at: start) }
        let ordinal = try reader.readUInt32()
        return SlotID(transaction: try reader.readTransactionID(), ordinal: ordinal)
    }
}
