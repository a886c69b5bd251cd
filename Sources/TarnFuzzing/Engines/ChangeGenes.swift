import TarnModel

/// Makes changes of an input's bytes: mostly such as an author could have written, about objects
/// and slots that were there once.
struct ChangeGenes {
    /// The life that each key had last.
    private(set) var lives: [ObjectName.Place: TransactionID] = [:]
    private(set) var slots: [SlotID] = []

    /// The changes of one transaction.
    mutating func changes(of id: TransactionID, from input: inout FuzzInput) -> [Change] {
        var nextOrdinal: UInt32 = 0
        return (0...input.choice(4)).map { _ in change(of: id, &nextOrdinal, from: &input) }
    }

    private mutating func change(
        of id: TransactionID, _ nextOrdinal: inout UInt32, from input: inout FuzzInput
    ) -> Change {
        switch input.choice(14) {
        case 0, 1, 2: return create(in: id, from: &input)
        case 3, 4:
            let object = name(id, from: &input)
            return .set(
                object, property: property(of: object.className, from: &input),
                value: value(id, from: &input))
        case 5: return .delete(name(id, from: &input))
        case 6:
            let object = name(id, from: &input)
            let list = list(of: object.className, from: &input)
            let place = place(from: &input)
            return .insert(
                object, property: list, slot: claim(id, &nextOrdinal), place: place,
                value: value(id, from: &input))
        case 7:
            let object = name(id, from: &input)
            let list = list(of: object.className, from: &input)
            let (element, place) = (slot(from: &input), place(from: &input))
            return .move(
                object, property: list,
                element: ElementID(insertedIn: element ?? SlotID(transaction: id, ordinal: 0)),
                slot: claim(id, &nextOrdinal), place: place)
        case 8:
            let object = name(id, from: &input)
            let element = slot(from: &input) ?? SlotID(transaction: id, ordinal: 9)
            return .remove(
                object, property: list(of: object.className, from: &input),
                element: ElementID(insertedIn: element))
        case 10:
            let object = name(id, from: &input)
            return .increment(
                object, property: property(of: object.className, from: &input),
                by: Int64(Int8(bitPattern: input.byte())))
        case 11:
            let object = name(id, from: &input)
            let value = value(id, from: &input)
            return input.byte() & 1 == 0
                ? .setEntry(object, property: "marks", entry: value, value: .bool(true))
                : .setEntry(object, property: "parts", entry: .string("a"), value: value)
        case 12:
            let object = name(id, from: &input)
            return .removeEntry(
                object, property: input.byte() & 1 == 0 ? "marks" : "parts",
                entry: value(id, from: &input))
        case 13: return .deleteOwned(name(id, from: &input))
        default:
            return .addClass(
                [FuzzSchema.grownItem, FuzzSchema.item, FuzzSchema.project][input.choice(3)])
        }
    }

    private mutating func create(in id: TransactionID, from input: inout FuzzInput) -> Change {
        let place = place(ofObject: input.byte())
        lives[place] = id
        var values: [InitialValue] = []
        for _ in 0..<input.choice(4) {
            let property = property(of: place.className, from: &input)
            let value = value(id, from: &input)
            values.append(
                InitialValue(property, value, isDefault: input.byte() & 1 == 1))
        }
        return .create(className: place.className, key: place.key, values: values)
    }

    /// Few keys, so that the same ones come again.
    private func place(ofObject byte: UInt8) -> ObjectName.Place {
        let number = Int64(byte >> 2 & 7)
        return byte & 1 == 0
            ? ObjectName.Place(className: "Project", key: .string(Text("p\(number)")))
            : ObjectName.Place(className: "Item", key: .int(number))
    }

    private func name(_ id: TransactionID, from input: inout FuzzInput) -> ObjectName {
        let byte = input.byte()
        let place = place(ofObject: byte)
        let life = byte & 0xC0 == 0xC0 ? id : lives[place] ?? id
        return ObjectName(place.className, place.key, life: life)
    }

    private func property(of className: String, from input: inout FuzzInput) -> String {
        let names = FuzzSchema.classes.first { $0.name == className }?.properties.map(\.name) ?? []
        return (names + ["note", "nothing"])[input.choice(names.count + 2)]
    }

    private func list(of className: String, from input: inout FuzzInput) -> String {
        let byte = input.byte()
        guard byte < 240 else { return "rank" }
        return className == "Project" ? "items" : "tags"
    }

    private mutating func claim(_ id: TransactionID, _ next: inout UInt32) -> SlotID {
        defer { next += 1 }
        let slot = SlotID(transaction: id, ordinal: next)
        slots.append(slot)
        return slot
    }

    private func slot(from input: inout FuzzInput) -> SlotID? {
        let index = Int(input.byte())
        return index < slots.count ? slots[index] : nil
    }

    private func place(from input: inout FuzzInput) -> ListPlace {
        let after = slot(from: &input)
        return ListPlace(after: after, before: slot(from: &input))
    }

    private func value(_ id: TransactionID, from input: inout FuzzInput) -> Value {
        switch input.choice(10) {
        case 0: return .null
        case 1: return .bool(input.byte() & 1 == 1)
        case 2: return .int(Int64(Int8(bitPattern: input.byte())))
        case 3: return .string(String(UnicodeScalar(input.byte())))
        case 4: return .uuid(UUIDValue(high: 1, low: UInt64(input.byte())))
        case 5: return .date(Timestamp(milliseconds: Int64(input.byte())))
        case 8: return .double(Real(bits: UInt64(input.byte()) << 56))
        case 9: return .data([input.byte()])
        default:
            let name = name(id, from: &input)
            return .link(Link(key: name.key, life: name.life))
        }
    }
}

extension ObjectName {
    /// A class and a key in it.
    struct Place: Hashable {
        let className: String
        let key: PrimaryKey
    }
}
