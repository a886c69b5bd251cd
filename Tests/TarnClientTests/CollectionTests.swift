import TarnClient
import TarnModel
import TarnStorage
import TarnTesting
import Testing

/// Counters, sets, maps and whole assignments, as their writer sees them at once.
struct CollectionTests {
    private var fixture: ReplicaFixture
    private let task: ObjectID

    init() throws {
        fixture = try ReplicaFixture()
        task = try fixture.write { try $0.create("Task", .int(1), []) }
    }

    private mutating func write(
        _ body: (inout WriteTransaction, ObjectID) throws -> Void
    ) throws {
        let task = task
        try fixture.write { try body(&$0, task) }
    }

    private func elements(_ property: String) throws -> [Value] {
        try fixture.read { try $0.elements(property, of: task) }
    }

    private func lastChanges() throws -> [Change] {
        let body = try #require(try fixture.pending.last).sealed.body
        return try TransactionDecoder.transaction(from: body).changes
    }

    @Test
    mutating func `adding shows the sum, wraps, and is refused where nothing can be added to`()
        throws
    {
        try write { try $0.increment("count", of: $1, by: .max) }
        try write { try $0.increment("count", of: $1, by: 2) }
        #expect(try fixture.read { try $0.value("count", of: task) } == .int(.min + 1))
        #expect(throws: ReplicaError.self) {
            try write { try $0.increment("title", of: $1, by: 1) }
        }
        #expect(throws: ReplicaError.self) { try write { try $0.increment("tags", of: $1, by: 1) } }
    }

    @Test mutating func `a set has each element once, in one order`() throws {
        try write { transaction, task in
            for word in ["b", "a", "b"] {
                try transaction.insert(member: .string(word), into: "tags", of: task)
            }
        }
        #expect(try elements("tags") == [.string("a"), .string("b")])
        try write { try $0.remove(member: .string("a"), from: "tags", of: $1) }
        try write { try $0.remove(member: .string("never"), from: "tags", of: $1) }
        #expect(try elements("tags") == [.string("b")])
        try write { try $0.clear("tags", of: $1) }
        #expect(try elements("tags") == [])
    }

    @Test mutating func `a map has one value under each key`() throws {
        try write { transaction, task in
            let link = try transaction.link(to: task)
            try transaction.set(link, under: "boss", in: "roles", of: task)
            try transaction.set(link, under: "aide", in: "roles", of: task)
        }
        let entries = try fixture.read { try $0.entries("roles", of: task) }
        #expect(entries.map(\.entry) == [.string("aide"), .string("boss")])
        try write { try $0.remove(key: "boss", from: "roles", of: $1) }
        #expect(try elements("roles").count == 1)
    }

    @Test mutating func `entries of another kind, too long or to what is not here are refused`()
        throws
    {
        let long = String(repeating: "x", count: TransactionLimits.keyBytesMax + 1)
        #expect(throws: ReplicaError.self) {
            try write { try $0.insert(member: .int(1), into: "tags", of: $1) }
        }
        #expect(throws: ReplicaError.self) {
            try write { try $0.insert(member: .string(long), into: "tags", of: $1) }
        }
        #expect(throws: ReplicaError.self) {
            try write { try $0.set(.null, under: "boss", in: "roles", of: $1) }
        }
        #expect(throws: ReplicaError.self) {
            try write { try $0.insert(member: .string("x"), into: "labels", of: $1) }
        }
        #expect(throws: ReplicaError.self) {
            let nobody = Value.link(Link(key: .int(99), life: nil))
            try write { try $0.insert(member: nobody, into: "near", of: $1) }
        }
        #expect(try fixture.pending.count == 1)
    }

    @Test mutating func `an entry that leads to a deleted object goes with it`() throws {
        let other = try fixture.write { try $0.create("Task", .int(2), []) }
        try write { transaction, task in
            let link = try transaction.link(to: other)
            try transaction.insert(member: link, into: "near", of: task)
            try transaction.set(link, under: "boss", in: "roles", of: task)
        }
        try fixture.write { try $0.delete(other) }
        #expect(try elements("near") == [])
        #expect(try elements("roles") == [])
    }

    @Test mutating func `assigning a list writes the difference alone`() throws {
        func words(_ text: String) -> [Value] { text.map { .string(String($0)) } }
        try write { try $0.assign(words("abcd"), to: "labels", of: $1) }
        #expect(try elements("labels") == words("abcd"))
        try write { try $0.assign(words("axcd"), to: "labels", of: $1) }
        #expect(try elements("labels") == words("axcd"))
        #expect(try lastChanges().count == 2)
        try write { try $0.replace(at: 3, in: "labels", of: $1, by: .string("z")) }
        #expect(try elements("labels") == words("axcz"))
    }

    @Test mutating func `assigning a set or a map writes the difference alone`() throws {
        try write { try $0.assign(members: [.string("a"), .string("b")], to: "tags", of: $1) }
        try write { try $0.assign(members: [.string("b"), .string("c")], to: "tags", of: $1) }
        #expect(try elements("tags") == [.string("b"), .string("c")])
        #expect(try lastChanges().count == 2)
        try write { transaction, task in
            let link = try transaction.link(to: task)
            try transaction.assign(["x": link, "y": link], toMap: "roles", of: task)
        }
        try write { transaction, task in
            let link = try transaction.link(to: task)
            try transaction.assign(["y": link, "z": link], toMap: "roles", of: task)
        }
        #expect(try lastChanges().count == 2)
        let entries = try fixture.read { try $0.entries("roles", of: task) }
        #expect(entries.map(\.entry) == [.string("y"), .string("z")])
    }

    @Test(arguments: UInt64(1)...40)
    func `a list is what was assigned last, and elements of both stay`(seed: UInt64) throws {
        var fixture = try ReplicaFixture(owner: RealmName.localOwner)
        var random = SeededGenerator(seed: seed)
        let task = try fixture.write { try $0.create("Task", .int(1), []) }
        for step in 0..<20 {
            let count = Int.random(in: 0...6, using: &random)
            let words: [Value] = (0..<count).map { _ in
                .string(["a", "b", "c", "d"].randomElement(using: &random) ?? "a")
            }
            try fixture.write { try $0.assign(words, to: "labels", of: task) }
            let found = try fixture.read { try $0.elements("labels", of: task) }
            #expect(found == words, "seed \(seed), step \(step)")
        }
    }
}
