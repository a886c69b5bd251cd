import TarnModel
import TarnQuery
import TarnStorage
import TarnTesting
import Testing

/// What every realm store promises of sets and maps, sentence by sentence.
struct RealmEntriesTests {
    private let folder = TemporaryFolder()
    private let sample = RealmSchemas.sample

    /// A realm with the samples 1 and 2, at version 1.
    private func store(_ kind: StoreKind) throws -> any RealmStore {
        let store = try kind.realmStore(in: folder)
        try commit(
            1, to: store,
            [.putClass(RealmSchemas.project), .putClass(sample), create(1), create(2)])
        return store
    }

    private func create(_ key: Int64) -> Effect {
        .create(className: "Sample", key: .int(key), life: transaction(alice, 1), values: [])
    }

    private func delete(_ key: Int64) -> Effect { .delete(className: "Sample", key: .int(key)) }

    private func commit(
        _ version: UInt64, to store: any RealmStore, ticks: UInt64 = 5, _ effects: [Effect]
    ) throws {
        try store.begin()
        try store.append(
            point(version), origin: origin(transaction(alice, version), ticks: ticks))
        for effect in effects { try store.apply(effect) }
        try store.commit()
    }

    private func of(_ property: String) -> ListEffect {
        ListEffect(className: "Sample", key: .int(1), property: property)
    }

    private func add(_ entry: Value, to property: String, _ value: Value = .bool(true)) -> Effect {
        .setEntry(of(property), entry: entry, value: value)
    }

    private func collection(_ property: String, _ store: any RealmStore) throws -> ListID {
        ListID(
            object: try #require(try store.object(.int(1), in: 1)),
            property: try #require(sample.number(of: property)))
    }

    private func link(_ key: Int64) -> Value { .link(Link(key: .int(key), life: nil)) }

    @Test(arguments: StoreKind.allCases)
    func `each entry keeps the stamp of who set it or took it out`(kind: StoreKind) throws {
        let store = try store(kind)
        try commit(
            2, to: store, ticks: 7, [add("a", to: "names", "one"), add("b", to: "names", "")])
        try commit(3, to: store, ticks: 9, [.removeEntry(of("names"), entry: "a")])
        let names = try collection("names", store)

        let removed = try #require(try store.state(of: "a", in: names))
        let present = try #require(try store.state(of: "b", in: names))

        #expect(removed.value == nil)
        #expect(removed.setting.version == Version(3))
        #expect(removed.setting.mark.stamp.ticks == 9)
        #expect(present.value == "")
        #expect(present.setting.version == Version(2))
        #expect(present.setting.mark.stamp.ticks == 7)
        #expect(try store.state(of: "c", in: names) == nil)
        #expect(try store.entries(in: names) == [Entry(entry: "b", value: "")])
        #expect(
            try store.changedEntries(in: names, since: Version(2))
                == [EntryChange(entry: "a", value: nil)])
    }

    @Test(arguments: StoreKind.allCases)
    func `an entry that was never there is taken out like another`(kind: StoreKind) throws {
        let store = try store(kind)

        try commit(2, to: store, [.removeEntry(of("ints"), entry: .int(4))])

        let ints = try collection("ints", store)
        #expect(try store.state(of: .int(4), in: ints)?.setting.version == Version(2))
        #expect(
            try store.changedEntries(in: ints, since: Version(1))
                == [EntryChange(entry: .int(4), value: nil)])
    }

    @Test(arguments: StoreKind.allCases)
    func `an entry that loses its target keeps the stamp of who set it`(kind: StoreKind) throws {
        let store = try store(kind)
        try commit(
            2, to: store, ticks: 77,
            [add(link(2), to: "peers"), add("boss", to: "roles", link(2))])
        let (peers, roles) = (try collection("peers", store), try collection("roles", store))
        let second = try #require(try store.object(.int(2), in: 1))
        #expect(try store.entries(holding: second, in: peers) == [link(2)])
        #expect(try store.entries(holding: second, in: roles) == ["boss"])
        #expect(
            try store.holders(of: second)
                == [peers, roles].map { Holder(object: $0.object, property: $0.property) })

        try commit(
            3, to: store, ticks: 99,
            [
                .unlinkEntry(of("peers"), entry: link(2)),
                .unlinkEntry(of("roles"), entry: "boss"), delete(2),
            ])

        #expect(try store.entries(in: peers).isEmpty)
        #expect(try store.entries(in: roles).isEmpty)
        #expect(try store.holders(of: second).isEmpty)
        let state = try #require(try store.state(of: "boss", in: roles))
        #expect(state.setting.mark.stamp.ticks == 77)
        #expect(state.setting.version == Version(2))
        #expect(
            try store.changedEntries(in: peers, since: Version(2))
                == [EntryChange(entry: link(2), value: nil)])
    }

    @Test(arguments: StoreKind.allCases)
    func `a key that is created again is another entry of a set`(kind: StoreKind) throws {
        let store = try store(kind)
        let peers = try collection("peers", store)
        try commit(2, to: store, [add(link(2), to: "peers")])
        try commit(3, to: store, [.unlinkEntry(of("peers"), entry: link(2)), delete(2)])
        #expect(try store.state(of: link(2), in: peers) == nil)

        try commit(4, to: store, [create(2)])
        #expect(try store.state(of: link(2), in: peers) == nil)
        #expect(throws: StorageError.self) {
            try commit(5, to: store, [.unlinkEntry(of("peers"), entry: link(2))])
        }
        store.rollback()
        try commit(5, to: store, [add(link(2), to: "peers")])

        #expect(try store.state(of: link(2), in: peers)?.setting.version == Version(5))
        #expect(try store.entries(in: peers) == [Entry(entry: link(2), value: .bool(true))])
        #expect(
            try store.changedEntries(in: peers, since: Version(2))
                == [EntryChange(entry: link(2), value: .bool(true))])
        #expect(try store.targets(peers.property, of: peers.object).map(\.number) == [3])
    }

    @Test(arguments: StoreKind.allCases)
    func `what is put in and out beside another life of its key is not out`(
        kind: StoreKind
    ) throws {
        let store = try store(kind)
        let peers = try collection("peers", store)
        // The first life's entry is forgotten later than the second's is put in.
        try commit(2, to: store, [add(link(2), to: "peers"), delete(2), create(2)])
        try commit(3, to: store, [add(link(2), to: "peers")])

        #expect(try store.entries(in: peers).count == 2)
        #expect(
            try store.changedEntries(in: peers, since: Version(1)).map(\.entry) == [link(2)])
        #expect(try store.changedEntries(in: peers, since: Version(3)).isEmpty)
        #expect(try store.targets(peers.property, of: peers.object).count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `entries are in the order of values, elements in that of their entries`(
        kind: StoreKind
    ) throws {
        let store = try store(kind)
        let words: [Value] = ["b", "", "a\0", "é", "e\u{301}", "a", "🦆"]
        let doubles = RealmValues.doubles.map(Value.double)
        try commit(
            2, to: store,
            words.map { add($0, to: "words") } + doubles.map { add($0, to: "numbers") }
                + words.enumerated().map {
                    add($1, to: "marks", $0 == 3 ? .null : .double(-Double($0)))
                })

        let (wordSet, numbers) = (try collection("words", store), try collection("numbers", store))
        let marks = try collection("marks", store)
        #expect(try store.elements(wordSet.property, of: wordSet.object) == words.sorted())
        #expect(try store.elements(numbers.property, of: numbers.object) == doubles.sorted())
        #expect(try store.entries(in: marks).map(\.entry) == words.sorted())
        #expect(
            try store.elements(marks.property, of: marks.object)
                == words.enumerated().sorted { $0.element < $1.element }.map {
                    $0.offset == 3 ? .null : .double(-Double($0.offset))
                })
    }

    @Test(arguments: StoreKind.allCases)
    func `a set tells zeros and NaNs apart by their bits`(kind: StoreKind) throws {
        let store = try store(kind)
        let values = RealmValues.doubles.map(Value.double)
        try commit(2, to: store, values.map { add($0, to: "numbers") })
        let numbers = try collection("numbers", store)
        #expect(try store.entries(in: numbers).count == values.count)

        for (index, value) in values.enumerated() {
            let version = UInt64(index) + 3
            try commit(version, to: store, [.removeEntry(of("numbers"), entry: value)])

            #expect(
                try store.changedEntries(in: numbers, since: Version(version - 1))
                    == [EntryChange(entry: value, value: nil)])
            #expect(try store.entries(in: numbers).count == values.count - index - 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that is deleted takes its entries and increments with it`(
        kind: StoreKind
    ) throws {
        let store = try store(kind)
        let first = try #require(try store.object(.int(1), in: 1))
        let size = Effect.increment(className: "Sample", key: .int(1), property: "size", by: 1)
        let set = Effect.set(
            className: "Sample", key: .int(1), property: "size", value: .int(0), isDefault: false)
        try commit(2, to: store, [add("a", to: "words"), add(link(2), to: "peers"), set, size])

        try commit(3, to: store, [delete(1), create(1)])

        let again = try #require(try store.object(.int(1), in: 1))
        for property in sample.properties.indices where sample.properties[property].hasEntries {
            let collection = ListID(object: again, property: property)
            #expect(try store.changedEntries(in: collection, since: .zero).isEmpty)
            #expect(throws: StorageError.self) {
                try store.entries(in: ListID(object: first, property: property))
            }
        }
        #expect(try store.increments(of: 1, of: again, since: .zero).isEmpty)
        let second = try #require(try store.object(.int(2), in: 1))
        #expect(try store.holders(of: second).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `entries that do not fit are refused`(kind: StoreKind) throws {
        let store = try store(kind)
        let long = Value.string(String(repeating: "x", count: 1025))
        let effects: [Effect] = [
            add(.int(1), to: "words"), add(.null, to: "words"), add(long, to: "words"),
            add("a", to: "words", .bool(false)), add("a", to: "words", .null),
            add(link(9), to: "peers"), add(link(1), to: "tasks"), add("a", to: "peers"),
            add(.int(1), to: "names", "x"), add("a", to: "names", .null),
            add("a", to: "names", .int(1)), add(long, to: "names", "x"),
            add("a", to: "roles", link(9)), add("a", to: "weight"), add("a", to: "readings"),
            add("a", to: "none"), .removeEntry(of("words"), entry: .int(1)),
            .removeEntry(of("names"), entry: .null), .removeEntry(of("peers"), entry: link(9)),
            .unlinkEntry(of("peers"), entry: link(2)), .unlinkEntry(of("names"), entry: "a"),
            .increment(className: "Sample", key: .int(1), property: "size", by: 1),
            .increment(className: "Sample", key: .int(1), property: "weight", by: 1),
            .increment(className: "Sample", key: .int(1), property: "words", by: 1),
            .increment(className: "Sample", key: .int(9), property: "size", by: 1),
        ]
        try store.begin()
        try store.append(point(2), origin: origin(transaction(alice, 2)))

        for effect in effects {
            let error = #expect(throws: StorageError.self, "\(effect)") {
                try store.apply(effect)
            }
            #expect(error?.code == .corrupt)
        }

        store.rollback()
        let words = try collection("words", store)
        #expect(try store.changedEntries(in: words, since: .zero).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `an entry may be as long as a key`(kind: StoreKind) throws {
        let store = try store(kind)
        let (text, bytes) = (String(repeating: "é", count: 512), [UInt8](repeating: 0, count: 1024))

        try commit(
            2, to: store,
            [
                add(.string(text), to: "words"), add(.data(bytes), to: "seals"),
                add(.string(text), to: "names", .string(String(repeating: "x", count: 100_000))),
            ])

        let seals = try collection("seals", store)
        #expect(try store.state(of: .data(bytes), in: seals)?.value == .bool(true))
    }
}

extension Value: ExpressibleByStringLiteral,
    ExpressibleByUnicodeScalarLiteral,
    ExpressibleByExtendedGraphemeClusterLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
}
