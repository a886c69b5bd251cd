import TarnModel
import TarnTesting

/// Transactions with every kind of change, that no schema holds together.
struct RandomTransaction {
    var generator: SeededGenerator
    private var id = TransactionID(replica: ReplicaID(1), sequence: 1)
    private var ordinal: UInt32 = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func transaction() -> Transaction {
        id = TransactionID(replica: replica(), sequence: generator.next() | 1)
        ordinal = 0
        let base = ResumePoint(version: Version(generator.next()), salt: Salt(generator.next()))
        let count = below(12)
        return Transaction(id: id, base: base, changes: (0..<count).map { _ in change() })
    }

    private mutating func change() -> Change {
        switch below(11) {
        case 0: return .addClass(classSchema())
        case 1:
            let values = (0..<below(4)).map { _ in
                InitialValue(name(), value(), isDefault: below(2) == 0)
            }
            return .create(className: name(), key: key(), values: values)
        case 2: return .set(object(), property: name(), value: value())
        case 3: return .delete(object())
        case 4:
            let (object, property) = (object(), name())
            return .insert(
                object, property: property, slot: nextSlot(), place: place(), value: value())
        case 5:
            let (object, property, element) = (object(), name(), element())
            return .move(
                object, property: property, element: element, slot: nextSlot(), place: place())
        case 6: return .remove(object(), property: name(), element: element())
        case 7:
            let (object, property) = (object(), name())
            return .increment(object, property: property, by: [.min, -1, 0, .max][below(4)])
        case 8:
            let (object, property, entry) = (object(), name(), value())
            return .setEntry(object, property: property, entry: entry, value: value())
        case 9: return .removeEntry(object(), property: name(), entry: value())
        default: return .deleteOwned(object())
        }
    }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }

    private mutating func name() -> String { ["Item", "Project", "body", "", "é", "x"][below(6)] }

    private mutating func replica() -> ReplicaID {
        ReplicaID([0, 1, .max, generator.next()][below(4)])
    }

    /// This transaction, one of the same replica, or any.
    private mutating func transactionID() -> TransactionID {
        switch below(3) {
        case 0: id
        case 1: TransactionID(replica: id.replica, sequence: generator.next() | 1)
        default: TransactionID(replica: replica(), sequence: generator.next() | 1)
        }
    }

    private mutating func slot() -> SlotID {
        SlotID(
            transaction: transactionID(), ordinal: .random(in: 0...UInt32.max, using: &generator))
    }

    private mutating func nextSlot() -> SlotID {
        defer { ordinal += 1 }
        return SlotID(transaction: id, ordinal: ordinal)
    }

    private mutating func element() -> ElementID { ElementID(insertedIn: slot()) }

    private mutating func place() -> ListPlace {
        ListPlace(after: below(2) == 0 ? nil : slot(), before: below(2) == 0 ? nil : slot())
    }

    private mutating func object() -> ObjectName {
        ObjectName(name(), key(), life: transactionID())
    }

    private mutating func key() -> PrimaryKey {
        switch below(3) {
        case 0: .int([.min, -1, 0, .max][below(4)])
        case 1: .string(Text(name()))
        default: .uuid(UUIDValue(high: generator.next(), low: generator.next()))
        }
    }

    private mutating func value() -> Value {
        switch below(8) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2:
            let seconds: Int64 = [.min, -1, 0, .max][below(4)]
            let nanoseconds = Int32.random(in: 0...999_999_999, using: &generator)
            return Timestamp(seconds: seconds, nanoseconds: nanoseconds).map(Value.date) ?? .null
        case 3:
            let life = below(2) == 0 ? nil : transactionID()
            return .link(Link(key: key(), life: life))
        case 4:
            return .double(
                Real(bits: [0, 1 << 63, 0x7FF8_0000_0000_0001, generator.next()][below(4)]))
        case 5:
            return .data((0..<below(20)).map { _ in UInt8.random(in: 0...255, using: &generator) })
        default: return Value(key())
        }
    }

    private mutating func classSchema() -> ClassSchema {
        let properties = (0..<below(4)).map { _ in property() }
        return ClassSchema(
            name(), primaryKey: property(), properties: properties, isEmbedded: below(3) == 0)
    }

    private mutating func property() -> PropertySchema {
        let types: [ValueType] = [
            .bool, .int, .string, .uuid, .date, .double, .data, .link(name()),
        ]
        let kinds: [PropertyKind] = [.value, .list, .set, .map]
        let value = value()
        return PropertySchema(
            name(), types[below(8)], kinds[below(4)], isOptional: below(2) == 0,
            isUnique: below(2) == 0, isOwning: below(2) == 0,
            default: value == .null ? nil : value)
    }
}
