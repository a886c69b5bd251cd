import TarnClient
import TarnModel
import TarnStorage
import TarnTesting
import Testing

/// Taking back what one wrote: what still comes from it, and nothing else.
struct UndoTests {
    private var fixture: ReplicaFixture

    init() throws { fixture = try ReplicaFixture(owner: RealmName.localOwner) }

    private func undo(_ sequence: UInt64? = nil) throws -> UndoReport {
        try fixture.replica.write(clockTicks: 1_000) { try $0.undo(sequence) }
    }

    private mutating func task(_ number: Int64, _ title: String) throws -> ObjectID {
        try fixture.write {
            try $0.create("Task", .int(number), [InitialValue("title", .string(title))])
        }
    }

    private func title(_ task: ObjectID) throws -> Value {
        try fixture.read { try $0.value("title", of: task) }
    }

    @Test mutating func `the last write is set back, then the one before it`() throws {
        let task = try task(1, "milk")
        try fixture.write { try $0.set("title", of: task, to: .string("bread")) }

        #expect(try undo() == UndoReport(sequence: 2, undoneCount: 1, kept: []))
        #expect(try title(task) == .string("milk"))
        #expect(try undo().sequence == 1)
        #expect(try fixture.object(.task(1)) == nil)
        #expect(throws: ReplicaError(.nothingToUndo, "there is nothing to undo")) { try undo() }
    }

    @Test mutating func `an undo is itself a write that can be set back`() throws {
        let task = try task(1, "milk")
        try fixture.write { try $0.set("title", of: task, to: .string("bread")) }
        _ = try undo()

        #expect(try undo(3).undoneCount == 1)
        #expect(try title(task) == .string("bread"))
        #expect(throws: ReplicaError.self) { try undo(2) }
    }

    @Test mutating func `what has been changed since stays, and is told`() throws {
        let task = try task(1, "milk")
        try fixture.write {
            try $0.set("title", of: task, to: .string("bread"))
            try $0.set("done", of: task, to: .bool(true))
        }
        try fixture.write { try $0.set("title", of: task, to: .string("butter")) }

        let report = try undo(2)

        #expect(report.undoneCount == 1)
        #expect(report.kept == ["Task 1 has another title since"])
        #expect(try title(task) == .string("butter"))
        #expect(try fixture.read { try $0.value("done", of: task) } == .bool(false))
        #expect(try undo(1).kept == ["Task 1 was changed since, and stays"])
    }

    @Test mutating func `a deleted object comes back with all that it held, in all its places`()
        throws
    {
        let (one, two) = (try task(1, "milk"), try task(2, "bread"))
        let project = try fixture.write { transaction in
            let project = try transaction.create("Project", .string("home"), [])
            for task in [one, two, one] {
                try transaction.append(
                    try transaction.link(to: task), to: "tasks", of: project)
            }
            try transaction.set("lead", of: project, to: try transaction.link(to: one))
            try transaction.append(.string("red"), to: "labels", of: one)
            try transaction.insert(member: .string("x"), into: "tags", of: one)
            try transaction.insert(
                member: try transaction.link(to: one), into: "near", of: two)
            try transaction.set(
                try transaction.link(to: one), under: "boss", in: "roles", of: two)
            return project
        }
        let before = try fixture.pictures()
        try fixture.write { try $0.delete(one) }
        try fixture.write { try $0.delete(project) }

        #expect(try undo(5).undoneCount == 1)
        #expect(try undo(4).undoneCount == 1)

        #expect(try fixture.pictures() == before)
    }

    @Test mutating func `a counter loses what was added, whatever others have added since`() throws
    {
        let task = try task(1, "milk")
        try fixture.write { try $0.increment("count", of: task, by: 5) }
        try fixture.write { try $0.increment("count", of: task, by: 100) }

        #expect(try undo(2).kept.isEmpty)

        #expect(try fixture.read { try $0.value("count", of: task) } == .int(100))
    }

    @Test mutating func `an import is not undone in one, nor what was written before it instead`()
        throws
    {
        let task = try task(1, "kept")
        for batch in Int64(1)...2 {
            try fixture.write { transaction in
                for number in 0..<450 {
                    _ = try transaction.create("Task", .int(batch * 1_000 + Int64(number)), [])
                }
            }
        }

        for sequence in [nil, 2, 3, 4] as [UInt64?] {
            let error = #expect(throws: ReplicaError.self) { _ = try undo(sequence) }
            #expect(error?.code == .nothingToUndo)
        }
        #expect(try title(task) == .string("kept"))

        // By its number, what came before it is still there to be set back, and what comes next is.
        _ = try self.task(2, "later")
        #expect(try undo().sequence == 4)
        #expect(try fixture.read { try $0.find("Task", .int(2)) } == nil)
        #expect(try undo(1).undoneCount == 1)
        #expect(try fixture.read { try $0.find("Task", .int(1)) } == nil)
    }

    @Test mutating func `what would be too heavy to come back is not set back`() throws {
        let texts = try (1...3).map { try task(Int64($0), String(repeating: "x", count: 400_000)) }
        try fixture.write { transaction in
            for text in texts { try transaction.delete(text) }
        }

        let error = #expect(throws: ReplicaError.self) { _ = try undo() }

        #expect(error?.code == .nothingToUndo)
    }

    @Test(arguments: UInt64(1)...60)
    func `nothing is left of a write that was undone at once`(seed: UInt64) throws {
        var fixture = try ReplicaFixture(owner: RealmName.localOwner)
        var random = SeededGenerator(seed: seed)
        let (tasks, projects) = (Array(Int64(0)..<5), ["a", "b"])
        for step in 0..<25 {
            let before = try fixture.pictures()
            let last = try fixture.read { try $0.status().chain.sequence }
            let count = Int.random(in: 1...5, using: &random)
            var dice = random
            try fixture.write { transaction in
                for _ in 0..<count {
                    let ref: Ref =
                        Bool.random(using: &dice)
                        ? .task(tasks.randomElement(using: &dice) ?? 0)
                        : .project(projects.randomElement(using: &dice) ?? "a")
                    try? RandomChange.make(ref, &transaction, projects, tasks, &dice)
                }
            }
            random = dice
            let written = try fixture.read { try $0.status().chain.sequence }
            guard written > last, Bool.random(using: &random) else { continue }
            let report = try fixture.replica.write(clockTicks: 1_000) { try $0.undo(written) }
            #expect(report.kept.isEmpty, "seed \(seed), step \(step)")
            #expect(try fixture.pictures() == before, "seed \(seed), step \(step)")
        }
    }
}
