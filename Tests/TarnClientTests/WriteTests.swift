import TarnClient
import TarnModel
import TarnStorage
import TarnTesting
import Testing

struct WriteTests {
    private var fixture: ReplicaFixture

    init() throws { fixture = try ReplicaFixture() }

    private func code(_ body: () throws -> Void) -> ReplicaError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ReplicaError)?.code
        }
    }

    @Test mutating func `a write is seen, and waits in the outbox as the chain's next link`() throws
    {
        let object = try fixture.write { try $0.create("Task", .int(1)) }
        try fixture.write { try $0.set("title", of: object, to: .string("milk")) }

        #expect(try fixture.pictures()[.task(1)]?.values["title"] == .string("milk"))
        let pending = try fixture.pending
        #expect(pending.map(\.sequence) == [1, 2])
        let first = ChainHash.zero.extended(
            by: pending[0].sealed.body, sha256: ReplicaFixture.digest)
        let second = first.extended(by: pending[1].sealed.body, sha256: ReplicaFixture.digest)
        #expect(pending.map(\.sealed.hash) == [first, second])
        #expect(try fixture.read { try $0.status().chain.hash } == second)
    }

    @Test mutating func `a write survives the loss of power as soon as it has returned`() throws {
        try fixture.write { _ = try $0.create("Task", .int(1)) }

        fixture.memory.crash()

        #expect(try fixture.pictures().keys.sorted() == [.task(1)])
        #expect(try fixture.pending.count == 1)
    }

    @Test mutating func `a write that made no change writes nothing`() throws {
        let answer = try fixture.write { try $0.reader.find("Task", .int(1)) }

        #expect(answer == nil)
        #expect(try fixture.read { try $0.status().chain } == .empty)
        #expect(try fixture.read { try $0.store.lastNote() } == 0)
    }

    @Test mutating func `nothing of a body that throws is written`() throws {
        struct Changed: Error {}

        #expect(throws: Changed.self) {
            try fixture.write { transaction in
                _ = try transaction.create("Task", .int(1))
                try transaction.addClass(
                    ClassSchema("Note", primaryKey: PropertySchema("id", .int), properties: []))
                throw Changed()
            }
        }

        #expect(try fixture.pictures().isEmpty)
        #expect(try fixture.pending.isEmpty)
        #expect(fixture.store.schema["Note"] == nil)
    }

    @Test mutating func `clock ticks never fall, whatever the clock does`() throws {
        try fixture.replica.write(clockTicks: 500) { _ = try $0.create("Task", .int(1)) }
        try fixture.replica.write(clockTicks: 3) { _ = try $0.create("Task", .int(2)) }

        #expect(try fixture.pending.map(\.sealed.clockTicks) == [500, 501])
    }

    @Test mutating func `a change names the life that it means, and a link its target's`() throws {
        try fixture.write { transaction in
            let task = try transaction.create("Task", .int(1))
            let project = try transaction.create("Project", .string("a"))
            try transaction.append(try transaction.link(to: task), to: "tasks", of: project)
        }
        let body = try fixture.pending[0].sealed.body
        let transaction = try TransactionDecoder.transaction(from: body)

        guard case .insert(let name, _, let slot, let place, let value) = transaction.changes[2]
        else {
            Issue.record("no insertion")
            return
        }
        #expect(name.life == transaction.id)
        #expect(slot == SlotID(transaction: transaction.id, ordinal: 0))
        #expect(place == .only)
        #expect(value == .link(Link(key: .int(1), life: transaction.id)))
    }

    @Test mutating func `what the schema does not allow is refused by name`() throws {
        let fixture = fixture
        func write(_ body: (inout WriteTransaction) throws -> Void) -> ReplicaError.Code? {
            code { try fixture.replica.write(clockTicks: 1, body) }
        }
        let task = try fixture.replica.write(clockTicks: 1) { try $0.create("Task", .int(1)) }

        #expect(write { _ = try $0.create("Nothing", .int(1)) } == .unknownName)
        #expect(write { _ = try $0.create("Task", .string("1")) } == .wrongType)
        #expect(write { _ = try $0.create("Task", .int(1)) } == .keyExists)
        #expect(write { try $0.set("nothing", of: task, to: .null) } == .unknownName)
        #expect(write { try $0.set("id", of: task, to: .int(2)) } == .unknownName)
        #expect(write { try $0.set("title", of: task, to: .int(2)) } == .wrongType)
        #expect(write { try $0.set("title", of: task, to: .null) } == .wrongType)
        #expect(write { try $0.set("labels", of: task, to: .null) } == .wrongType)
        #expect(write { try $0.append(.int(1), to: "labels", of: task) } == .wrongType)
        #expect(write { try $0.remove(at: 0, in: "labels", of: task) } == .indexOutOfRange)
        let link = Value.link(Link(key: .string("gone"), life: nil))
        #expect(write { try $0.set("project", of: task, to: link) } == .unresolvedLink)
        let long = PrimaryKey.string(Text(String(repeating: "k", count: 1025)))
        #expect(write { _ = try $0.create("Project", long) } == .limitExceeded)
        #expect(try fixture.pending.count == 1)
    }

    @Test mutating func `a transaction over the limit is refused with the figure`() throws {
        let error = #expect(throws: ReplicaError.self) {
            try fixture.write { transaction in
                let task = try transaction.create("Task", .int(1))
                for _ in 0..<TransactionLimits.weightMax {
                    try transaction.set("done", of: task, to: .bool(true))
                }
            }
        }

        #expect(error?.code == .limitExceeded)
        #expect(
            error?.sentence
                == "a transaction has at most 1000 changes, and each KB in it counts as one more: "
                + "this one has 1000 and 0 KB")
        #expect(try fixture.pending.isEmpty)
    }

    @Test mutating func `list elements stand where the indices say`() throws {
        let task = try fixture.write { transaction in
            let task = try transaction.create("Task", .int(1))
            for label in ["a", "b", "c"] {
                try transaction.append(.string(label), to: "labels", of: task)
            }
            return task
        }
        func labels() throws -> [Value] {
            try fixture.read { try $0.elements("labels", of: task) }
        }

        try fixture.write { try $0.insert(.string("x"), at: 1, in: "labels", of: task) }
        #expect(try labels() == ["a", "x", "b", "c"].map(Value.string))
        try fixture.write { try $0.move(from: 0, to: 3, in: "labels", of: task) }
        #expect(try labels() == ["x", "b", "c", "a"].map(Value.string))
        try fixture.write { try $0.move(from: 2, to: 0, in: "labels", of: task) }
        #expect(try labels() == ["c", "x", "b", "a"].map(Value.string))
        try fixture.write { try $0.remove(at: 1, in: "labels", of: task) }
        #expect(try labels() == ["c", "b", "a"].map(Value.string))
        try fixture.write { try $0.clear("labels", of: task) }
        #expect(try labels().isEmpty)
    }

    @Test mutating func `an added class is there at once, and goes up with the outbox`() throws {
        let note = ClassSchema("Note", primaryKey: PropertySchema("id", .int), properties: [])

        try fixture.write { transaction in
            try transaction.addClass(note)
            try transaction.addClass(note)
            _ = try transaction.create("Note", .int(1))
        }

        #expect(fixture.store.schema["Note"] == note)
        let body = try fixture.pending[0].sealed.body
        let changes = try TransactionDecoder.transaction(from: body).changes
        #expect(changes == [.addClass(note), .create(className: "Note", key: .int(1), values: [])])
    }

    @Test func `a local realm is its own authority`() throws {
        var fixture = try ReplicaFixture(owner: "local")
        try fixture.write { transaction in
            let task = try transaction.create("Task", .int(1))
            let project = try transaction.create("Project", .string("a"))
            try transaction.append(try transaction.link(to: task), to: "tasks", of: project)
        }
        let task = try #require(try fixture.object(.task(1)))

        try fixture.write { try $0.delete(task) }

        #expect(try fixture.pictures()[.project("a")]?.lists["tasks"] == [])
        #expect(try fixture.pending.isEmpty)
        try fixture.read { reader in
            #expect(try reader.store.row(of: task) == nil)
            let project = try #require(try reader.find("Project", .string("a")))
            #expect(try reader.store.shadow(of: project) == nil)
            #expect(try reader.store.row(of: project)?.isConfirmed == true)
            #expect(try !reader.results(of: "Project").isPartial)
        }
    }

    @Test func `a replica is opened by its own user and for its own realm only`() throws {
        let fixture = try ReplicaFixture()
        var random = SeededGenerator(seed: 1)

        let again = try ReplicaFixture(memory: fixture.memory)
        #expect(again.replica.identity == fixture.replica.identity)
        for (owner, user) in [("alice", "bob"), ("bob", "alice")] {
            #expect(throws: ReplicaError.self) {
                _ = try Replica.open(
                    MemoryReplicaStore(on: fixture.memory),
                    of: RealmName(owner: owner, name: "todo")!, user: user, random: &random,
                    sha256: ReplicaFixture.digest)
            }
        }
    }
}
