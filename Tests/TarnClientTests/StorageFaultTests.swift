import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage
import Testing

/// A disk may fail at any call: whoever is at work is told so, and nothing of his work is left.
struct StorageFaultTests {
    private static let failure = StorageError(.full, while: "writing", cause: "for a test")

    /// Fails the call of that number, and none before.
    private static func fail(at number: Int, of store: any ReplicaStore) throws -> () -> Bool {
        let store = try #require(store as? MemoryReplicaStore)
        var left = number
        store.fault = { _ in
            left -= 1
            return left == 0 ? failure : nil
        }
        return { left <= 0 }
    }

    private static func tryEach(
        _ body: (inout ReplicaFixture) throws -> Void,
        leaves check: (ReplicaFixture, ReplicaFixture) throws -> Void
    ) throws -> Int {
        for number in 1..<200 {
            let untouched = try ReplicaFixture()
            var fixture = try ReplicaFixture()
            let hasFailed = try fail(at: number, of: fixture.store)
            do {
                try body(&fixture)
                // All calls are through.
                if !hasFailed() { return number }
                Issue.record("a failure at call \(number) was not told")
            } catch {
                #expect((error as? ReplicaError)?.cause == failure, "call \(number): \(error)")
                try check(fixture, untouched)
            }
        }
        return 200
    }

    @Test func `a write that fails at any call says so, and leaves nothing`() throws {
        let calls = try Self.tryEach { fixture in
            try fixture.write { transaction in
                let task = try transaction.create("Task", .int(1))
                try transaction.set("title", of: task, to: .string("milk"))
            }
        } leaves: { failed, untouched in
            let (left, wanted) = (try failed.pending, try untouched.pending)
            #expect(left == wanted)
            let (seen, before) = (try failed.pictures(), try untouched.pictures())
            #expect(seen == before)
        }

        #expect((5..<200).contains(calls))
    }

    @Test func `a subscription that fails at any call says so, and is not there`() throws {
        let calls = try Self.tryEach { fixture in
            _ = try fixture.replica.subscribe(to: "Task", name: "all")
        } leaves: { failed, _ in
            let left = try failed.read { try $0.subscriptions() }
            #expect(left.isEmpty)
        }

        #expect((2..<200).contains(calls))
    }

    @Test func `a group that fails at any call is not taken in part, and fits again`() throws {
        let point = ResumePoint(version: Version(3), salt: Salt(7))
        let group = Group(
            from: .zero, to: point, time: 5,
            classes: [NumberedClass(number: 0, schema: TodoSchema.all[0])], views: [],
            receipts: [], faults: [])
        let calls = try Self.tryEach { fixture in
            try fixture.integrate(group)
        } leaves: { failed, _ in
            let left = try failed.read { try $0.store.resumePoint() }
            #expect(left == .zero)
            (failed.store as? MemoryReplicaStore)?.fault = { _ in nil }
            var again = failed
            try again.integrate(group)
            let taken = try again.read { try $0.store.resumePoint() }
            #expect(taken == point)
        }

        #expect((3..<200).contains(calls))
    }
}
