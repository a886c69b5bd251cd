import TarnModel
import TarnQuery
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// What every realm store promises of values: they come back to the bit, they are added to, and
/// they are found.
struct RealmValuesTests {
    private let folder = TemporaryFolder()
    private let doubles = RealmValues.doubles.map(Value.double)
    private let data =
        (RealmValues.data + [[UInt8](repeating: 200, count: 3 << 20)]).map(Value.data)

    private func store(_ kind: StoreKind, count: Int = 1) throws -> any RealmStore {
        let store = try kind.realmStore(in: folder)
        let samples = (1...count).map {
            Effect.create(
                className: "Sample", key: .int(Int64($0)), life: transaction(alice, 1), values: [])
        }
        try commit(
            1, to: store,
            [.putClass(RealmSchemas.project), .putClass(RealmSchemas.sample)] + samples)
        return store
    }

    private func commit(
        _ version: UInt64, to store: any RealmStore, by replica: ReplicaID = alice,
        _ effects: [Effect]
    ) throws {
        try store.begin()
        try store.append(point(version), origin: origin(transaction(replica, version)))
        for effect in effects { try store.apply(effect) }
        try store.commit()
    }

    private func set(_ property: String, _ value: Value, of key: Int = 1) -> Effect {
        .set(
            className: "Sample", key: .int(Int64(key)), property: property, value: value,
            isDefault: false)
    }

    private func increment(_ amount: Int64) -> Effect {
        .increment(className: "Sample", key: .int(1), property: "size", by: amount)
    }

    private func place(_ values: [Value], in property: String) -> [Effect] {
        var predecessor: SlotID?
        return values.enumerated().map { ordinal, value in
            let new = slot(transaction(alice, 2), UInt32(ordinal))
            defer { predecessor = new }
            return .place(
                ListEffect(className: "Sample", key: .int(1), property: property),
                slot: PlacedElement(
                    slot: new, element: ElementID(insertedIn: new), place: .only,
                    predecessor: predecessor, value: value))
        }
    }

    private func entries(_ values: [Value], in property: String) -> [Effect] {
        values.enumerated().map { index, value in
            .setEntry(
                ListEffect(className: "Sample", key: .int(1), property: property),
                entry: .string("\(1000 + index)"), value: value)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a double and data come back to the bit, wherever they stand`(kind: StoreKind) throws {
        var store = try store(kind)
        let number = { try #require(RealmSchemas.sample.number(of: $0)) }
        let object = try #require(try store.object(.int(1), in: 1))
        try commit(
            2, to: store,
            place(doubles, in: "readings") + place(data, in: "blobs")
                + entries(doubles, in: "marks") + entries(data, in: "prints"))
        for (index, value) in doubles.enumerated() {
            let seal = data[index % data.count]
            try commit(
                UInt64(index) + 3, to: store, [set("weight", value), set("seal", seal)])

            #expect(try store.value(0, of: object) == value)
            #expect(try store.values(of: object)[0] == value)
            #expect(try store.values(of: object)[2] == seal)
        }

        if let file = store as? SQLiteRealmStore {
            try file.checkpoint()
            file.close()
            store = try kind.realmStore(in: folder)
        }

        #expect(try store.elements(try number("readings"), of: object) == doubles)
        #expect(try store.elements(try number("blobs"), of: object) == data)
        #expect(try store.elements(try number("marks"), of: object) == doubles)
        #expect(try store.elements(try number("prints"), of: object) == data)
        #expect(try store.value(0, of: object) == doubles.last)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is added wraps round, and is told by versions`(kind: StoreKind) throws {
        let store = try store(kind)
        let object = try #require(try store.object(.int(1), in: 1))
        try commit(2, to: store, [set("size", .int(.max - 1))])
        try commit(3, to: store, by: bob, [increment(1), increment(.max), increment(.max)])
        try commit(4, to: store, [increment(-7)])

        #expect(try store.value(1, of: object) == .int(.max - 1 &+ 1 &+ .max &+ .max &- 7))
        #expect(
            try store.increments(of: 1, of: object, since: .zero) == [
                Increment(version: Version(3), author: bob, amount: 1 &+ .max &+ .max),
                Increment(version: Version(4), author: alice, amount: -7),
            ])
        #expect(try store.increments(of: 1, of: object, since: Version(3)).count == 1)
        #expect(try store.increments(of: 1, of: object, since: Version(.max)).isEmpty)
        #expect(try store.setting(of: 1, of: object).version == Version(2))
        #expect(try store.changedProperties(of: object, since: Version(3)) == [1])
    }

    @Test(arguments: StoreKind.allCases)
    func `the author of a version is its replica and its user`(kind: StoreKind) throws {
        let store = try store(kind)
        try store.begin()
        try store.append(point(2), origin: origin(transaction(bob, 9), user: "bob"))
        try store.commit()

        #expect(
            try store.author(of: Version(1)) == VersionAuthor(replica: alice, user: "alice"))
        #expect(try store.author(of: Version(2)) == VersionAuthor(replica: bob, user: "bob"))
        for version in [UInt64(0), 3, .max] {
            #expect(try store.author(of: Version(version)) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `objects are found by what they hold, to the bit`(kind: StoreKind) throws {
        let count = doubles.count
        let store = try store(kind, count: count)
        let days = (0..<count).map { Value.date(Timestamp(milliseconds: Int64($0 / 2))) }
        try commit(
            2, to: store,
            (0..<count).flatMap { index in
                [
                    set("code", doubles[index], of: index + 1),
                    set("since", days[index], of: index + 1),
                ]
            })

        for (index, value) in doubles.enumerated() {
            let found = try store.objects(holding: value, in: 3, of: 1, limit: 9)
            #expect(found == [ObjectID(classNumber: 1, number: Int64(index) + 1)])
            let pair = try store.objects(holding: days[index], in: 4, of: 1, limit: 9)
            #expect(pair.map(\.number) == [Int64(index / 2 * 2 + 1), Int64(index / 2 * 2 + 2)])
        }
        #expect(try store.objects(holding: days[0], in: 4, of: 1, limit: 1).count == 1)
        #expect(try store.objects(holding: days[0], in: 4, of: 1, limit: 0).isEmpty)
        #expect(try store.objects(holding: .null, in: 3, of: 1, limit: 9).isEmpty)
        #expect(try store.objects(holding: .null, in: 0, of: 1, limit: 9).count == 9)
        #expect(try store.objects(holding: "x", in: 3, of: 1, limit: 9).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `an element's removal is told for as long as it does not stand`(kind: StoreKind) throws {
        let store = try store(kind)
        let list = ListEffect(className: "Sample", key: .int(1), property: "readings")
        let object = try #require(try store.object(.int(1), in: 1))
        let readings = ListID(object: object, property: 5)
        let element = ElementID(insertedIn: slot(transaction(alice, 2)))
        let moved = slot(transaction(bob, 3))
        try commit(2, to: store, place([.double(1)], in: "readings"))
        #expect(try store.removal(of: element, in: readings) == nil)

        let move = PlacedElement(
            slot: moved, element: element, place: .only, predecessor: nil, value: .double(1))
        try commit(
            3, to: store, by: bob,
            [.place(list, slot: move), .vacate(list, slot: element.firstSlot)])
        #expect(try store.removal(of: element, in: readings) == nil)
        try commit(4, to: store, [.vacate(list, slot: moved)])

        #expect(try store.removal(of: element, in: readings) == Version(4))
        let stranger = ElementID(insertedIn: slot(transaction(ReplicaID(3), 3)))
        #expect(try store.removal(of: stranger, in: readings) == nil)
    }
}
