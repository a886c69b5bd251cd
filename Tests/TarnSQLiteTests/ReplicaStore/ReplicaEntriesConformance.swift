import TarnModel
import TarnQuery
import TarnStorage
import Testing

/// What every replica store promises of sets, maps, doubles and data.
@Suite(.serialized) struct ReplicaEntriesConformance {
    typealias Task = ClassSchema.Task
    typealias Project = ClassSchema.Project
    typealias Sample = ClassSchema.Sample

    private let key = PrimaryKey.uuid(UUIDValue(high: 1, low: 0))

    private func entry(
        _ entry: Value, confirmed: Value? = nil, visible: Value? = nil
    ) -> ReplicaEntry {
        ReplicaEntry(entry: entry, confirmed: confirmed, visible: visible)
    }

    /// A replica with one sample, and its collection of that property.
    private func opened(
        _ kind: ReplicaImplementation, _ property: Int
    ) throws -> (store: any ReplicaStore, collection: ListID) {
        let store = try kind.replica().openWithSamples()
        let sample = try store.write { try store.insert(key, in: Sample.number) }
        return (store, ListID(object: sample, property: property))
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `an entry has two layers, and is gone when neither has it`(
        kind: ReplicaImplementation
    ) throws {
        let (store, marks) = try opened(kind, Sample.marks)
        let one = Value.double(1)
        let layers = [
            entry(.string("a"), confirmed: one, visible: one),
            entry(.string("b"), confirmed: one, visible: nil),
            entry(.string("c"), confirmed: nil, visible: .null),
            entry(.string("d"), confirmed: .null, visible: one),
            entry(.string("e"), confirmed: .null, visible: .null),
            entry(.string("f"), confirmed: .double(0.0), visible: .double(-0.0)),
        ]

        try store.write { for entry in layers { try store.put(entry, in: marks) } }
        try store.read { () throws in
            #expect(try store.entries(in: marks) == layers)
            for entry in layers { #expect(try store.entry(entry.entry, in: marks) == entry) }
            #expect(
                try store.elements(marks.property, of: marks.object)
                    == [one, .null, one, .null, .double(-0.0)])
        }

        try store.write {
            for (index, layer) in layers.enumerated() {
                try store.put(
                    entry(layer.entry, confirmed: index < 2 ? nil : layer.confirmed), in: marks)
            }
        }
        try store.read { () throws in
            #expect(
                try store.entries(in: marks)
                    == layers.dropFirst(3).map { entry($0.entry, confirmed: $0.confirmed) })
            #expect(try store.elements(marks.property, of: marks.object).isEmpty)
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `resetting makes the user see what the server said`(kind: ReplicaImplementation) throws {
        let (store, moments) = try opened(kind, Sample.moments)
        let numbers = ListID(object: moments.object, property: Sample.numbers)
        let (day, next) = (
            Value.date(Timestamp(milliseconds: 0)), Value.date(Timestamp(milliseconds: -1))
        )
        try store.write {
            try store.put(entry(.string("a"), confirmed: day, visible: next), in: moments)
            try store.put(entry(.string("b"), confirmed: nil, visible: next), in: moments)
            try store.put(entry(.string("c"), confirmed: .null, visible: nil), in: moments)
            try store.put(entry(.string("d"), confirmed: day, visible: day), in: moments)
            try store.put(entry(.double(0.0), confirmed: .bool(true)), in: numbers)
            try store.put(entry(.double(-0.0), visible: .bool(true)), in: numbers)
        }

        try store.write {
            try store.resetEntriesToConfirmed(moments)
            try store.resetEntriesToConfirmed(numbers)
        }

        try store.read { () throws in
            let expected = [("a", day), ("c", Value.null), ("d", day)].map {
                entry(.string($0), confirmed: $1, visible: $1)
            }
            #expect(try store.entries(in: moments) == expected)
            #expect(try store.elements(numbers.property, of: numbers.object) == [.double(0.0)])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a set tells zeros and NaNs apart by their bits`(kind: ReplicaImplementation) throws {
        let (store, numbers) = try opened(kind, Sample.numbers)
        let values = ReplicaValues.doubles.map(Value.double)
        try store.write {
            for value in values {
                try store.put(entry(value, visible: .bool(true)), in: numbers)
            }
        }
        try store.read { () throws in
            #expect(try store.elements(numbers.property, of: numbers.object) == values.sorted())
        }

        for (index, value) in values.enumerated() {
            try store.write { try store.put(entry(value), in: numbers) }

            try store.read { () throws in
                #expect(try store.entry(value, in: numbers) == nil)
                let left = values.dropFirst(index + 1).sorted()
                #expect(try store.entries(in: numbers).map(\.entry) == left)
            }
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a double and data come back to the bit, in cells, lists, maps and shadows`(
        kind: ReplicaImplementation
    ) throws {
        let (store, marks) = try opened(kind, Sample.marks)
        let sample = marks.object
        let data = ReplicaValues.data + [[UInt8](repeating: 200, count: 3 << 20)]
        let (readings, blobs, prints) = (
            ListID(object: sample, property: 2), ListID(object: sample, property: 3),
            ListID(object: sample, property: 16)
        )
        for (index, number) in ReplicaValues.doubles.enumerated() {
            let (value, bytes) = (Value.double(number), Value.data(data[index % data.count]))
            let name = Value.string("\(100 + index)")
            let last: UInt64? = index == 0 ? nil : UInt64(index)
            try store.write {
                try store.set(value, 0, of: sample)
                try store.set(bytes, 1, of: sample)
                try store.setShadow(Shadow(life: nil, values: [value, bytes]), of: sample)
                try store.put(UInt64(index) + 1, value, behind: last, in: readings)
                try store.put(UInt64(index) + 1, bytes, behind: last, in: blobs)
                try store.put(entry(name, confirmed: value, visible: value), in: marks)
                try store.put(entry(name, confirmed: bytes, visible: nil), in: prints)
            }
            try store.read { () throws in
                #expect(try Array(store.values(of: sample).prefix(2)) == [value, bytes])
                #expect(try store.value(0, of: sample) == value)
                #expect(try store.shadow(of: sample)?.values == [value, bytes])
                #expect(try store.entry(name, in: marks)?.confirmed == value)
                #expect(try store.entry(name, in: prints)?.confirmed == bytes)
            }
        }
        try store.read { () throws in
            let doubles = ReplicaValues.doubles.map(Value.double)
            #expect(try store.elements(2, of: sample) == doubles)
            #expect(try store.elements(marks.property, of: sample) == doubles)
            #expect(try store.elements(3, of: sample).count == doubles.count)
            #expect(try store.elements(3, of: sample)[0] == .data([]))
        }
    }

    @Test(arguments: ReplicaImplementation.allCases, [true, false])
    func `a bare row is kept by an entry of either layer, and goes with the last`(
        kind: ReplicaImplementation, isMap: Bool
    ) throws {
        let (store, collection) = try opened(kind, isMap ? Sample.homes : Sample.tasks)
        let link: Value = isMap ? .link(.string("p")) : .link(.int(5))
        let target: PrimaryKey = isMap ? .string("p") : .int(5)
        let number = isMap ? Project.number : Task.number
        let (name, value): (Value, Value) = isMap ? (.string("home"), link) : (link, .bool(true))
        func bare() throws -> ReplicaRow? { try store.row(of: target, in: number) }

        try store.write {
            try store.put(entry(name, confirmed: value, visible: value), in: collection)
        }
        let row = try #require(try store.read { try bare() })
        #expect(row.isBare)
        try store.read { () throws in
            let holder = Holder(object: collection.object, property: collection.property)
            #expect(try store.holders(of: row.object) == [holder])
            #expect(try store.targets(collection.property, of: collection.object).isEmpty)
        }

        try store.write { try store.put(entry(name, confirmed: value), in: collection) }
        try store.read { () throws in
            #expect(try bare() == row)
            #expect(try store.holders(of: row.object).isEmpty)
        }
        try store.write { try store.put(entry(name, visible: value), in: collection) }
        try store.read { () throws in #expect(try bare() == row) }

        try store.write { try store.resetEntriesToConfirmed(collection) }
        try store.read { () throws in #expect(try bare() == nil) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a row that goes takes its entries, and what only they kept`(
        kind: ReplicaImplementation
    ) throws {
        let (store, tasks) = try opened(kind, Sample.tasks)
        let homes = ListID(object: tasks.object, property: Sample.homes)
        try store.write {
            try store.put(entry(.link(.int(1)), visible: .bool(true)), in: tasks)
            try store.put(entry(.link(.int(2)), confirmed: .bool(true)), in: tasks)
            try store.put(
                entry(
                    .string("x"), confirmed: .link(.string("a")), visible: .link(.string("b"))),
                in: homes)
        }
        try store.read { () throws in
            #expect(try store.row(of: .int(2), in: Task.number)?.isBare == true)
            #expect(try store.row(of: .string("a"), in: Project.number)?.isBare == true)
        }

        try store.write { try store.removeRow(tasks.object) }

        try store.read { () throws in
            #expect(try store.entries(in: tasks).isEmpty)
            for key in [1, 2] as [Int64] {
                #expect(try store.row(of: .int(key), in: Task.number) == nil)
            }
            for key in ["a", "b"] {
                #expect(try store.row(of: .string(Text(key)), in: Project.number) == nil)
            }
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `an object is found by the sets and maps that visibly hold it`(
        kind: ReplicaImplementation
    ) throws {
        let (store, peers) = try opened(kind, 12)
        let roles = ListID(object: peers.object, property: 18)
        let me = Value.link(key)
        try store.write {
            try store.put(entry(me, visible: .bool(true)), in: peers)
            try store.put(entry(.string("a"), confirmed: .null, visible: me), in: roles)
            try store.put(entry(.string("b"), visible: me), in: roles)
        }

        try store.read { () throws in
            #expect(try store.holders(of: peers.object).map(\.property) == [12, 18])
            for collection in [peers, roles] {
                let referrers = try store.referrers(
                    of: peers.object, through: collection.property, in: Sample.number)
                #expect(referrers == [peers.object])
            }
            let targets = try store.targets(18, of: peers.object)
            #expect(targets == [peers.object, peers.object])
        }

        try store.write { try store.resetEntriesToConfirmed(roles) }
        try store.read { () throws in
            #expect(try store.holders(of: peers.object).map(\.property) == [12])
        }
        try store.write { try store.removeRow(peers.object) }
        try store.read { () throws in #expect(try store.row(of: peers.object) == nil) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `entries that do not fit are refused`(kind: ReplicaImplementation) throws {
        let (store, marks) = try opened(kind, Sample.marks)
        let tasks = ListID(object: marks.object, property: Sample.tasks)
        let long = Value.string(String(repeating: "x", count: 1025))
        let gone = ObjectID(classNumber: Sample.number, number: 99)

        try store.write {
            for (entry, collection) in [
                (entry(.int(1), visible: .double(1)), marks),
                (entry(.string("a"), visible: .int(1)), marks),
                (entry(.string("a"), confirmed: .int(1), visible: .double(1)), marks),
                (entry(long, visible: .double(1)), marks),
                (entry(.link(.int(1)), visible: .bool(false)), tasks),
                (entry(.link(.int(1)), confirmed: .null), tasks),
                (
                    entry(.string("a"), visible: .double(1)),
                    ListID(object: gone, property: Sample.marks)
                ),
            ] {
                #expect(throws: StorageError.self) { try store.put(entry, in: collection) }
            }
        }

        try store.read { () throws in
            #expect(try store.entries(in: marks).isEmpty)
            #expect(try store.entries(in: tasks).isEmpty)
        }
    }
}
