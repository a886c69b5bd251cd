import TarnClient
import TarnModel
import TarnTesting
import Testing

struct AdoptTests {
    @Test(arguments: UInt64(1)...10)
    func `a local realm comes whole into one's own`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var local = try ReplicaFixture(owner: "local")
        for _ in 0..<60 {
            let ref: Ref =
                Bool.random(using: &random)
                ? .task(Int64.random(in: 0..<6, using: &random)) : .project("a")
            try local.write {
                try? RandomChange.make(ref, &$0, ["a", "b"], Array(0..<6), &random)
            }
        }
        let own = try ReplicaFixture(schema: false)

        let count = try own.replica.adopt(local.replica, clockTicks: 1)

        let pictures = try local.pictures()
        #expect(count == pictures.count)
        #expect(try own.pictures() == pictures)
        #expect(try own.pending.count <= 3)
    }

    @Test func `an object that is there already takes the other's values`() throws {
        var local = try ReplicaFixture(owner: "local")
        var own = try ReplicaFixture()
        for title in ["old", "new"] {
            let values = [InitialValue("title", .string(title))]
            if title == "old" {
                try own.write { _ = try $0.create("Task", .int(1), values) }
            } else {
                try local.write { _ = try $0.create("Task", .int(1), values) }
            }
        }

        try own.replica.adopt(local.replica, clockTicks: 5)

        #expect(try own.pictures()[.task(1)]?.values["title"] == .string("new"))
    }

    @Test func `long texts are as many transactions as they need`() throws {
        var local = try ReplicaFixture(owner: "local")
        let page = String(repeating: "x", count: 4_000)
        for first in stride(from: Int64(0), to: 300, by: 100) {
            try local.write { transaction in
                for key in first..<first + 100 {
                    _ = try transaction.create(
                        "Task", .int(key), [InitialValue("title", .string(page))])
                }
            }
        }
        try local.write {
            _ = try $0.create(
                "Task", .int(300),
                [InitialValue("title", .string(String(repeating: "y", count: 990_000)))])
        }
        let own = try ReplicaFixture()

        try own.replica.adopt(local.replica, clockTicks: 1)

        #expect(try own.pictures() == local.pictures())
        #expect(try own.pending.count < 10)
    }

    @Test func `what is more than a transaction holds is several`() throws {
        var local = try ReplicaFixture(owner: "local")
        for first in [Int64(0), 625] {
            try local.write { transaction in
                for key in first..<first + 625 {
                    _ = try transaction.create("Task", .int(key))
                }
            }
        }
        let own = try ReplicaFixture()

        try own.replica.adopt(local.replica, clockTicks: 1)

        #expect(try own.pending.count == 3)
        #expect(try own.pictures().count == 1_250)
    }
}
