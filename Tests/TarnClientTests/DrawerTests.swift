import TarnClient
import TarnModel
import TarnStorage
import Testing

/// What was refused lies in the drawer with its changes, and can be said again.
struct DrawerTests {
    private var fixture: ReplicaFixture
    private var server = ModelServer()

    init() throws { fixture = try ReplicaFixture() }

    /// Writes, and is refused.
    private mutating func refused(
        _ body: (inout WriteTransaction) throws -> Void
    ) throws -> KeptReceipt {
        try fixture.write(body)
        try server.refuse(try #require(try fixture.pending.last).sealed)
        try fixture.integrate(server.group())
        return try #require(try fixture.read { try $0.keptReceipts() }.last)
    }

    private mutating func retry(_ kept: KeptReceipt) throws -> RetryReport {
        try fixture.write { try $0.retry(kept) }
    }

    private static func find(_ key: Int64, in transaction: WriteTransaction) throws -> ObjectID {
        try #require(try transaction.reader.find("Task", .int(key)))
    }

    @Test mutating func `a refused creation is written once more, and leaves the drawer`() throws {
        let kept = try refused {
            _ = try $0.create("Task", .int(1), [InitialValue("title", .string("x"))])
        }
        #expect(try fixture.pictures().isEmpty)

        let report = try retry(kept)

        #expect(report == RetryReport(changeCount: 1, lost: []))
        #expect(try fixture.pictures()[.task(1)]?.values["title"] == .string("x"))
        #expect(try fixture.pending.map(\.sequence) == [2])
        #expect(try fixture.read { try $0.keptReceipts() }.isEmpty)
    }

    @Test mutating func `all that one transaction said comes back together`() throws {
        let kept = try refused { transaction in
            let task = try transaction.create("Task", .int(1))
            let other = try transaction.create("Task", .int(2))
            try transaction.set("title", of: task, to: .string("y"))
            try transaction.append(.string("a"), to: "labels", of: task)
            try transaction.append(.string("b"), to: "labels", of: task)
            try transaction.move(from: 1, to: 0, in: "labels", of: task)
            try transaction.delete(other)
        }
        // The moved element never came to be, so that cannot be said any more.
        let report = try retry(kept)

        #expect(report.lost.count == 1)
        let picture = try fixture.pictures()[.task(1)]
        #expect(picture?.values["title"] == .string("y"))
        #expect(picture?.lists["labels"] == [.string("a"), .string("b")])
        #expect(try fixture.pictures()[.task(2)] == nil)
    }

    @Test mutating func `what is not there any more is listed`() throws {
        let kept = try refused { transaction in
            _ = try transaction.create("Task", .int(1))
            let other = try transaction.create("Task", .int(2))
            try transaction.set("title", of: other, to: .string("z"))
        }
        let alone = try refused { transaction in
            let task = try transaction.create("Task", .int(3))
            try transaction.delete(task)
        }
        _ = try retry(kept)
        try fixture.write { try $0.delete(try Self.find(2, in: $0)) }
        let all = try fixture.replica.subscribe(to: "Task", name: "all")
        for entry in try fixture.pending { try server.accept(entry.sealed) }
        server.selectAll(all.number)
        try fixture.integrate(server.group())
        let gone = try refused { transaction in
            let task = try Self.find(1, in: transaction)
            try transaction.set("title", of: task, to: .string("late"))
        }
        try fixture.write { try $0.delete(try Self.find(1, in: $0)) }

        let report = try retry(gone)

        #expect(report == RetryReport(changeCount: 0, lost: ["Task 1 is not here"]))
        #expect(try fixture.read { try $0.keptReceipts() }.contains(gone))
        #expect(alone.body != nil)
    }

    @Test mutating func `nothing is tried twice, and nothing that was applied`() throws {
        let kept = try refused { _ = try $0.create("Task", .int(1)) }
        _ = try retry(kept)
        #expect(throws: ReplicaError.self) { try fixture.write { try $0.retry(kept) } }

        let applied = KeptReceipt(receipt: kept.receipt, body: nil)
        #expect(throws: ReplicaError.self) { try fixture.write { try $0.retry(applied) } }
        #expect(try fixture.pending.count == 1)
    }

    @Test mutating func `what is thrown away is gone, and nothing else is`() throws {
        let first = try refused { _ = try $0.create("Task", .int(1)) }
        let second = try refused { _ = try $0.create("Task", .int(2)) }

        try fixture.replica.drop(first)

        #expect(try fixture.read { try $0.keptReceipts() } == [second])
    }
}
