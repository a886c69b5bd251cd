import TarnModel
import Testing

/// One row of the matrix in docs/merge-rules.md: what is there, what comes, and what becomes of it.
struct MergeRow: Sendable, CustomTestStringConvertible {
    /// How what comes stands to what is there.
    enum Coming: String, Sendable {
        /// It did not know of it, and was written before or after: that makes no difference.
        case either
        /// It did not know of it, and was written after it.
        case later
        /// It did not know of it, and was written before it.
        case earlier
        /// Its author knew of it.
        case seen
    }

    /// What stands if the two are committed the other way round.
    enum Order: String, Sendable {
        /// The same.
        case same
        /// Something else: whoever is committed first wins.
        case first
        /// That cannot be: one had seen the other.
        case none = "–"
    }

    let there: String
    let comes: String
    let coming: Coming
    /// All objects with what they hold, as `RealmSketch` shows them.
    let stands: String
    /// Of the transaction that comes: accepted, the reasons of its overrides, or why it is refused.
    let receipt: String
    let order: Order
    /// Who made the change that an override names, if that can be told.
    let winner: String?
    let before: [Change]
    let first: [Change]
    let second: [Change]

    init(
        _ there: String, _ comes: String, _ coming: Coming, stands: String,
        receipt: String = "accepted", order: Order? = nil, winner: String? = "alice",
        before: [Change] = [], _ first: [Change], _ second: [Change]
    ) {
        self.there = there
        self.comes = comes
        self.coming = coming
        self.stands = stands
        self.receipt = receipt
        self.order = order ?? (coming == .seen ? .none : .same)
        self.winner = winner
        self.before = before
        self.first = first
        self.second = second
    }

    /// As the page writes it, but for what stands, which it says in words.
    var cells: [String] { [there, comes, coming.rawValue, receipt, order.rawValue] }

    var testDescription: String { "\(there) | \(comes) | \(coming.rawValue)" }
}

/// The classes and names that the rows speak of. Things "x" and "y" are always there.
enum Matrix {
    /// Which made all that was there before.
    static let born = TransactionID(replica: ReplicaID(1), sequence: 1)
    static let there = TransactionID(replica: ReplicaID(1), sequence: 2)
    static let comes = TransactionID(replica: ReplicaID(2), sequence: 1)

    static let partClass = ClassSchema(
        "Part", primaryKey: PropertySchema("partId", .string),
        properties: [PropertySchema("label", .string)], isEmbedded: true)
    static let thingClass = ClassSchema(
        "Thing", primaryKey: PropertySchema("thingId", .string),
        properties: [
            PropertySchema("text", .string), PropertySchema("count", .int),
            PropertySchema("some", .int, isOptional: true),
            PropertySchema("slug", .string, isOptional: true, isUnique: true),
            PropertySchema("friend", .link("Thing")), .list("words", of: .string),
            .list("friends", of: .link("Thing")), .set("tags", of: .string),
            .set("fans", of: .link("Thing")), .map("scores", of: .int),
            .map("links", of: .link("Thing")), PropertySchema("part", .link("Part")),
            .list("parts", of: .link("Part")), .map("places", of: .link("Part")),
            PropertySchema("child", .link("Thing"), isOwning: true),
            .list("children", of: .link("Thing"), isOwning: true),
            .set("kin", of: .link("Thing"), isOwning: true),
            .map("heirs", of: .link("Thing"), isOwning: true),
        ])

    static let rows = [
        existence, values, increments, lists, sets, maps, parts, uniques, owned, schemas,
    ].flatMap { $0 }
}

// Changes in as few words as the page has for them.

func object(_ key: String, _ life: TransactionID = Matrix.born) -> ObjectName {
    ObjectName("Thing", .string(Text(key)), life: life)
}

func part(_ key: String, _ life: TransactionID = Matrix.born) -> ObjectName {
    ObjectName("Part", .string(Text(key)), life: life)
}

func create(_ key: String, _ values: InitialValue...) -> Change {
    .create(className: "Thing", key: .string(Text(key)), values: values)
}

func createPart(_ key: String) -> Change {
    .create(className: "Part", key: .string(Text(key)), values: [])
}

func said(_ property: String, _ value: Value, byDefault: Bool = false) -> InitialValue {
    InitialValue(property, value, isDefault: byDefault)
}

func set(_ key: String, _ property: String, _ value: Value) -> Change {
    .set(object(key), property: property, value: value)
}

func link(_ key: String, _ life: TransactionID = Matrix.born) -> Value {
    .link(Link(key: .string(Text(key)), life: life))
}

func delete(_ key: String) -> Change { .delete(object(key)) }

func increment(_ key: String, _ property: String, _ amount: Int64) -> Change {
    .increment(object(key), property: property, by: amount)
}

func insert(
    _ value: Value, into key: String, _ property: String, _ slot: SlotID, after: SlotID? = nil,
    before: SlotID? = nil
) -> Change {
    .insert(
        object(key), property: property, slot: slot,
        place: ListPlace(after: after, before: before), value: value)
}

func move(
    _ element: UInt32, of key: String, _ property: String, _ slot: SlotID, after: SlotID? = nil,
    before: SlotID? = nil
) -> Change {
    .move(
        object(key), property: property, element: Matrix.born.element(element), slot: slot,
        place: ListPlace(after: after, before: before))
}

func remove(_ element: UInt32, of key: String, _ property: String) -> Change {
    .remove(object(key), property: property, element: Matrix.born.element(element))
}

func put(_ entry: Value, into key: String, _ property: String) -> Change {
    .setEntry(object(key), property: property, entry: entry, value: .bool(true))
}

func put(_ value: Value, under entry: Text, of key: String, _ property: String) -> Change {
    .setEntry(object(key), property: property, entry: .string(entry), value: value)
}

func take(_ entry: Value, from key: String, _ property: String) -> Change {
    .removeEntry(object(key), property: property, entry: entry)
}
