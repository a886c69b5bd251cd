import TarnClient
import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage
import TarnTesting
import Testing

struct LiveResultTests {
    private var fixture: ReplicaFixture
    private var live = LiveResult(.query("Task SORT(title ASC)", arguments: []))

    init() throws { fixture = try ReplicaFixture() }

    @discardableResult
    private mutating func refresh() throws -> ChangeSet {
        var next = live
        let changes = try fixture.read { try next.refresh(in: $0) }
        live = next
        return changes
    }

    private mutating func create(_ key: Int64, _ title: String) throws -> ObjectID {
        try fixture.write {
            try $0.create("Task", .int(key), [InitialValue("title", .string(title))])
        }
    }

    @Test mutating func `the first refresh inserts every row, the next says nothing`() throws {
        _ = try create(1, "b")
        _ = try create(2, "a")

        #expect(try refresh().insertions == [0, 1])
        #expect(live.rows.count == 2 && live.isPartial)
        #expect(try refresh().isEmpty)
    }

    @Test mutating func `a changed row is modified, and moved where its place changed`() throws {
        let first = try create(1, "a")
        _ = try create(2, "b")
        try refresh()

        try fixture.write { try $0.set("done", of: first, to: .bool(true)) }
        let modified = try refresh()
        #expect(modified.modifications == [ChangeSet.Modification(old: 0, new: 0)])

        try fixture.write { try $0.set("title", of: first, to: .string("c")) }
        let moved = try refresh()
        #expect(moved.moves.count == 1 && moved.modifications.map(\.old) == [0])
    }

    @Test mutating func `a change three links away modifies the row, and one four away does not`()
        throws
    {
        // Task 1 -> project a -> task 2 -> project b -> task 3.
        try fixture.write { transaction in
            for key in Int64(1)...3 { _ = try transaction.create("Task", .int(key)) }
            for name in ["a", "b"] { _ = try transaction.create("Project", .string(Text(name))) }
            func object(_ ref: Ref) throws -> ObjectID {
                try #require(try transaction.reader.find(ref.className, ref.key))
            }
            let links: [(Ref, String, Ref)] = [
                (.task(1), "project", .project("a")), (.project("a"), "lead", .task(2)),
                (.task(2), "project", .project("b")), (.project("b"), "lead", .task(3)),
            ]
            for (from, property, to) in links {
                let link = try transaction.link(to: try object(to))
                try transaction.set(property, of: try object(from), to: link)
            }
        }
        live = LiveResult(.query("Task WHERE id == 1", arguments: []))
        try refresh()
        let (near, far) = (
            try #require(try fixture.object(.project("b"))),
            try #require(try fixture.object(.task(3)))
        )

        try fixture.write { try $0.set("title", of: far, to: .string("far")) }
        #expect(try refresh().isEmpty)
        try fixture.write { try $0.set("colour", of: near, to: .int(9)) }
        #expect(try refresh().modifications.count == 1)
    }

    @Test mutating func `a receipt that says what was seen already modifies nothing`() throws {
        var server = ModelServer()
        let added = try fixture.replica.subscribe(to: "Task SORT(title ASC)", name: "all")
        server.members[added.number] = []
        try fixture.integrate(server.group())
        let task = try create(1, "a")
        live = LiveResult(.subscription("all"))
        try refresh()
        try server.accept(try #require(try fixture.pending.first).sealed)
        server.selectAll(added.number)

        try fixture.integrate(server.group())

        #expect(try fixture.read { try $0.status().unsentCount } == 0)
        #expect(try refresh().isEmpty)
        #expect(live.rows == [task])
    }

    @Test mutating func `where notes were dropped, every row may be another`() throws {
        let task = try create(1, "a")
        _ = try create(2, "b")
        try refresh()

        for _ in 0...ReplicaLimits.notesMax {
            try fixture.write { try $0.set("done", of: task, to: .bool(true)) }
        }

        #expect(try refresh().modifications.count == 2)
    }

    @Test(arguments: UInt64(1)...20)
    func `a change set applied to the old rows gives the new ones`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var fixture = fixture
        var live = live
        for _ in 0..<40 {
            let old = live.rows
            try fixture.write { transaction in
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let key = PrimaryKey.int(Int64.random(in: 0..<9, using: &random))
                    let title = Value.string("\(Int.random(in: 0..<9, using: &random))")
                    guard let object = try transaction.reader.find("Task", key) else {
                        _ = try transaction.create("Task", key, [InitialValue("title", title)])
                        continue
                    }
                    if Bool.random(using: &random) {
                        try transaction.set("title", of: object, to: title)
                    } else {
                        try transaction.delete(object)
                    }
                }
            }
            let changes = try fixture.read { try live.refresh(in: $0) }
            #expect(changes.applied(to: old, inserting: live.rows) == live.rows)
        }
    }
}
