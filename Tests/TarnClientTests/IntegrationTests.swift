import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage
import TarnTesting
import Testing

/// A replica with one subscription that selects all of a small realm.
private struct Scene {
    var fixture: ReplicaFixture
    var server = ModelServer()
    let number: Int64

    init() throws {
        fixture = try ReplicaFixture()
        number = try fixture.replica.subscribe(to: "Task", name: "all").number
        server.change { _ in
            .create(
                className: "Task", key: .int(1),
                values: [InitialValue("title", .string("milk"))])
        }
        server.change { _ in .create(className: "Project", key: .string("a"), values: []) }
        let project = server.name(.project("a"))
        server.change {
            .insert(
                project, property: "tasks", slot: SlotID(transaction: $0, ordinal: 0),
                place: .only, value: .link(Link(key: .int(1), life: nil)))
        }
        try download()
    }

    mutating func download() throws {
        server.selectAll(number)
        try fixture.integrate(server.group())
    }

    func object(_ ref: Ref) throws -> ObjectID { try #require(try fixture.object(ref)) }
    func picture(_ ref: Ref) throws -> Picture? { try fixture.pictures()[ref] }
    func newest() throws -> SealedTransaction { try #require(try fixture.pending.last).sealed }
}

struct IntegrationTests {
    private var scene: Scene
    private let link = Value.link(Link(key: .int(1), life: nil))

    init() throws { scene = try Scene() }

    @Test func `a download is seen`() throws {
        #expect(try scene.picture(.task(1))?.values["title"] == .string("milk"))
        #expect(try scene.picture(.project("a"))?.lists["tasks"] == [link])
    }

    @Test mutating func `a download goes beneath what is written here`() throws {
        let task = try scene.object(.task(1))
        try scene.fixture.write { try $0.set("title", of: task, to: .string("bread")) }
        let name = scene.server.name(.task(1))
        scene.server.change { _ in .set(name, property: "title", value: .string("eggs")) }
        scene.server.change { _ in .set(name, property: "done", value: .bool(true)) }

        try scene.download()

        let picture = try scene.picture(.task(1))
        #expect(picture?.values["title"] == .string("bread"))
        #expect(picture?.values["done"] == .bool(true))
        let shadow = try scene.fixture.read { try $0.store.shadow(of: task) }
        #expect(shadow?.values.first == .string("eggs"))
    }

    @Test mutating func `an accepted transaction leaves nothing behind`() throws {
        let task = try scene.object(.task(1))
        try scene.fixture.write { try $0.set("title", of: task, to: .string("bread")) }
        try scene.server.accept(try scene.newest())

        try scene.download()

        #expect(try scene.picture(.task(1))?.values["title"] == .string("bread"))
        try scene.fixture.read { reader in
            #expect(try reader.store.shadow(of: task) == nil)
            #expect(try reader.status().unsentCount == 0)
            #expect(try reader.keptReceipts().isEmpty)
            let chain = try reader.status().chain
            #expect(chain.acknowledgedSequence == 1 && chain.acknowledgedHash == chain.hash)
        }
    }

    @Test mutating func `a refused delete comes back whole, and is kept in the drawer`() throws {
        let task = try scene.object(.task(1))
        let before = try scene.fixture.pictures()
        try scene.fixture.write { try $0.delete(task) }
        #expect(try scene.picture(.task(1)) == nil)
        #expect(try scene.picture(.project("a"))?.lists["tasks"] == [])
        let sealed = try scene.newest()
        try scene.server.refuse(sealed)

        try scene.download()

        #expect(try scene.fixture.pictures() == before)
        #expect(try scene.object(.task(1)) == task)
        let kept = try scene.fixture.read { try $0.keptReceipts() }
        #expect(kept.map(\.body) == [sealed.body])
    }

    @Test mutating func `an overridden change gives way, and its receipt is kept`() throws {
        let task = try scene.object(.task(1))
        try scene.fixture.write { try $0.set("title", of: task, to: .string("bread")) }
        try scene.server.accept(try scene.newest(), losing: { _ in true })

        try scene.download()

        #expect(try scene.picture(.task(1))?.values["title"] == .string("milk"))
        let kept = try scene.fixture.read { try $0.keptReceipts() }
        #expect(kept.map(\.body) == [nil])
    }

    @Test mutating func `what comes to link to an object deleted here shows no link`() throws {
        let task = try scene.object(.task(1))
        try scene.fixture.write { try $0.delete(task) }
        scene.server.change { _ in .create(className: "Project", key: .string("b"), values: []) }
        let name = scene.server.name(.project("b"))
        let link = link
        scene.server.change { _ in .set(name, property: "lead", value: link) }

        try scene.download()
        #expect(try scene.picture(.project("b"))?.values["lead"] == .null)

        try scene.server.refuse(try scene.newest())
        try scene.download()
        #expect(try scene.picture(.project("b"))?.values["lead"] == link)
    }

    @Test mutating func `a creation here merges with the server's object of that key`() throws {
        try scene.fixture.write {
            let values = [
                InitialValue("title", .string("mine")),
                InitialValue("done", .bool(true), isDefault: true),
            ]
            _ = try $0.create("Task", .int(2), values)
        }
        scene.server.change { _ in
            .create(className: "Task", key: .int(2), values: [])
        }

        try scene.download()
        let picture = try scene.picture(.task(2))
        #expect(picture?.values["title"] == .string("mine"))
        #expect(picture?.values["done"] == .bool(false))

        // Changes that name the creation's own life stay good.
        let task = try scene.object(.task(2))
        let created = try scene.newest()
        try scene.fixture.write { try $0.set("done", of: task, to: .bool(true)) }
        try scene.server.accept(created)
        try scene.download()
        #expect(try scene.picture(.task(2))?.values["done"] == .bool(true))
    }

    @Test mutating func `a change to what somebody deleted does nothing`() throws {
        let task = try scene.object(.task(1))
        try scene.fixture.write { try $0.set("title", of: task, to: .string("bread")) }
        let name = scene.server.name(.task(1))
        scene.server.change { _ in .delete(name) }

        try scene.download()

        #expect(try scene.picture(.task(1)) == nil)
        #expect(try scene.fixture.pending.count == 1)
    }

    @Test mutating func `an own object that nobody selects goes with its receipt`() throws {
        try scene.fixture.write { _ = try $0.create("Task", .int(2)) }
        try scene.server.accept(try scene.newest())
        scene.server.members[scene.number] = [.task(1), .project("a")]

        try scene.fixture.integrate(scene.server.group())

        #expect(try scene.picture(.task(2)) == nil)
        let row = try scene.fixture.read { reader in
            try reader.store.row(of: .int(2), in: try #require(reader.schema.number(of: "Task")))
        }
        #expect(row == nil)
    }

    @Test mutating func `an insertion whose neighbours are gone stands at the end`() throws {
        let task = try scene.object(.task(1))
        let name = scene.server.name(.task(1))
        func insert(_ label: String, after: SlotID?) -> (TransactionID) -> Change {
            { id in
                .insert(
                    name, property: "labels", slot: SlotID(transaction: id, ordinal: 0),
                    place: ListPlace(after: after, before: nil), value: .string(label))
            }
        }
        scene.server.change(insert("a", after: nil))
        try scene.download()
        try scene.fixture.write { try $0.append(.string("mine"), to: "labels", of: task) }
        let slot = try #require(scene.server.realm.objects[.task(1)]?.lists["labels"]?.first)
        scene.server.change(insert("b", after: slot.slot))
        scene.server.change { _ in
            .remove(name, property: "labels", element: slot.element)
        }

        try scene.download()

        #expect(
            try scene.picture(.task(1))?.lists["labels"] == ["b", "mine"].map(Value.string))
    }

    @Test mutating func `a receipt of another's work is a fork, and nothing is lost`() throws {
        let task = try scene.object(.task(1))
        try scene.fixture.write { try $0.set("title", of: task, to: .string("bread")) }
        let sealed = try scene.newest()
        let other = SealedTransaction(
            body: sealed.body, hash: ChainHash.zero, clockTicks: sealed.clockTicks)
        let before = try scene.fixture.pictures()
        try scene.server.accept(other)

        let error = #expect(throws: ReplicaError.self) { try scene.download() }

        #expect(error?.code == .forked)
        #expect(try scene.fixture.pictures() == before)
        #expect(try scene.newest() == sealed)
    }

    @Test mutating func `a group that does not begin where the replica stands is refused`() throws {
        let group = scene.server.group()
        try scene.fixture.integrate(group)

        let error = #expect(throws: ReplicaError.self) { try scene.fixture.integrate(group) }

        #expect(error?.code == .misfit)
    }

    @Test mutating func `who has lost the lease writes nothing that it downloads`() throws {
        let own = LeaseHolder(process: 1, started: 1, boot: "b")
        let verdict = try scene.fixture.replica.claimLease(
            by: own, holding: nil, now: 0, isAlive: { _ in true })
        guard case .acquire(let lease) = verdict else {
            Issue.record("no lease: \(verdict)")
            return
        }
        let group = scene.server.group()
        var dictionary = scene.fixture.dictionary

        let error = #expect(throws: ReplicaError.self) {
            try scene.fixture.replica.integrate(
                group, dictionary: &dictionary, epoch: lease.epoch - 1)
        }
        #expect(error?.code == .leaseLost)
        try scene.fixture.replica.integrate(group, dictionary: &dictionary, epoch: lease.epoch)
    }

    @Test mutating func `a property that the server has gained is there for shadows too`() throws {
        let task = try scene.object(.task(1))
        try scene.fixture.write { try $0.set("title", of: task, to: .string("bread")) }
        let grown = ClassSchema(
            "Task", primaryKey: TodoSchema.task.primaryKey,
            properties: TodoSchema.task.properties + [
                PropertySchema("stars", .int, default: .int(3))
            ])
        let group = scene.server.group()
        try scene.fixture.integrate(
            Group(
                from: group.from, to: group.to, time: group.time,
                classes: [NumberedClass(number: 7, schema: grown)], views: group.views,
                receipts: [], faults: []))

        try scene.server.refuse(try scene.newest())
        try scene.fixture.integrate(scene.server.group())

        #expect(try scene.picture(.task(1))?.values["stars"] == .int(3))
        #expect(try scene.picture(.task(1))?.values["title"] == .string("milk"))
    }
}
