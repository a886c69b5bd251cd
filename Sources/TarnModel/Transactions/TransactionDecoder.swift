import TarnCBOR

/// Reads what `TransactionEncoder` writes, from bytes that may come from anybody.
package struct TransactionDecoder {
    private var reader: CBORReader
    private var id = TransactionID(replica: ReplicaID(0), sequence: 1)
    private var names: [String] = []
    private var nextOrdinal: UInt32 = 0

    package static func transaction(from body: [UInt8]) throws(FormatError) -> Transaction {
        var decoder = TransactionDecoder(reader: CBORReader(body))
        do {
            return try decoder.read()
        } catch {
            throw FormatError(reading: "transaction", .cbor(error))
        }
    }

    private init(reader: CBORReader) { self.reader = reader }

    private mutating func read() throws(CBORError) -> Transaction {
        try reader.expectArray(6)
        let start = reader.offset
        guard try reader.readUInt64() == TransactionEncoder.format else {
            throw CBORError(.malformed, at: start)
        }
        let replica = try reader.readReplicaID()
        let sequence = try reader.readUInt64()
        guard sequence > 0 else { throw CBORError(.outOfRange, at: start) }
        id = TransactionID(replica: replica, sequence: sequence)
        let base = try reader.readResumePoint()
        for _ in 0..<(try reader.readArrayHeader()) { names.append(try reader.readText()) }
        let changesStart = reader.offset
        let count = try reader.readArrayHeader()
        guard count <= TransactionLimits.changesReadMax else {
            throw CBORError(.tooLarge, at: changesStart)
        }
        var changes: [Change] = []
        changes.reserveCapacity(count)
        for _ in 0..<count { changes.append(try readChange()) }
        try reader.expectEnd()
        return Transaction(id: id, base: base, changes: changes)
    }

    private mutating func readChange() throws(CBORError) -> Change {
        let start = reader.offset
        let fields = try reader.readArrayHeader()
        guard let kind = ChangeKind(rawValue: try reader.readUInt64()), fields == kind.fieldCount
        else { throw CBORError(.malformed, at: start) }
        switch kind {
        case .addClass:
            return .addClass(try reader.readClassSchema())
        case .create:
            let className = try readName()
            let key = try reader.readKey()
            var values: [InitialValue] = []
            for _ in 0..<(try reader.readArrayHeader()) { values.append(try readInitialValue()) }
            return .create(className: className, key: key, values: values)
        case .set:
            let object = try readObjectName()
            return .set(object, property: try readName(), value: try reader.readValue())
        case .delete:
            return .delete(try readObjectName())
        case .insert:
            let object = try readObjectName()
            let property = try readName()
            let slot = try nextSlot()
            let place = try readPlace()
            return .insert(
                object, property: property, slot: slot, place: place,
                value: try reader.readValue())
        case .move:
            let object = try readObjectName()
            let property = try readName()
            let element = try readElement()
            let slot = try nextSlot()
            return .move(
                object, property: property, element: element, slot: slot, place: try readPlace())
        case .remove:
            let object = try readObjectName()
            return .remove(object, property: try readName(), element: try readElement())
        case .increment:
            let object = try readObjectName()
            return .increment(object, property: try readName(), by: try reader.readInt64())
        case .setEntry:
            let object = try readObjectName()
            let property = try readName()
            let entry = try reader.readValue()
            return .setEntry(
                object, property: property, entry: entry, value: try reader.readValue())
        case .removeEntry:
            let object = try readObjectName()
            return .removeEntry(object, property: try readName(), entry: try reader.readValue())
        case .deleteOwned:
            return .deleteOwned(try readObjectName())
        }
    }

    private mutating func readName() throws(CBORError) -> String {
        let start = reader.offset
        let number = try reader.readInt()
        guard names.indices.contains(number) else { throw CBORError(.outOfRange, at: start) }
        return names[number]
    }

    private mutating func readInitialValue() throws(CBORError) -> InitialValue {
        let start = reader.offset
        let fields = try reader.readArrayHeader()
        guard fields == 2 || fields == 3 else { throw CBORError(.malformed, at: start) }
        let property = try readName()
        let value = try reader.readValue()
        let isDefault = fields == 3 ? try reader.readBool() : false
        return InitialValue(property, value, isDefault: isDefault)
    }

    private mutating func readObjectName() throws(CBORError) -> ObjectName {
        let className = try readName()
        let key = try reader.readKey()
        return ObjectName(className, key, life: try readShortTransactionID())
    }

    private mutating func readPlace() throws(CBORError) -> ListPlace {
        let after = try readOptionalSlot()
        return ListPlace(after: after, before: try readOptionalSlot())
    }

    private mutating func readOptionalSlot() throws(CBORError) -> SlotID? {
        if try reader.skipNull() { return nil }
        try reader.expectArray(2)
        let transaction = try readShortTransactionID()
        return SlotID(transaction: transaction, ordinal: try reader.readUInt32())
    }

    private mutating func readElement() throws(CBORError) -> ElementID {
        try reader.expectArray(2)
        let transaction = try readShortTransactionID()
        return ElementID(transaction: transaction, ordinal: try reader.readUInt32())
    }

    private mutating func readShortTransactionID() throws(CBORError) -> TransactionID {
        if try reader.skipNull() { return id }
        guard try reader.peekType() == .unsigned else { return try reader.readTransactionID() }
        let start = reader.offset
        let sequence = try reader.readUInt64()
        guard sequence > 0 else { throw CBORError(.outOfRange, at: start) }
        return TransactionID(replica: id.replica, sequence: sequence)
    }

    private mutating func nextSlot() throws(CBORError) -> SlotID {
        defer { nextOrdinal += 1 }
        return SlotID(transaction: id, ordinal: nextOrdinal)
    }
}

extension ChangeKind {
    /// The kind's number and its fields.
    fileprivate var fieldCount: Int {
        switch self {
        case .addClass: 2
        case .create, .delete, .deleteOwned: 4
        case .set, .remove, .increment, .removeEntry: 6
        case .setEntry: 7
        case .insert, .move: 8
        }
    }
}
