import TarnModel
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// A realm's file is bounded by what lives in it, whatever went before.
struct RealmFileSizeTests {
    private static let keys = Int64(0)..<400
    private static let elements = 5
    private let folder = TemporaryFolder()
    private var next: UInt64 = 1

    private mutating func commit(
        to store: any RealmStore, _ effects: (TransactionID) throws -> [Effect]
    ) throws {
        let id = transaction(alice, next)
        try store.begin()
        try store.append(point(next), origin: origin(id, ticks: 1_000 * next))
        for effect in try effects(id) { try store.apply(effect) }
        try store.commit()
        next += 1
    }

    private static func place(_ key: Int64, _ slot: SlotID) -> Effect {
        .place(
            ListEffect(className: "counter", key: .int(key), property: "history"),
            slot: PlacedElement(
                slot: slot, element: ElementID(insertedIn: slot),
                place: ListPlace(after: nil, before: nil), predecessor: nil,
                value: .int(Int64(slot.ordinal))))
    }

    /// The keys, each with a list that is full.
    private static func creation(_ keys: some Sequence<Int64>, _ id: TransactionID) -> [Effect] {
        keys.flatMap { key -> [Effect] in
            [.create(className: "counter", key: .int(key), life: id, values: [])]
                + (0..<elements).map {
                    place(key, slot(id, UInt32(Int(key) * elements + $0)))
                }
        }
    }

    /// Pages of the file that hold something, by its header.
    private func usedPages(_ path: String) throws -> Int {
        let header = try CrashedFile.read(path).prefix(40)
        func number(at offset: Int) -> Int {
            header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return number(at: 28) - number(at: 36)
    }

    @Test mutating func `a file after a long past is at most twice as large as a fresh one`() throws
    {
        let fresh = try SQLiteRealmStore(path: folder.file("fresh.db"))
        try commit(to: fresh) { [.putClass(RealmSchemas.counter)] + Self.creation(Self.keys, $0) }
        try fresh.checkpoint()
        fresh.close()

        next = 1
        let old = try SQLiteRealmStore(path: folder.file("old.db"))
        try commit(to: old) { [.putClass(RealmSchemas.counter)] + Self.creation(Self.keys, $0) }
        var random = SeededGenerator(seed: 4)
        for _ in 0..<1_500 {
            let some = (0..<8).map { _ in Int64.random(in: Self.keys, using: &random) }
            try commit(to: old) { id in
                try Set(some).sorted().flatMap { key -> [Effect] in
                    if Bool.random(using: &random) {
                        return [.delete(className: "counter", key: .int(key))]
                            + Self.creation([key], id)
                    }
                    let object = try old.object(.int(key), in: 0)
                    let list = ListID(object: try #require(object), property: 1)
                    let live = try old.liveElements(in: list)
                    let place = ListEffect(
                        className: "counter", key: .int(key), property: "history")
                    return [
                        .set(
                            className: "counter", key: .int(key), property: "value",
                            value: .int(.random(in: 0...99, using: &random)), isDefault: false),
                        .vacate(place, slot: live[0].slot), Self.place(key, slot(id, UInt32(key))),
                    ]
                }
            }
            try old.begin()
            let applied = old.applied.version.number
            try old.advanceFloor(to: Version(applied - min(applied, 100)))
            _ = try old.prune(limit: 128)
            try old.commit()
        }
        try old.begin()
        try old.advanceFloor(to: old.applied.version)
        while try old.prune(limit: 128) {}
        try old.commit()
        try old.checkpoint()
        old.close()

        let (freshPages, oldPages) = (
            try usedPages(folder.file("fresh.db")), try usedPages(folder.file("old.db"))
        )
        #expect(oldPages <= 2 * freshPages, "\(oldPages) against \(freshPages)")
    }
}
