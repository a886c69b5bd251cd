import TarnModel
import TarnTesting
import Testing

/// The table of `docs/merge-rules.md`, as far as pure functions decide it.
struct MergeTableTests {
    private static let life = TransactionID(replica: ReplicaID(1), sequence: 1)
    private static let other = TransactionID(replica: ReplicaID(2), sequence: 5)

    private static func mark(_ ticks: UInt64, _ replica: UInt64, isDefault: Bool = false)
        -> RegisterMark
    {
        RegisterMark(
            stamp: Stamp(ticks: ticks, replica: ReplicaID(replica)), isDefault: isDefault)
    }

    @Test(arguments: [
        (mark(2, 1), mark(1, 9), true),
        (mark(1, 9), mark(2, 1), false),
        // At one tick the replica decides.
        (mark(1, 2), mark(1, 1), true),
        (mark(1, 1), mark(1, 2), false),
        // The same edit seen again.
        (mark(1, 1), mark(1, 1), false),
        // A default loses to what was said, be it older.
        (mark(9, 1, isDefault: true), mark(1, 1), false),
        (mark(1, 1), mark(9, 1, isDefault: true), true),
        (mark(2, 1, isDefault: true), mark(1, 1, isDefault: true), true),
        (mark(1, 1, isDefault: true), mark(2, 1, isDefault: true), false),
    ])
    func `set meets set`(incoming: RegisterMark, present: RegisterMark, replaces: Bool) {
        #expect(RegisterRule.replaces(incoming, over: present) == replaces)
    }

    @Test(arguments: [UInt64](1...50))
    func `registers agree whatever the order and however often values arrive`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let marks = (0..<6).map { _ in
            Self.mark(
                .random(in: 0...2, using: &random), .random(in: 1...2, using: &random),
                isDefault: .random(using: &random))
        }
        let outcomes = (0..<20).map { _ in
            let arriving = (marks + marks.prefix(2)).shuffled(using: &random)
            return arriving.dropFirst().reduce(arriving[0]) { present, incoming in
                RegisterRule.replaces(incoming, over: present) ? incoming : present
            }
        }

        #expect(Set(outcomes).count == 1)
    }

    @Test(
        arguments: [
            (KeyState.absent, 5, 0, CreationOutcome.creates),
            (.present(life: life), 5, 0, .merges(into: life)),
            (.present(life: life), 0, 9, .merges(into: life)),
            // The author had seen the delete, or had not.
            (.deleted(at: Version(5)), 5, 0, .creates),
            (.deleted(at: Version(5)), 6, 0, .creates),
            (.deleted(at: Version(5)), 4, 0, .overridden),
            // Deletes at or below the floor are forgotten.
            (.deleted(at: Version(5)), 4, 5, .creates),
            (.deleted(at: Version(5)), 4, 4, .overridden),
        ] as [(KeyState, UInt64, UInt64, CreationOutcome)])
    func `create meets what a key was`(
        state: KeyState, base: UInt64, floor: UInt64, outcome: CreationOutcome
    ) {
        let met = LifeRule.creation(meets: state, base: Version(base), floor: Version(floor))
        #expect(met == outcome)
    }

    @Test(arguments: [
        (KeyState.present(life: life), ChangeTarget.present),
        (.present(life: other), .gone),
        (.deleted(at: Version(3)), .gone),
        (.absent, .gone),
    ])
    func `a change meets the life that it names or none`(state: KeyState, target: ChangeTarget) {
        #expect(LifeRule.change(names: Self.life, meets: state) == target)
    }

    @Test func `move and remove meet where an element stands`() {
        let slot = SlotID(transaction: Self.life, ordinal: 3)
        let placed = ElementState.placed(
            in: slot, stamp: Stamp(ticks: 5, replica: ReplicaID(1)))
        let later = Stamp(ticks: 5, replica: ReplicaID(2))
        let earlier = Stamp(ticks: 4, replica: ReplicaID(9))

        #expect(ElementRule.move(meets: placed, stamp: later) == .moves(from: slot))
        #expect(ElementRule.move(meets: placed, stamp: earlier) == .overridden)
        #expect(ElementRule.move(meets: .gone, stamp: later) == .overridden)
        #expect(ElementRule.removal(meets: placed) == slot)
        #expect(ElementRule.removal(meets: .gone) == nil)
    }

    @Test func `add class meets a class of that name`() {
        let key = PropertySchema("id", .int)
        let name = PropertySchema("name", .string)
        let done = PropertySchema("done", .bool)
        let present = Schema([ClassSchema("Item", primaryKey: key, properties: [name])])
        func adding(_ key: PropertySchema, _ properties: [PropertySchema]) -> SchemaAddition {
            present.adding(ClassSchema("Item", primaryKey: key, properties: properties))
        }

        #expect(adding(key, [name]) == .nothingNew)
        #expect(adding(key, []) == .nothingNew)
        #expect(
            adding(key, [done, name])
                == .changed(ClassSchema("Item", primaryKey: key, properties: [name, done])))
        // The first default holds.
        #expect(adding(key, [PropertySchema("name", .string, default: "x")]) == .nothingNew)
        for conflict in [
            adding(key, [PropertySchema("name", .int)]),
            adding(key, [PropertySchema("name", .string, isOptional: true)]),
            adding(key, [.list("name", of: .string)]),
            adding(key, [.set("name", of: .string)]),
            adding(key, [PropertySchema("name", .string, isUnique: true)]),
            present.adding(
                ClassSchema("Item", primaryKey: key, properties: [name], isEmbedded: true)),
            // Faults of a class by itself.
            adding(key, [.list("owned", of: .int, isOwning: true)]),
            adding(key, [PropertySchema("slug", .double, isUnique: true)]),
            adding(key, [PropertySchema("slug", .string, isUnique: true, default: "x")]),
            adding(key, [PropertySchema("many", .string, .list, isOptional: true)]),
            // Objects that are there would all have its zero value.
            adding(key, [PropertySchema("slug", .string, isUnique: true)]),
            adding(PropertySchema("id", .string), [name]),
            adding(PropertySchema("key", .int), [name]),
        ] {
            guard case .conflict = conflict else {
                Issue.record("\(conflict) is no conflict")
                continue
            }
        }
    }
}

extension Value: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}
