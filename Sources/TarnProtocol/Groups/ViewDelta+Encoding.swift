import TarnCBOR
import TarnModel

extension ViewDelta {
    package func encoded() -> [UInt8] {
        var encoder = ViewDeltaEncoder()
        return encoder.encode(self)
    }
}

/// Writes `[[replica, ...], [departure, ...], [arrival, ...], [change, ...]]`. Replica ids stand
/// once, in the table; lives and slots name them by their place in it.
private struct ViewDeltaEncoder {
    private var replicas: [ReplicaID: Int] = [:]
    private var replicaList: [ReplicaID] = []
    private var body = CBORWriter()

    mutating func encode(_ delta: ViewDelta) -> [UInt8] {
        body.writeArrayHeader(delta.departures.count)
        for object in delta.departures {
            body.writeArrayHeader(2)
            write(object)
        }
        body.writeArrayHeader(delta.arrivals.count)
        for arrival in delta.arrivals { write(arrival) }
        body.writeArrayHeader(delta.changes.count)
        for change in delta.changes { write(change) }
        var writer = CBORWriter(reserving: body.bytes.count + 16 + replicaList.count * 9)
        writer.writeArrayHeader(4)
        writer.writeArrayHeader(replicaList.count)
        for replica in replicaList { writer.write(bytes: replica.rawValue.bigEndianBytes) }
        writer.writeEncoded(body.bytes)
        return writer.bytes
    }

    private mutating func write(_ object: ObjectKey) {
        body.write(object.classNumber)
        body.write(object.key)
    }

    /// `[class, key, replica, sequence, root, [content, ...]]`.
    private mutating func write(_ arrival: Arrival) {
        body.writeArrayHeader(6)
        write(arrival.object)
        write(arrival.life)
        body.write(arrival.isRoot)
        body.writeArrayHeader(arrival.properties.count)
        for content in arrival.properties {
            switch content {
            case .value(let value): body.write(value)
            case .list(let slots):
                body.writeTag(ViewDelta.listTag)
                body.writeArrayHeader(slots.count)
                for slot in slots { write(slot, extraFields: 0) }
            case .entries(let entries):
                body.writeTag(ViewDelta.entriesTag)
                body.writeArrayHeader(entries.count * 2)
                for entry in entries {
                    body.write(entry.entry)
                    body.write(entry.value)
                }
            }
        }
    }

    /// `[class, key, [property, value, ...], [list, ...]]`; where sets or maps have changed, those
    /// as a fifth field: `[[property, [entry that is gone, ...], [entry, value, ...]], ...]`.
    private mutating func write(_ change: ObjectChange) {
        body.writeArrayHeader(change.entries.isEmpty ? 4 : 5)
        write(change.object)
        body.writeArrayHeader(change.values.count * 2)
        for value in change.values {
            body.write(value.property)
            body.write(value.value)
        }
        body.writeArrayHeader(change.lists.count)
        for list in change.lists {
            body.writeArrayHeader(3)
            body.write(list.property)
            body.writeArrayHeader(list.vacated.count)
            for slot in list.vacated {
                body.writeArrayHeader(3)
                write(slot)
            }
            body.writeArrayHeader(list.placed.count)
            for placed in list.placed {
                write(placed.content, extraFields: 1)
                if let predecessor = placed.predecessor {
                    body.writeArrayHeader(3)
                    write(predecessor)
                } else {
                    body.writeNull()
                }
            }
        }
        guard !change.entries.isEmpty else { return }
        body.writeArrayHeader(change.entries.count)
        for entries in change.entries { write(entries) }
    }

    private mutating func write(_ entries: EntriesChange) {
        body.writeArrayHeader(3)
        body.write(entries.property)
        let gone = entries.changes.filter { $0.value == nil }
        body.writeArrayHeader(gone.count)
        for change in gone { body.write(change.entry) }
        body.writeArrayHeader((entries.changes.count - gone.count) * 2)
        for change in entries.changes {
            guard let value = change.value else { continue }
            body.write(change.entry)
            body.write(value)
        }
    }

    /// `[replica, sequence, ordinal, element, value]`: null where the element was never moved,
    /// which is nearly always.
    private mutating func write(_ content: SlotContent, extraFields: Int) {
        body.writeArrayHeader(5 + extraFields)
        write(content.slot)
        if content.element.firstSlot == content.slot {
            body.writeNull()
        } else {
            body.writeArrayHeader(3)
            write(content.element.firstSlot)
        }
        body.write(content.value)
    }

    private mutating func write(_ slot: SlotID) {
        write(slot.transaction)
        body.write(UInt64(slot.ordinal))
    }

    private mutating func write(_ transaction: TransactionID) {
        if let index = replicas[transaction.replica] {
            body.write(index)
        } else {
            replicas[transaction.replica] = replicaList.count
            body.write(replicaList.count)
            replicaList.append(transaction.replica)
        }
        body.write(transaction.sequence)
    }
}

extension ViewDelta {
    /// Before a list among an arrival's contents, where an array without it is a date: the first
    /// number of the range that RFC 8949 leaves to "first come first served".
    static let listTag: UInt64 = 32768
    /// Before the entries of a set or map.
    static let entriesTag: UInt64 = 32770
}
