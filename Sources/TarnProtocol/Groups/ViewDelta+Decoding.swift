import TarnCBOR
package import TarnModel

extension ViewDelta {
    package init(decoding bytes: [UInt8]) throws(FormatError) {
        do throws(CBORError) {
            var decoder = ViewDeltaDecoder(
                reader: CBORReader(
                    bytes, limits: CBORLimits(stringBytesMax: ProtocolLimits.groupBytesMax)))
            self = try decoder.read()
        } catch {
            throw FormatError(reading: "view", .cbor(error))
        }
    }
}

/// Reads what `ViewDeltaEncoder` writes.
private struct ViewDeltaDecoder {
    var reader: CBORReader
    private var replicas: [ReplicaID] = []

    init(reader: CBORReader) { self.reader = reader }

    mutating func read() throws(CBORError) -> ViewDelta {
        try reader.expectArray(4)
        for _ in 0..<(try reader.readArrayHeader()) { replicas.append(try reader.readReplicaID()) }
        var delta = ViewDelta()
        for _ in 0..<(try reader.readArrayHeader()) {
            try reader.expectArray(2)
            delta.departures.append(try readObjectKey())
        }
        for _ in 0..<(try reader.readArrayHeader()) { delta.arrivals.append(try readArrival()) }
        for _ in 0..<(try reader.readArrayHeader()) { delta.changes.append(try readChange()) }
        try reader.expectEnd()
        return delta
    }

    private mutating func readObjectKey() throws(CBORError) -> ObjectKey {
        let classNumber = try reader.readInt()
        return ObjectKey(classNumber: classNumber, key: try reader.readKey())
    }

    private mutating func readArrival() throws(CBORError) -> Arrival {
        try reader.expectArray(6)
        let object = try readObjectKey()
        let life = try readTransaction()
        let isRoot = try reader.readBool()
        var properties: [PropertyContent] = []
        for _ in 0..<(try reader.readArrayHeader()) { properties.append(try readContent()) }
        return Arrival(object: object, life: life, isRoot: isRoot, properties: properties)
    }

    private mutating func readContent() throws(CBORError) -> PropertyContent {
        guard try reader.peekType() == .tag else { return .value(try reader.readValue()) }
        var ahead = reader
        switch try ahead.readTag() {
        case ViewDelta.listTag:
            reader = ahead
            return .list(try readSlots())
        case ViewDelta.entriesTag:
            reader = ahead
            return .entries(try readEntries())
        default: return .value(try reader.readValue())
        }
    }

    private mutating func readEntries() throws(CBORError) -> [Entry] {
        let start = reader.offset
        let count = try reader.readArrayHeader()
        guard count.isMultiple(of: 2) else { throw CBORError(.malformed, at: start) }
        var entries: [Entry] = []
        for _ in 0..<count / 2 {
            let entry = try reader.readValue()
            entries.append(Entry(entry: entry, value: try reader.readValue()))
        }
        return entries
    }

    private mutating func readSlots() throws(CBORError) -> [SlotContent] {
        var slots: [SlotContent] = []
        for _ in 0..<(try reader.readArrayHeader()) {
            try reader.expectArray(5)
            slots.append(try readSlotContent())
        }
        return slots
    }

    private mutating func readChange() throws(CBORError) -> ObjectChange {
        let start = reader.offset
        let fields = try reader.readArrayHeader()
        guard fields == 4 || fields == 5 else { throw CBORError(.malformed, at: start) }
        let object = try readObjectKey()
        let count = try reader.readArrayHeader()
        guard count.isMultiple(of: 2) else { throw CBORError(.malformed, at: start) }
        var values: [NumberedValue] = []
        for _ in 0..<count / 2 {
            let property = try reader.readInt()
            values.append(NumberedValue(property: property, value: try reader.readValue()))
        }
        var lists: [ListChange] = []
        for _ in 0..<(try reader.readArrayHeader()) { lists.append(try readListChange()) }
        var entries: [EntriesChange] = []
        if fields == 5 {
            for _ in 0..<(try reader.readArrayHeader()) { entries.append(try readEntriesChange()) }
        }
        return ObjectChange(object: object, values: values, lists: lists, entries: entries)
    }

    private mutating func readEntriesChange() throws(CBORError) -> EntriesChange {
        try reader.expectArray(3)
        let property = try reader.readInt()
        var changes: [EntryChange] = []
        for _ in 0..<(try reader.readArrayHeader()) {
            changes.append(EntryChange(entry: try reader.readValue(), value: nil))
        }
        for entry in try readEntries() {
            changes.append(EntryChange(entry: entry.entry, value: entry.value))
        }
        return EntriesChange(property: property, changes: changes)
    }

    private mutating func readListChange() throws(CBORError) -> ListChange {
        try reader.expectArray(3)
        let property = try reader.readInt()
        var vacated: [SlotID] = []
        for _ in 0..<(try reader.readArrayHeader()) {
            try reader.expectArray(3)
            vacated.append(try readSlot())
        }
        var placed: [PlacedSlotContent] = []
        for _ in 0..<(try reader.readArrayHeader()) {
            try reader.expectArray(6)
            let content = try readSlotContent()
            var predecessor: SlotID?
            if try !reader.skipNull() {
                try reader.expectArray(3)
                predecessor = try readSlot()
            }
            placed.append(PlacedSlotContent(content: content, predecessor: predecessor))
        }
        return ListChange(property: property, vacated: vacated, placed: placed)
    }

    private mutating func readSlotContent() throws(CBORError) -> SlotContent {
        let slot = try readSlot()
        var element = ElementID(insertedIn: slot)
        if try !reader.skipNull() {
            try reader.expectArray(3)
            element = ElementID(insertedIn: try readSlot())
        }
        return SlotContent(slot: slot, element: element, value: try reader.readValue())
    }

    private mutating func readSlot() throws(CBORError) -> SlotID {
        let transaction = try readTransaction()
        return SlotID(transaction: transaction, ordinal: try reader.readUInt32())
    }

    private mutating func readTransaction() throws(CBORError) -> TransactionID {
        let start = reader.offset
        let index = try reader.readInt()
        let sequence = try reader.readUInt64()
        guard replicas.indices.contains(index), sequence > 0 else {
            throw CBORError(.outOfRange, at: start)
        }
        return TransactionID(replica: replicas[index], sequence: sequence)
    }
}
