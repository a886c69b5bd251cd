import TarnModel
import TarnQuery
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// What every realm store promises of its past.
struct RealmPruningTests {
    private let folder = TemporaryFolder()
    private let list = ListEffect(className: "counter", key: .int(0), property: "history")

    /// A realm at version 1, with a counter whose list is worked on.
    private func store(_ kind: StoreKind) throws -> any RealmStore {
        let store = try kind.realmStore(in: folder)
        try commit(1, to: store, [.putClass(RealmSchemas.counter), create(0, in: 1)])
        return store
    }

    private func commit(
        _ version: UInt64, to store: any RealmStore, _ effects: [Effect]
    ) throws {
        try write(store) {
            try store.append(
                point(version), origin: origin(transaction(alice, version), ticks: 10 * version))
            for effect in effects { try store.apply(effect) }
        }
    }

    private func write(_ store: any RealmStore, _ body: () throws -> Void) throws {
        try store.begin()
        try body()
        try store.commit()
    }

    private func create(_ key: Int64, in version: UInt64) -> Effect {
        .create(
            className: "counter", key: .int(key), life: transaction(alice, version), values: [])
    }

    private func delete(_ key: Int64) -> Effect { .delete(className: "counter", key: .int(key)) }

    private func set(_ key: Int64, to value: Int64) -> Effect {
        .set(
            className: "counter", key: .int(key), property: "value", value: .int(value),
            isDefault: false)
    }

    private func place(_ new: SlotID, behind predecessor: SlotID?) -> Effect {
        .place(
            list,
            slot: PlacedElement(
                slot: new, element: ElementID(insertedIn: new),
                place: ListPlace(after: predecessor, before: nil), predecessor: predecessor,
                value: .int(7)))
    }

    private func forget(_ store: any RealmStore, through version: UInt64) throws {
        try write(store) {
            try store.advanceFloor(to: Version(version))
            while try store.prune(limit: 3) {}
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the floor rises and never falls`(kind: StoreKind) throws {
        let store = try store(kind)
        try commit(2, to: store, [create(1, in: 2)])

        try forget(store, through: 2)
        try forget(store, through: 1)

        #expect(store.floor == Version(2))
    }

    @Test(arguments: StoreKind.allCases)
    func `a delete is known above the floor and forgotten at it`(kind: StoreKind) throws {
        let store = try store(kind)
        try commit(2, to: store, [create(1, in: 2), create(2, in: 2), create(3, in: 2)])
        try commit(3, to: store, [delete(1)])
        try commit(4, to: store, [delete(2)])
        let (first, second) = (
            ObjectID(classNumber: 0, number: 2), ObjectID(classNumber: 0, number: 3)
        )

        try forget(store, through: 3)

        #expect(try store.keyState(of: .int(1), in: 0) == .absent)
        #expect(try store.keyState(of: .int(2), in: 0) == .deleted(at: Version(4)))
        #expect(try store.knownKey(of: first) == nil)
        #expect(throws: StorageError.self) { try store.key(of: first) }
        #expect(try store.knownKey(of: second) == .int(2))
    }

    @Test(arguments: StoreKind.allCases)
    func `an object's number is not given again once it is forgotten`(kind: StoreKind) throws {
        let store = try store(kind)
        for round in UInt64(1)...4 {
            try commit(3 * round - 1, to: store, [create(9, in: 3 * round - 1)])
            let object = try #require(try store.object(.int(9), in: 0))
            #expect(object.number == Int64(round + 1))
            try commit(3 * round, to: store, [delete(9)])
            try commit(3 * round + 1, to: store, [])

            try forget(store, through: 3 * round + 1)

            #expect(try store.knownKey(of: object) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a slot that was left by the floor is no anchor any more`(kind: StoreKind) throws {
        let store = try store(kind)
        let slots = (2...4).map { slot(transaction(alice, $0)) }
        try commit(2, to: store, [place(slots[0], behind: nil)])
        try commit(3, to: store, [place(slots[1], behind: slots[0])])
        try commit(4, to: store, [place(slots[2], behind: slots[1])])
        try commit(5, to: store, [.vacate(list, slot: slots[1])])
        try commit(6, to: store, [.vacate(list, slot: slots[2])])
        let id = ListID(object: ObjectID(classNumber: 0, number: 1), property: 1)
        func between(_ after: SlotID?, _ before: SlotID?) throws -> [SlotID] {
            try store.surroundings(of: ListPlace(after: after, before: before), in: id)
                .between.map(\.id)
        }

        try write(store) { try store.advanceFloor(to: Version(5)) }

        // Whether its room is freed or not.
        for isFreed in [false, true] {
            if isFreed { try forget(store, through: 5) }
            #expect(try between(slots[0], nil) == [slots[2]])
            #expect(try between(slots[0], slots[1]) == [])
            let lost = try store.surroundings(
                of: ListPlace(after: slots[1], before: nil), in: id)
            #expect(lost.predecessor == slots[2] && lost.between.isEmpty)
            #expect(try store.liveElements(in: id).map(\.slot) == [slots[0]])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what lives keeps its stamp, however old, and other versions go`(
        kind: StoreKind
    ) throws {
        let store = try store(kind)
        let kept = slot(transaction(alice, 3))
        try commit(2, to: store, [create(1, in: 2)])
        try commit(3, to: store, [place(kept, behind: nil)])
        try commit(4, to: store, [set(1, to: 4)])
        for version in UInt64(5)...900 { try commit(version, to: store, [set(0, to: 5)]) }

        try forget(store, through: 899)

        let object = try #require(try store.object(.int(1), in: 0))
        let owner = try #require(try store.object(.int(0), in: 0))
        let history = ListID(object: owner, property: 1)
        let stamps = try [
            store.setting(of: 0, of: object).mark.stamp.ticks,
            store.setting(of: 0, of: owner).mark.stamp.ticks,
        ]
        #expect(stamps == [40, 9000])
        #expect(
            try store.state(of: ElementID(insertedIn: kept), in: history)
                == .placed(in: kept, stamp: Stamp(ticks: 30, replica: alice)))
        #expect(try store.salt(of: Version(898)) == nil)
        #expect(try store.author(of: Version(4))?.replica == alice)
        #expect(try store.author(of: Version(5)) == nil)
        #expect(try store.salt(of: Version(899)) == point(899).salt)
        #expect(try store.salt(of: .zero) == .zero)
        // What nothing bears is gone: the next one that is kept speaks for it, never one before.
        #expect(try store.highestTicks(through: .zero) == 0)
        #expect(try store.highestTicks(through: Version(4)) == 40)
        #expect(try store.highestTicks(through: Version(500)) == 8990)
        #expect(try store.highestTicks(through: Version(899)) == 8990)
    }

    @Test(arguments: StoreKind.allCases)
    func `other names of a life that ended go with it`(kind: StoreKind) throws {
        let store = try store(kind)
        let (dead, living) = (transaction(bob, 8), transaction(bob, 9))
        try commit(2, to: store, [create(1, in: 2), create(2, in: 2)])
        try commit(
            3, to: store,
            [
                .alias(dead, className: "counter", key: .int(1)),
                .alias(living, className: "counter", key: .int(2)),
            ])
        try commit(4, to: store, [delete(1)])

        try forget(store, through: 4)

        #expect(try store.resolved(dead, of: .int(1), in: 0) == dead)
        #expect(try store.resolved(living, of: .int(2), in: 0) == transaction(alice, 2))
    }

    @Test(arguments: StoreKind.allCases)
    func `members that left by the floor go, and views that nobody kept up`(
        kind: StoreKind
    ) throws {
        let store = try store(kind)
        let object = ObjectID(classNumber: 0, number: 1)
        func key(_ number: Int64) -> ViewKey {
            ViewKey(query: "counter", arguments: [.int(number)], user: "alice", depth: 0)
        }
        var views: [Int64] = []
        try commit(2, to: store, [])
        try write(store) {
            for number in Int64(0)...1 { views.append(try store.createView(key(number)).number) }
            for view in views {
                try store.enter(object, isRoot: true, view: view, at: Version(1))
                try store.leave(object, view: view, at: Version(2))
                try store.enter(object, isRoot: false, view: view, at: Version(2))
            }
        }
        try commit(3, to: store, [])
        try write(store) { try store.setMaintained(Version(3), of: views[1]) }

        try forget(store, through: 3)

        #expect(try store.view(key(0)) == nil)
        #expect(try store.members(of: views[0]).isEmpty)
        #expect(try store.view(key(1))?.number == views[1])
        #expect(try store.members(of: views[1]).map(\.entered) == [Version(2)])
        #expect(try store.memberChanges(of: views[1], since: .zero).count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `gaps below the floor go`(kind: StoreKind) throws {
        let store = try store(kind)
        try commit(2, to: store, [])
        try commit(3, to: store, [])
        let gaps = [(0, 1), (1, 2), (2, 3)].map { first, last in
            VersionGap(first: Version(first), last: Version(last))
        }
        try write(store) { for gap in gaps { try store.addGap(gap) } }

        try forget(store, through: 2)

        #expect(try store.gaps() == Array(gaps.dropFirst()))
    }

    @Test(arguments: StoreKind.allCases)
    func `a moment tells which version was the last by a time`(kind: StoreKind) throws {
        let store = try store(kind)
        try write(store) { try store.noteMoment(100) }
        try commit(2, to: store, [])
        try commit(3, to: store, [])
        try write(store) { try store.noteMoment(200) }
        try write(store) { try store.noteMoment(300) }

        #expect(try store.version(at: 99) == .zero)
        #expect(try store.version(at: 100) == Version(1))
        #expect(try store.version(at: 199) == Version(1))
        #expect(try store.version(at: .max) == Version(3))
        #expect(try store.lastMoment() == VersionMoment(version: Version(3), milliseconds: 200))
        try forget(store, through: 3)
        #expect(try store.version(at: 199) == .zero)
    }

    @Test(arguments: StoreKind.allCases, [1, 2, 50])
    func `a slice frees little at once, and all slices together everything`(
        kind: StoreKind, limit: Int
    ) throws {
        let store = try store(kind)
        for version in UInt64(2)...60 {
            try commit(
                version, to: store,
                [create(Int64(version), in: version)]
                    + (version > 10 ? [delete(Int64(version) - 5)] : []))
        }
        try write(store) { try store.advanceFloor(to: Version(55)) }

        var slices = 0
        var isMore = true
        while isMore {
            try write(store) { isMore = try store.prune(limit: limit) }
            slices += 1
        }

        #expect(slices >= 44 / limit)
        #expect(try store.objects(in: 0).count == 10)
        #expect(try store.knownKey(of: ObjectID(classNumber: 0, number: 20)) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is freed in a transaction that is taken back is freed again`(
        kind: StoreKind
    ) throws {
        let store = try store(kind)
        try commit(2, to: store, (1...20).map { create($0, in: 2) })
        try commit(3, to: store, (1...20).map { delete($0) })
        try store.begin()
        try store.advanceFloor(to: Version(3))
        while try store.prune(limit: 5) {}

        store.rollback()

        #expect(store.floor == .zero)
        #expect(try store.keyState(of: .int(4), in: 0) == .deleted(at: Version(3)))
        try forget(store, through: 3)
        #expect(try store.keyState(of: .int(4), in: 0) == .absent)
    }
}
