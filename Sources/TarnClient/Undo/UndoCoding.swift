import TarnCBOR
import TarnModel

/// The stored form of what it takes to set a transaction back: `[1, [step, ...]]`, each step
/// `[kind, class, key, ...]`.
enum UndoCoding {
    private static let format: UInt64 = 1

    static func encode(_ steps: [UndoStep]) -> [UInt8] {
        var writer = CBORWriter()
        writer.writeArrayHeader(2)
        writer.write(format)
        writer.writeArrayHeader(steps.count)
        for step in steps { write(step, to: &writer) }
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws(ReplicaError) -> [UndoStep] {
        do throws(CBORError) {
            var reader = CBORReader(bytes)
            try reader.expectArray(2)
            let start = reader.offset
            guard try reader.readUInt64() == format else { throw CBORError(.malformed, at: start) }
            var steps: [UndoStep] = []
            for _ in 0..<(try reader.readArrayHeader()) { steps.append(try readStep(&reader)) }
            try reader.expectEnd()
            return steps
        } catch {
            throw ReplicaError(.misfit, "what is kept for undoing cannot be read: \(error)")
        }
    }

    private static func write(_ step: UndoStep, to writer: inout CBORWriter) {
        func begin(_ kind: UInt64, _ fields: Int, _ property: String? = nil) {
            writer.writeArrayHeader(fields + 3 + (property == nil ? 0 : 1))
            writer.write(kind)
            write(step.object, to: &writer)
            if let property { writer.write(property) }
        }
        switch step {
        case .created(_, let after):
            begin(1, 1)
            write(after, to: &writer)
        case .deleted(_, let before, let places):
            begin(2, 2)
            write(before, to: &writer)
            writer.writeArrayHeader(places.count)
            for place in places { write(place, to: &writer) }
        case .set(_, let property, let before, let after):
            begin(3, 2, property)
            writer.write(before)
            writer.write(after)
        case .added(_, let property, let amount):
            begin(4, 1, property)
            writer.write(amount)
        case .inserted(_, let property, let element):
            begin(5, 2, property)
            write(element.firstSlot, to: &writer)
        case .moved(_, let property, let element, let index, let slot):
            begin(6, 5, property)
            write(element.firstSlot, to: &writer)
            writer.write(index)
            write(slot, to: &writer)
        case .removed(_, let property, let removed, let index):
            begin(7, 4, property)
            write(removed, to: &writer)
            writer.write(index)
        case .entry(_, let property, let entry, let before, let after):
            begin(8, 3, property)
            writer.write(entry)
            write(before, to: &writer)
            write(after, to: &writer)
        }
    }

    private static func readStep(_ reader: inout CBORReader) throws(CBORError) -> UndoStep {
        let start = reader.offset
        _ = try reader.readArrayHeader()
        let kind = try reader.readUInt64()
        let object = try readReference(&reader)
        switch kind {
        case 1: return .created(object, after: try readPicture(&reader))
        case 2:
            let before = try readPicture(&reader)
            var places: [HeldPlace] = []
            for _ in 0..<(try reader.readArrayHeader()) { places.append(try readPlace(&reader)) }
            return .deleted(object, before: before, places: places)
        default: break
        }
        let property = try reader.readText()
        switch kind {
        case 3:
            let before = try reader.readValue()
            return .set(object, property: property, before: before, after: try reader.readValue())
        case 4: return .added(object, property: property, amount: try reader.readInt64())
        case 5:
            return .inserted(
                object, property: property, ElementID(insertedIn: try readSlot(&reader)))
        case 6:
            let element = ElementID(insertedIn: try readSlot(&reader))
            let index = try reader.readInt()
            return .moved(
                object, property: property, element, from: index, to: try readSlot(&reader))
        case 7:
            let removed = try readElement(&reader)
            return .removed(object, property: property, removed, at: try reader.readInt())
        case 8:
            let entry = try reader.readValue()
            let before = try readOptional(&reader)
            return .entry(
                object, property: property, entry, before: before,
                after: try readOptional(&reader))
        default: throw CBORError(.malformed, at: start)
        }
    }

    // MARK: Parts

    private static func write(_ object: ObjectReference, to writer: inout CBORWriter) {
        writer.write(object.className)
        writer.write(object.key)
    }

    private static func readReference(
        _ reader: inout CBORReader
    ) throws(CBORError) -> ObjectReference {
        let className = try reader.readText()
        return ObjectReference(className: className, key: try reader.readKey())
    }

    /// An array of one, or of none: null is a value.
    private static func write(_ value: Value?, to writer: inout CBORWriter) {
        writer.writeArrayHeader(value == nil ? 0 : 1)
        if let value { writer.write(value) }
    }

    private static func readOptional(_ reader: inout CBORReader) throws(CBORError) -> Value? {
        try reader.readArrayHeader() == 0 ? nil : try reader.readValue()
    }

    private static func write(_ slot: SlotID, to writer: inout CBORWriter) {
        writer.write(slot.transaction)
        writer.write(UInt64(slot.ordinal))
    }

    private static func readSlot(_ reader: inout CBORReader) throws(CBORError) -> SlotID {
        let transaction = try reader.readTransactionID()
        return SlotID(transaction: transaction, ordinal: try reader.readUInt32())
    }

    private static func write(_ element: UndoElement, to writer: inout CBORWriter) {
        write(element.element.firstSlot, to: &writer)
        writer.write(element.value)
    }

    private static func readElement(_ reader: inout CBORReader) throws(CBORError) -> UndoElement {
        let element = ElementID(insertedIn: try readSlot(&reader))
        return UndoElement(element: element, value: try reader.readValue())
    }

    private static func write(_ picture: UndoPicture, to writer: inout CBORWriter) {
        writer.writeArrayHeader(3)
        writer.writeArrayHeader(picture.values.count * 2)
        for (name, value) in picture.values.sorted(by: { $0.key < $1.key }) {
            writer.write(name)
            writer.write(value)
        }
        writer.writeArrayHeader(picture.lists.count * 2)
        for (name, values) in picture.lists.sorted(by: { $0.key < $1.key }) {
            writer.write(name)
            writer.writeArrayHeader(values.count * 3)
            for value in values { write(value, to: &writer) }
        }
        writer.writeArrayHeader(picture.entries.count * 2)
        for (name, entries) in picture.entries.sorted(by: { $0.key < $1.key }) {
            writer.write(name)
            writer.writeArrayHeader(entries.count)
            for entry in entries { write(entry, to: &writer) }
        }
    }

    private static func readPicture(_ reader: inout CBORReader) throws(CBORError) -> UndoPicture {
        try reader.expectArray(3)
        var picture = UndoPicture()
        for _ in 0..<(try reader.readArrayHeader() / 2) {
            let name = try reader.readText()
            picture.values[name] = try reader.readValue()
        }
        for _ in 0..<(try reader.readArrayHeader() / 2) {
            let name = try reader.readText()
            var elements: [UndoElement] = []
            for _ in 0..<(try reader.readArrayHeader() / 3) {
                elements.append(try readElement(&reader))
            }
            picture.lists[name] = elements
        }
        for _ in 0..<(try reader.readArrayHeader() / 2) {
            let name = try reader.readText()
            var entries: [Entry] = []
            for _ in 0..<(try reader.readArrayHeader()) { entries.append(try readEntry(&reader)) }
            picture.entries[name] = entries
        }
        return picture
    }

    private static func write(_ entry: Entry, to writer: inout CBORWriter) {
        writer.writeArrayHeader(2)
        writer.write(entry.entry)
        writer.write(entry.value)
    }

    private static func readEntry(_ reader: inout CBORReader) throws(CBORError) -> Entry {
        try reader.expectArray(2)
        let entry = try reader.readValue()
        return Entry(entry: entry, value: try reader.readValue())
    }

    private static func write(_ place: HeldPlace, to writer: inout CBORWriter) {
        writer.writeArrayHeader(5)
        write(place.holder, to: &writer)
        writer.write(place.property)
        if let element = place.element {
            writer.writeArrayHeader(3)
            write(element.element.firstSlot, to: &writer)
            writer.write(element.index)
        } else {
            writer.writeNull()
        }
        if let entry = place.entry { write(entry, to: &writer) } else { writer.writeNull() }
    }

    private static func readPlace(_ reader: inout CBORReader) throws(CBORError) -> HeldPlace {
        try reader.expectArray(5)
        let holder = try readReference(&reader)
        let property = try reader.readText()
        var element: HeldPlace.PlacedElement?
        if try !reader.skipNull() {
            try reader.expectArray(3)
            let slot = try readSlot(&reader)
            element = .init(element: ElementID(insertedIn: slot), index: try reader.readInt())
        }
        let entry: Entry? = try reader.skipNull() ? nil : try readEntry(&reader)
        return HeldPlace(holder: holder, property: property, element: element, entry: entry)
    }
}
