import TarnCBOR
import TarnModel
import TarnTesting
import Testing

struct EffectCodingTests {
    private let own = TransactionID(replica: ReplicaID(1), sequence: 5)

    private static func effects(_ seed: UInt64) -> [Effect] {
        var random = SeededGenerator(seed: seed)
        return (0..<Int.random(in: 0...20, using: &random)).map { _ in effect(&random) }
    }

    private static func effect(_ random: inout SeededGenerator) -> Effect {
        let className = ["A", "Project", "Task"].randomElement(using: &random)!
        let key: PrimaryKey =
            [.int(.min), .string("é\0"), .uuid(UUIDValue(high: 1, low: .max))]
            .randomElement(using: &random)!
        let property = ["p", "A", "q"].randomElement(using: &random)!
        let list = ListEffect(className: className, key: key, property: property)
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            return .putClass(
                ClassSchema(
                    className, primaryKey: PropertySchema("_id", .int),
                    properties: [
                        PropertySchema("p", .link("B")), .list("q", of: .date),
                        .set("s", of: .data), .map("m", of: .link("B"), isOwning: true),
                        PropertySchema("u", .string, isOptional: true, isUnique: true),
                        PropertySchema("r", .string, isOptional: true, default: .string("x")),
                    ]))
        case 1:
            let values = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                InitialValue(property, value(&random), isDefault: .random(using: &random))
            }
            return .create(
                className: className, key: key, life: transaction(&random), values: values)
        case 2: return .alias(transaction(&random), className: className, key: key)
        case 3:
            return .set(
                className: className, key: key, property: property, value: value(&random),
                isDefault: .random(using: &random))
        case 4: return .unlink(className: className, key: key, property: property)
        case 5: return .delete(className: className, key: key)
        case 6: return .place(list, slot: placed(&random))
        case 7: return .vacate(list, slot: slot(&random))
        case 8:
            return .increment(
                className: className, key: key, property: property,
                by: [.min, -1, .max].randomElement(using: &random)!)
        case 9: return .setEntry(list, entry: value(&random), value: value(&random))
        case 10: return .removeEntry(list, entry: value(&random))
        default: return .unlinkEntry(list, entry: value(&random))
        }
    }

    private static func placed(_ random: inout SeededGenerator) -> PlacedElement {
        let new = slot(&random)
        let after = Bool.random(using: &random) ? slot(&random) : nil
        let before = Bool.random(using: &random) ? slot(&random) : nil
        let isMoved = Bool.random(using: &random)
        return PlacedElement(
            slot: new, element: ElementID(insertedIn: isMoved ? slot(&random) : new),
            place: ListPlace(after: after, before: before),
            predecessor: [after, nil, slot(&random)].randomElement(using: &random)!,
            value: value(&random))
    }

    private static func transaction(_ random: inout SeededGenerator) -> TransactionID {
        TransactionID(
            replica: ReplicaID(.random(in: 1...2, using: &random)),
            sequence: .random(in: 4...6, using: &random))
    }

    private static func slot(_ random: inout SeededGenerator) -> SlotID {
        SlotID(
            transaction: transaction(&random),
            ordinal: [0, 1, .max].randomElement(using: &random)!)
    }

    private static func value(_ random: inout SeededGenerator) -> Value {
        [
            .null, .bool(true), .int(-7), .string("s"), .uuid(UUIDValue(high: 3, low: 4)),
            .date(Timestamp(milliseconds: -1)),
            .link(Link(key: .string("k"), life: nil)), .double(-0.0), .double(.nan),
            .data([0, 255]),
        ].randomElement(using: &random)!
    }

    private func encoded(_ effects: [Effect]) -> [UInt8] {
        var writer = CBORWriter()
        writer.write(effects, of: own)
        return writer.bytes
    }

    @Test(arguments: [UInt64](1...200))
    func `effects come back as they were written`(seed: UInt64) throws {
        let effects = Self.effects(seed)

        var reader = CBORReader(encoded(effects))

        #expect(try reader.readEffects(of: own) == effects)
        #expect(reader.isAtEnd)
    }

    @Test(arguments: [UInt64](1...100))
    func `changed bytes are read or refused, and never trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = encoded(Self.effects(seed))
        for _ in 0..<100 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] =
                    UInt8(truncatingIfNeeded: random.next())
            }
            if Bool.random(using: &random) {
                changed.removeLast(Int.random(in: 0..<changed.count, using: &random))
            }
            var reader = CBORReader(changed)
            guard let effects = try? reader.readEffects(of: own) else { continue }
            // What is read can be written and read again.
            var again = CBORReader(encoded(effects))
            #expect((try? again.readEffects(of: own)) == effects)
        }
    }

    @Test func `names and the own transaction take little room`() {
        let slots = (0..<100).map { SlotID(transaction: own, ordinal: $0) }
        let effects: [Effect] = slots.map { slot in
            .vacate(ListEffect(className: "Project", key: .int(1), property: "tasks"), slot: slot)
        }

        #expect(encoded(effects).count < 800)
    }
}
