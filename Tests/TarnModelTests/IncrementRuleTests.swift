import TarnModel
import TarnTesting
import Testing

/// Counters: what people add and what they set come together, whoever is first.
struct IncrementRuleTests {
    private let alice = ReplicaID(1)
    private let bob = ReplicaID(2)

    private func increment(_ version: UInt64, _ author: ReplicaID, _ amount: Int64) -> Increment {
        Increment(version: Version(version), author: author, amount: amount)
    }

    @Test func `adding wraps, and to null or anything else nothing is added`() {
        #expect(IncrementRule.adding(2, to: .int(3)) == .int(5))
        #expect(IncrementRule.adding(1, to: .int(.max)) == .int(.min))
        #expect(IncrementRule.adding(1, to: .null) == nil)
        #expect(IncrementRule.adding(1, to: .string("1")) == nil)
    }

    @Test func `a set replaces what its author had seen, and others' later increments survive`() {
        let all = [increment(3, bob, 10), increment(5, bob, 100), increment(6, alice, 1000)]
        func value(_ base: UInt64) -> Value {
            IncrementRule.value(
                setTo: .int(1), by: alice, base: Version(base), surviving: all)
        }

        #expect(value(2) == .int(111))
        #expect(value(3) == .int(101))
        // His own are seen, whatever the base.
        #expect(value(5) == .int(1))
        #expect(
            IncrementRule.value(setTo: .null, by: alice, base: .zero, surviving: all) == .null)
    }

    @Test(arguments: [UInt64](1...50))
    func `increments and one set that did not know of them come to one number in any order`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let amounts = (0..<5).map { _ in Int64.random(in: .min ... .max, using: &random) }
        let setValue = Int64.random(in: .min ... .max, using: &random)
        var outcomes: Set<Value> = []
        for _ in 0..<10 {
            let setPlace = Int.random(in: 0...5, using: &random)
            var present = Value.int(77)
            var known: [Increment] = []
            for (place, amount) in amounts.shuffled(using: &random).enumerated() {
                if place == setPlace { present = set(setValue, known) }
                let version = UInt64(place + 1)
                known.append(increment(version, bob, amount))
                present = IncrementRule.adding(amount, to: present) ?? .null
            }
            if setPlace == 5 { present = set(setValue, known) }
            outcomes.insert(present)
        }

        let sum = amounts.reduce(setValue) { $0 &+ $1 }
        #expect(outcomes == [.int(sum)], "seed \(seed)")
    }

    private func set(_ value: Int64, _ known: [Increment]) -> Value {
        IncrementRule.value(setTo: .int(value), by: alice, base: .zero, surviving: known)
    }
}
