import TarnCBOR

/// Writes a transaction's body: `[1, replica, sequence, base, [name, ...], [change, ...]]`.
///
/// Class and property names stand once, in the table; changes name them by their place in it.
package struct TransactionEncoder {
    package static let format: UInt64 = 1
    private let id: TransactionID
    private var names: [String] = []
    private var numbers: [String: Int] = [:]
    private var changes: CBORWriter
    private var changeCount = 0
    private var nextOrdinal: UInt32 = 0

    package static func body(of transaction: Transaction) -> [UInt8] {
        var encoder = TransactionEncoder(id: transaction.id)
        for change in transaction.changes { encoder.append(change) }
        return encoder.finished(base: transaction.base)
    }

    private init(id: TransactionID) {
        self.id = id
        changes = CBORWriter()
    }

    private func finished(base: ResumePoint) -> [UInt8] {
        var writer = CBORWriter(reserving: changes.bytes.count + 64)
        writer.writeArrayHeader(6)
        writer.write(Self.format)
        writer.write(bytes: id.replica.rawValue.bigEndianBytes)
        writer.write(id.sequence)
        writer.write(base)
        writer.writeArrayHeader(names.count)
        for name in names { writer.write(name) }
        writer.writeArrayHeader(changeCount)
        writer.writeEncoded(changes.bytes)
        return writer.bytes
    }

    private mutating func append(_ change: Change) {
        changeCount += 1
        switch change {
        case .addClass(let schema):
            begin(.addClass, fields: 1)
            changes.write(schema)
        case .create(let className, let key, let values):
            begin(.create, fields: 3)
            write(name: className)
            changes.write(key)
            changes.writeArrayHeader(values.count)
            for value in values { write(value) }
        case .set(let object, let property, let value):
            begin(.set, fields: 5)
            write(object)
            write(name: property)
            changes.write(value)
        case .delete(let object):
            begin(.delete, fields: 3)
            write(object)
        case .insert(let object, let property, let slot, let place, let value):
            begin(.insert, fields: 7)
            write(object)
            write(name: property)
            claim(slot)
            write(place)
            changes.write(value)
        case .move(let object, let property, let element, let slot, let place):
            begin(.move, fields: 7)
            write(object)
            write(name: property)
            write(transaction: element.transaction, ordinal: element.ordinal)
            claim(slot)
            write(place)
        case .remove(let object, let property, let element):
            begin(.remove, fields: 5)
            write(object)
            write(name: property)
            write(transaction: element.transaction, ordinal: element.ordinal)
        case .increment(let object, let property, let amount):
            begin(.increment, fields: 5)
            write(object)
            write(name: property)
            changes.write(amount)
        case .setEntry(let object, let property, let entry, let value):
            begin(.setEntry, fields: 6)
            write(object)
            write(name: property)
            changes.write(entry)
            changes.write(value)
        case .removeEntry(let object, let property, let entry):
            begin(.removeEntry, fields: 5)
            write(object)
            write(name: property)
            changes.write(entry)
        case .deleteOwned(let object):
            begin(.deleteOwned, fields: 3)
            write(object)
        }
    }

    private mutating func begin(_ kind: ChangeKind, fields: Int) {
        changes.writeArrayHeader(fields + 1)
        changes.write(kind.rawValue)
    }

    private mutating func write(name: String) {
        if let number = numbers[name] {
            changes.write(number)
            return
        }
        numbers[name] = names.count
        changes.write(names.count)
        names.append(name)
    }

    private mutating func write(_ value: InitialValue) {
        changes.writeArrayHeader(value.isDefault ? 3 : 2)
        write(name: value.property)
        changes.write(value.value)
        if value.isDefault { changes.write(true) }
    }

    /// Class, key, life: three fields.
    private mutating func write(_ object: ObjectName) {
        write(name: object.className)
        changes.write(object.key)
        writeShort(object.life)
    }

    private mutating func write(_ place: ListPlace) {
        for slot in [place.after, place.before] {
            if let slot {
                write(transaction: slot.transaction, ordinal: slot.ordinal)
            } else {
                changes.writeNull()
            }
        }
    }

    private mutating func write(transaction: TransactionID, ordinal: UInt32) {
        changes.writeArrayHeader(2)
        writeShort(transaction)
        changes.write(UInt64(ordinal))
    }

    /// Null for this transaction, a sequence for another of this replica, else both parts.
    private mutating func writeShort(_ transaction: TransactionID) {
        if transaction == id {
            changes.writeNull()
        } else if transaction.replica == id.replica {
            changes.write(transaction.sequence)
        } else {
            changes.write(transaction)
        }
    }

    private mutating func claim(_ slot: SlotID) {
        precondition(
            slot == SlotID(transaction: id, ordinal: nextOrdinal),
            "slots are numbered in the order of the changes that make them")
        nextOrdinal += 1
    }
}
