import TarnModel
import TarnProtocol
import TarnTesting

/// Values and identities of every form, with their extremes.
struct RandomForms {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    mutating func flag() -> Bool { below(2) == 0 }

    mutating func list<Element>(
        upTo count: Int, _ make: (inout RandomForms) -> Element
    ) -> [Element] {
        (0..<below(count + 1)).map { _ in make(&self) }
    }

    mutating func unsigned() -> UInt64 {
        [0, 23, 24, 255, 256, 65_536, 1 << 32, .max, generator.next()][below(9)]
    }

    mutating func signed() -> Int64 {
        [0, -1, .min, .max, Int64(truncatingIfNeeded: generator.next())][below(5)]
    }

    mutating func text() -> String {
        ["", "x", "é", "e\u{301}", "\u{0}", "😀", String(repeating: "long ", count: 60)][below(7)]
    }

    mutating func uuid() -> UUIDValue { UUIDValue(high: unsigned(), low: generator.next()) }

    mutating func key() -> PrimaryKey {
        switch below(3) {
        case 0: .int(signed())
        case 1: .string(Text(text()))
        default: .uuid(uuid())
        }
    }

    mutating func value() -> Value {
        switch below(9) {
        case 0: return .null
        case 1: return .bool(flag())
        case 2: return .date(date())
        case 3: return .double(Real(bits: double()))
        case 4: return .data(generator.bytes([0, 1, 16, 23, 24, 300][below(6)]))
        case 5: return .link(Link(key: key(), life: flag() ? transaction() : nil))
        default: return Value(key())
        }
    }

    private mutating func date() -> Timestamp {
        let nanoseconds: Int32 = [0, 1, 999_999_999][below(3)]
        return Timestamp(seconds: signed(), nanoseconds: nanoseconds)!
    }

    /// Zeros, NaNs and infinities of all sorts, and any number.
    private mutating func double() -> UInt64 {
        let payload = generator.next() >> UInt64(12 + below(52))
        return [0, 1 << 63, 0x7FF << 52, 0xFFF << 52, 0x7FF << 52 | payload, generator.next()][
            below(6)]
    }

    mutating func replica() -> ReplicaID { ReplicaID(unsigned()) }

    mutating func transaction() -> TransactionID {
        TransactionID(replica: replica(), sequence: unsigned() | 1)
    }

    mutating func slot() -> SlotID {
        SlotID(transaction: transaction(), ordinal: UInt32(truncatingIfNeeded: unsigned()))
    }

    mutating func point() -> ResumePoint {
        ResumePoint(version: Version(unsigned()), salt: Salt(unsigned()))
    }

    mutating func hash() -> ChainHash { ChainHash(prefixOf: generator.bytes(16))! }

    mutating func classSchema() -> ClassSchema {
        ClassSchema(
            text(), primaryKey: PropertySchema("id", .uuid),
            properties: list(upTo: 3) { $0.property() }, isEmbedded: flag())
    }

    private mutating func property() -> PropertySchema {
        let types: [ValueType] = [
            .bool, .int, .string, .uuid, .date, .double, .data, .link("Item"),
        ]
        let kinds: [PropertyKind] = [.value, .list, .set, .map]
        let standard = value()
        return PropertySchema(
            text(), types[below(8)], kinds[below(4)], isOptional: flag(), isUnique: flag(),
            isOwning: flag(), default: flag() || standard == .null ? nil : standard)
    }
}
