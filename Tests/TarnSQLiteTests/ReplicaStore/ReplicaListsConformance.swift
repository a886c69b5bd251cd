import TarnModel
import TarnQuery
import TarnStorage
import TarnTesting
import Testing

@Suite(.serialized) struct ReplicaListsConformance {
    typealias Project = ClassSchema.Project

    /// A project's list of dates and its list of tasks.
    private func lists(
        _ kind: ReplicaImplementation
    ) throws -> (store: any ReplicaStore, days: ListID, tasks: ListID) {
        let store = try kind.replica().openWithSchema()
        let project = try store.write { try store.insert(.string("p"), in: Project.number) }
        return (
            store, ListID(object: project, property: Project.days),
            ListID(object: project, property: Project.tasks)
        )
    }

    private func day(_ number: Int64) -> Value { .date(Timestamp(milliseconds: number)) }

    @Test(arguments: ReplicaImplementation.allCases)
    func `slots stand where they are put, and know their neighbours`(
        kind: ReplicaImplementation
    ) throws {
        let (store, list, _) = try lists(kind)

        try store.write {
            try store.put(1, day(1), in: list)
            try store.put(2, day(2), behind: 1, in: list)
            try store.put(3, day(3), in: list)
            try store.put(4, day(4), behind: 1, in: list)
            try store.put(5, day(5), behind: 99, in: list)
        }

        try store.read { () throws in
            let slots = try store.slots(in: list)
            #expect(slots.map(\.slot) == [3, 1, 4, 2, 5].map { SlotID($0) })
            #expect(try store.predecessor(of: SlotID(4), in: list) == SlotID(1))
            #expect(try store.predecessor(of: SlotID(3), in: list) == nil)
            #expect(try store.lastSlot(in: list) == SlotID(5))
            #expect(try store.slot(SlotID(2), in: list)?.value == day(2))
            #expect(try store.slot(SlotID(9), in: list) == nil)
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a slot that is put again is moved, and becomes as given`(
        kind: ReplicaImplementation
    ) throws {
        let (store, list, _) = try lists(kind)
        try store.write {
            try store.put(1, day(1), in: list)
            try store.put(2, day(2), behind: 1, in: list)

            try store.put(1, day(9), behind: 2, in: list, isConfirmed: false)
        }

        try store.read { () throws in
            let slots = try store.slots(in: list)
            #expect(slots.map(\.slot) == [SlotID(2), SlotID(1)])
            #expect(slots.map(\.value) == [day(2), day(9)])
            #expect(slots.map(\.isConfirmed) == [true, false])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a slot of neither layer is gone`(kind: ReplicaImplementation) throws {
        let (store, list, _) = try lists(kind)
        try store.write {
            try store.put(1, day(1), in: list)
            try store.put(2, day(2), in: list)
            try store.setFlags(of: SlotID(1), isConfirmed: false, isVisible: false, in: list)
            try store.setFlags(of: SlotID(8), isConfirmed: true, isVisible: true, in: list)
        }

        try store.read { () throws in #expect(try store.slots(in: list).map(\.slot) == [SlotID(2)])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `going back to the confirmed layer undoes what is pending, and nothing else`(
        kind: ReplicaImplementation
    ) throws {
        let (store, list, _) = try lists(kind)
        try store.write {
            try store.put(1, day(1), in: list)
            try store.put(2, day(2), behind: 1, in: list, isVisible: false)
            try store.put(3, day(3), behind: 2, in: list, isConfirmed: false)
        }
        try store.read { () throws in
            #expect(try store.elements(list.property, of: list.object).count == 2)
        }

        try store.write { try store.resetToConfirmed(list) }

        try store.read { () throws in
            #expect(try store.slots(in: list).map(\.slot) == [SlotID(1), SlotID(2)])
            #expect(try store.elements(list.property, of: list.object) == [day(1), day(2)])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a moved element is found in its visible slot`(kind: ReplicaImplementation) throws {
        let (store, list, _) = try lists(kind)
        let element = ElementID(insertedIn: SlotID(1))
        try store.write {
            try store.put(1, day(1), in: list)
            #expect(try store.visibleSlot(of: element, in: list)?.slot == SlotID(1))

            try store.setFlags(of: SlotID(1), isConfirmed: true, isVisible: false, in: list)
            #expect(try store.visibleSlot(of: element, in: list) == nil)
            let moved = ReplicaSlot(
                slot: SlotID(2), element: element, value: day(1), isConfirmed: false,
                isVisible: true)
            try store.put(moved, behind: SlotID(1), in: list)

            #expect(try store.visibleSlot(of: element, in: list) == moved)
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `links in lists hold their targets, in either layer`(
        kind: ReplicaImplementation
    ) throws {
        let (store, _, list) = try lists(kind)
        let task = try store.write {
            let task = try store.insert(.int(1), in: ClassSchema.Task.number)
            try store.put(1, .link(.int(1)), in: list)
            try store.put(2, .link(.int(1)), in: list)
            try store.put(3, .link(.int(2)), in: list, isVisible: false)
            return task
        }

        try store.read { () throws in
            #expect(
                try store.holders(of: task)
                    == [Holder(object: list.object, property: list.property)])
            #expect(try store.targets(list.property, of: list.object) == [task, task])
            let leading = try store.slots(in: list, leadingTo: task)
            #expect(leading.map(\.slot) == [SlotID(2), SlotID(1)])
            #expect(try store.slots(in: list, leadingTo: list.object) == [])
            let hidden = try #require(try store.row(of: .int(2), in: ClassSchema.Task.number))
            #expect(hidden.isBare)
            #expect(try store.slots(in: list, leadingTo: hidden.object) == [])
            #expect(try store.holders(of: hidden.object) == [])
        }

        try store.write { try store.removeRow(list.object) }
        try store.read { () throws in
            #expect(try store.row(of: .int(2), in: ClassSchema.Task.number) == nil)
            #expect(try store.holders(of: task) == [])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases, [UInt64](1...3))
    func `the order holds however often one place is inserted at`(
        kind: ReplicaImplementation, seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let (store, list, _) = try lists(kind)
        var expected: [SlotID] = []

        try store.write {
            for number in 1...600 as ClosedRange<UInt64> {
                // Runs in the middle use room up fastest; the rest grows towards one end.
                let index =
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0: Int.random(in: 0...expected.count, using: &random)
                    case 1: seed % 2 == 0 ? expected.count : 0
                    default: expected.count / 2
                    }
                let slot = SlotID(number)
                try store.put(
                    ReplicaSlot(
                        slot: slot, element: ElementID(insertedIn: slot), value: day(0),
                        isConfirmed: true, isVisible: true),
                    behind: index == 0 ? nil : expected[index - 1], in: list)
                expected.insert(slot, at: index)
            }
        }

        try store.read { () throws in
            #expect(try store.slots(in: list).map(\.slot) == expected)
            let predecessors = try expected.map { try store.predecessor(of: $0, in: list) }
            #expect(predecessors == [nil] + expected.dropLast())
        }
    }

    @Test(arguments: ReplicaImplementation.allCases, [true, false])
    func `one gap takes any number of slots`(
        kind: ReplicaImplementation, isTyped: Bool
    ) throws {
        let (store, list, _) = try lists(kind)
        try store.write {
            try store.put(1, day(1), in: list)
            try store.put(2, day(2), behind: 1, in: list)
            // Each behind the last, as one types, or each on top of the last.
            for number in 3...200 as ClosedRange<UInt64> {
                let last: UInt64 = isTyped && number > 3 ? number - 1 : 1
                try store.put(number, day(0), behind: last, in: list)
            }
        }

        let middle = Array(3...200 as ClosedRange<UInt64>)
        let expected = [1] + (isTyped ? middle : middle.reversed()) + [2]
        try store.read { () throws in
            let slots = try store.slots(in: list)
            #expect(slots.map(\.slot) == expected.map { SlotID($0) })
            for (slot, next) in zip(expected, expected.dropFirst()) {
                #expect(try store.predecessor(of: SlotID(next), in: list) == SlotID(slot))
            }
        }
    }
}
