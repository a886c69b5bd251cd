import TarnModel
import TarnQuery
import TarnStorage
import TarnTesting
import Testing

/// What every realm store promises, sentence by sentence. `RealmStoreAgreementTests` compares them
/// in everything else.
struct RealmStoreTests {
    private let folder = TemporaryFolder()
    private let list = ListEffect(className: "counter", key: .int(1), property: "history")

    /// A realm with one counter, at version 1.
    private func store(_ kind: StoreKind) throws -> any RealmStore {
        let store = try kind.realmStore(in: folder)
        try commit(
            1, to: store,
            [
                .putClass(RealmSchemas.counter), .putClass(RealmSchemas.project),
                .create(
                    className: "counter", key: .int(1), life: transaction(alice, 1), values: []),
            ])
        return store
    }

    private func commit(
        _ version: UInt64, to store: any RealmStore, ticks: UInt64 = 5, _ effects: [Effect]
    ) throws {
        try store.begin()
        try store.append(
            point(version), origin: origin(transaction(alice, version), ticks: ticks))
        for effect in effects { try store.apply(effect) }
        try store.commit()
    }

    private func place(_ new: SlotID, behind predecessor: SlotID?, _ value: Int64) -> Effect {
        .place(
            list,
            slot: PlacedElement(
                slot: new, element: ElementID(insertedIn: new),
                place: ListPlace(after: predecessor, before: nil), predecessor: predecessor,
                value: .int(value)))
    }

    private func history(_ store: any RealmStore) throws -> ListID {
        ListID(object: try #require(try store.object(.int(1), in: 0)), property: 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `a version that does not follow the last is refused`(kind: StoreKind) throws {
        let store = try store(kind)
        try store.begin()

        for version in [UInt64(0), 1, 3, .max] {
            #expect(throws: StorageError.self) {
                try store.append(point(version), origin: origin(transaction(alice, 2)))
            }
        }

        store.rollback()
        #expect(store.applied == point(1))
    }

    @Test(arguments: StoreKind.allCases)
    func `a slot that came and went after a version is told as gone, since some may have met it`(
        kind: StoreKind
    ) throws {
        let store = try store(kind)
        let (kept, fleeting) = (slot(transaction(alice, 2)), slot(transaction(alice, 3)))
        try commit(2, to: store, [place(kept, behind: nil, 1)])
        try commit(3, to: store, [place(fleeting, behind: kept, 2)])
        try commit(4, to: store, [.vacate(list, slot: fleeting)])

        let since2 = try store.difference(of: try history(store), since: Version(2))
        let since3 = try store.difference(of: try history(store), since: Version(3))
        let since1 = try store.difference(of: try history(store), since: Version(1))

        #expect(since2 == ListDifference(vacated: [fleeting]))
        #expect(since3 == ListDifference(vacated: [fleeting]))
        #expect(since1.vacated == [fleeting])
        #expect(since1.placed.map(\.element.slot) == [kept])
    }

    @Test(arguments: StoreKind.allCases)
    func `a link that lost its target keeps the stamp of who set it`(kind: StoreKind) throws {
        let store = try store(kind)
        let child = Effect.create(
            className: "Project", key: .string("c"), life: transaction(alice, 2),
            values: [InitialValue("parent", .link(Link(key: .string("p"), life: nil)))])
        let parent = Effect.create(
            className: "Project", key: .string("p"), life: transaction(alice, 2), values: [])
        try commit(2, to: store, ticks: 77, [parent, child])

        try commit(
            3, to: store, ticks: 99,
            [
                .unlink(className: "Project", key: .string("c"), property: "parent"),
                .delete(className: "Project", key: .string("p")),
            ])

        let object = try #require(try store.object(.string("c"), in: 1))
        #expect(try store.value(2, of: object) == .null)
        #expect(try store.setting(of: 2, of: object).mark.stamp.ticks == 77)
        #expect(try store.setting(of: 2, of: object).version == Version(2))
        #expect(try store.changedProperties(of: object, since: Version(2)) == [2])
    }

    @Test(arguments: StoreKind.allCases)
    func `a merged creation is another name for its own key's life alone`(
        kind: StoreKind
    ) throws {
        let store = try store(kind)
        let (first, merged) = (transaction(alice, 1), transaction(bob, 9))
        try commit(
            2, to: store,
            [
                .alias(merged, className: "counter", key: .int(1)),
                .create(className: "counter", key: .int(2), life: merged, values: []),
            ])

        #expect(try store.resolved(merged, of: .int(1), in: 0) == first)
        #expect(try store.resolved(merged, of: .int(2), in: 0) == merged)
        #expect(try store.resolved(first, of: .int(1), in: 0) == first)
    }

    @Test(arguments: StoreKind.allCases)
    func `a key that comes again is another object`(kind: StoreKind) throws {
        let store = try store(kind)
        let before = try #require(try store.object(.int(1), in: 0))
        try commit(2, to: store, [.delete(className: "counter", key: .int(1))])

        #expect(try store.keyState(of: .int(1), in: 0) == .deleted(at: Version(2)))
        #expect(try store.key(of: before) == .int(1))
        #expect(throws: StorageError.self) { try store.life(of: before) }
        try commit(
            3, to: store,
            [.create(className: "counter", key: .int(1), life: transaction(bob, 1), values: [])])

        let after = try #require(try store.object(.int(1), in: 0))
        #expect(after != before)
        #expect(try store.keyState(of: .int(1), in: 0) == .present(life: transaction(bob, 1)))
    }

    @Test(arguments: StoreKind.allCases)
    func `effects that do not fit what is there are refused`(kind: StoreKind) throws {
        let store = try store(kind)
        let life = transaction(alice, 2)
        let retyped = ClassSchema(
            "counter", primaryKey: RealmSchemas.counter.primaryKey,
            properties: [PropertySchema("value", .string)])
        let effects: [Effect] = [
            .putClass(retyped),
            .create(className: "counter", key: .int(1), life: life, values: []),
            .create(className: "counter", key: .string("1"), life: life, values: []),
            .create(className: "none", key: .int(1), life: life, values: []),
            .set(
                className: "counter", key: .int(1), property: "value", value: .string("1"),
                isDefault: false),
            .set(
                className: "counter", key: .int(1), property: "value", value: .null,
                isDefault: false),
            .set(
                className: "counter", key: .int(1), property: "history", value: .int(1),
                isDefault: false),
            .unlink(className: "counter", key: .int(2), property: "value"),
            .delete(className: "counter", key: .int(2)),
            place(slot(life), behind: slot(life, 7), 1),
            .vacate(list, slot: slot(life)),
            .alias(life, className: "counter", key: .int(2)),
        ]
        try store.begin()
        try store.append(point(2), origin: origin(life))

        for effect in effects {
            let error = #expect(throws: StorageError.self, "\(effect)") {
                try store.apply(effect)
            }
            #expect(error?.code == .corrupt)
        }

        store.rollback()
        #expect(try store.values(of: try history(store).object) == [.int(0), .null])
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `a thousand slots at one place stand in their order`(kind: StoreKind, atFront: Bool) throws
    {
        let store = try store(kind)
        let id = transaction(alice, 2)
        var effects = [place(slot(id, 0), behind: nil, 0), place(slot(id, 1), behind: slot(id), 1)]
        for ordinal in UInt32(2)..<1000 {
            let predecessor = atFront ? nil : slot(id, 0)
            effects.append(place(slot(id, ordinal), behind: predecessor, Int64(ordinal)))
        }

        try commit(2, to: store, effects)

        let values = try store.elements(1, of: try history(store).object)
        let newestFirst = (2..<1000).reversed().map { Value.int(Int64($0)) }
        let expected: [Value] =
            atFront ? newestFirst + [.int(0), .int(1)] : [.int(0)] + newestFirst + [.int(1)]
        #expect(values == expected)
    }

    @Test func `a crash takes back commits, but none from before a checkpoint`() throws {
        let store = MemoryRealmStore()
        try commit(1, to: store, [.putClass(RealmSchemas.counter)])
        try store.checkpoint()
        try commit(2, to: store, [])
        try commit(3, to: store, [])

        #expect(store.crashed(losingTail: 0).applied == point(3))
        #expect(store.crashed(losingTail: 1).applied == point(2))
        #expect(store.crashed(losingTail: 9).applied == point(1))
        #expect(store.crashed(losingTail: 9).schema == store.schema)
    }
}
