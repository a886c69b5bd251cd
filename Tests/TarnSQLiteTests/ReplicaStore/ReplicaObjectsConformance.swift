import TarnModel
import TarnQuery
import TarnStorage
import Testing

@Suite(.serialized) struct ReplicaObjectsConformance {
    typealias Task = ClassSchema.Task
    typealias Project = ClassSchema.Project

    @Test(arguments: ReplicaImplementation.allCases)
    func `a new row has no values, and is found by key and number`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().openWithSchema()

        let life = TransactionID(.max, 9)
        let task = try store.write { try store.insert(.int(5), in: Task.number, life: life) }

        let row = ReplicaRow(
            object: task, key: .int(5), life: life, isConfirmed: true, isVisible: true)
        try store.read { () throws in
            #expect(try store.row(of: .int(5), in: Task.number) == row)
            #expect(try store.row(of: task) == row)
            #expect(try store.values(of: task) == Array(repeating: .null, count: 7))
            #expect(try store.row(of: .int(6), in: Task.number) == nil)
            #expect(try store.row(of: .int(5), in: 99) == nil)
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a key stands once, and its number is never given again`(
        kind: ReplicaImplementation
    ) throws {
        let replica = kind.replica()
        let store = try replica.openWithSchema()

        let first = try store.write { try store.insert(.int(1), in: Task.number) }
        #expect(throws: StorageError.self) {
            try store.write { try store.insert(.int(1), in: Task.number) }
        }
        try store.write { try store.removeRow(first) }

        let other = try replica.open()
        let second = try other.write { try other.insert(.int(1), in: Task.number) }
        #expect(second != first)
        try store.read { () throws in #expect(try store.row(of: first) == nil) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `every value comes back as it was set`(kind: ReplicaImplementation) throws {
        let store = try kind.replica().openWithSchema()
        let dates =
            [Timestamp(seconds: -62_135_769_600, nanoseconds: 999_999_999)]
            + [Timestamp(seconds: .max, nanoseconds: 0), Timestamp(seconds: .min, nanoseconds: 1)]
        let values: [[Value]] = [
            [.string("é\u{0}e\u{301}"), .string(""), .null], [.bool(true), .bool(false), .null],
            [.int(.max), .int(.min), .int(0)], dates.compactMap { $0 }.map { .date($0) },
            [.uuid(UUIDValue(high: 0, low: 0)), .uuid(UUIDValue(high: .max, low: 1)), .null],
            [.link(.string("p")), .null, .link(.string(""))],
            [.link(.int(.min)), .null, .link(.int(1))],
        ]

        for round in 0..<3 {
            let object = try store.write {
                let object = try store.insert(.int(Int64(round)), in: Task.number)
                for property in 0..<7 {
                    try store.set(values[property][round], property, of: object)
                }
                return object
            }
            try store.read { () throws in
                #expect(try store.values(of: object) == values.map { $0[round] })
                for property in 0..<7 {
                    #expect(try store.value(property, of: object) == values[property][round])
                }
            }
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a value of another type is refused, and changes nothing`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().openWithSchema()
        let task = try store.write { try store.insert(.int(1), in: Task.number) }

        try store.write {
            for property in [Task.title, Task.project, 99] {
                #expect(throws: StorageError.self) {
                    try store.set(.int(1), property, of: task)
                }
            }
        }

        try store.read { () throws in #expect(try store.value(Task.title, of: task) == .null) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a link to an unknown key leads to a bare row, which goes with the last link`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().openWithSchema()
        let link = Value.link(Link(key: .string("p"), life: TransactionID(1, 1)))

        let tasks = try store.write {
            try [1, 2].map { (key: Int64) in
                let task = try store.insert(.int(key), in: Task.number)
                try store.set(link, Task.project, of: task)
                return task
            }
        }
        let bare = try #require(
            try store.read { try store.row(of: .string("p"), in: Project.number) })
        #expect(bare.isBare)
        try store.read { () throws in
            #expect(try store.value(Task.project, of: tasks[0]) == .link(.string("p")))
            #expect(try store.target(Task.project, of: tasks[0]) == nil)
            #expect(try store.holders(of: bare.object).map(\.object) == tasks)
        }

        try store.write { try store.set(.null, Task.project, of: tasks[0]) }
        try store.read { () throws in #expect(try store.row(of: bare.object) == bare) }
        try store.write { try store.removeRow(tasks[1]) }
        try store.read { () throws in #expect(try store.row(of: bare.object) == nil) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a row that links lead to stays bare when it is removed, with its number`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().openWithSchema()
        let (project, task) = try store.write {
            let project = try store.insert(.string("p"), in: Project.number)
            let task = try store.insert(.int(1), in: Task.number)
            try store.set(.link(.string("p")), Task.project, of: task)
            try store.set(.link(.string("p")), 2, of: project)
            return (project, task)
        }
        try store.read { () throws in #expect(try store.target(Task.project, of: task) == project) }

        try store.write { try store.removeRow(project) }

        try store.read { () throws in
            #expect(try store.row(of: project)?.isBare == true)
            #expect(try store.value(2, of: project) == .null)
            #expect(try store.target(Task.project, of: task) == nil)
            #expect(try store.objects(in: Project.number) == [])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a bare row that a pending transaction touches stays until it is decided`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().openWithSchema()
        let sealed = SealedTransaction(body: [1], hash: .zero, clockTicks: 0)
        let task = try store.write {
            let task = try store.insert(.int(1), in: Task.number)
            try store.append(OutboxEntry(sequence: 1, sealed: sealed), touching: [task])
            try store.removeRow(task)
            return task
        }
        try store.read { () throws in #expect(try store.row(of: task)?.isBare == true) }

        try store.write { try store.removePending(1) }

        try store.read { () throws in #expect(try store.row(of: task) == nil) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `readers see visible objects alone, holders are found in hidden ones too`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().openWithSchema()
        let (project, task) = try store.write {
            let project = try store.insert(.string("p"), in: Project.number)
            let task = try store.insert(.int(1), in: Task.number)
            try store.set(.link(.string("p")), Task.project, of: task)
            return (project, task)
        }
        try store.read { () throws in
            let referrers = try store.referrers(
                of: project, through: Task.project, in: Task.number)
            #expect(referrers == [task])
        }

        try store.write {
            try store.update(
                ReplicaRow(
                    object: task, key: .int(1), life: TransactionID(1, 1), isConfirmed: true,
                    isVisible: false))
        }

        try store.read { () throws in
            #expect(try store.objects(in: Task.number) == [])
            let referrers = try store.referrers(
                of: project, through: Task.project, in: Task.number)
            #expect(referrers == [])
            #expect(try store.holders(of: project) == [Holder(object: task, property: 5)])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a shadow is kept as it was given, until it is taken or its row goes`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().openWithSchema()
        let life = TransactionID(3, 4)
        let shadow = Shadow(
            life: life, values: [.string("a"), .null, .link(Link(key: .int(1), life: life))])
        let task = try store.write {
            let task = try store.insert(.int(1), in: Task.number)
            #expect(try store.shadow(of: task) == nil)
            try store.setShadow(shadow, of: task)
            return task
        }
        try store.read { () throws in #expect(try store.shadow(of: task) == shadow) }

        try store.write { try store.setShadow(nil, of: task) }
        try store.read { () throws in #expect(try store.shadow(of: task) == nil) }

        try store.write {
            try store.setShadow(Shadow(life: nil, values: []), of: task)
            try store.removeRow(task)
        }
        try store.read { () throws in #expect(try store.shadow(of: task) == nil) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a class grows, and the rows that are there get the initial values`(
        kind: ReplicaImplementation
    ) throws {
        let replica = kind.replica()
        let store = try replica.openWithSchema()
        let old = try store.write { try store.insert(.int(1), in: Task.number) }

        let grown = ClassSchema(
            "Task", primaryKey: ClassSchema.task.primaryKey,
            properties: ClassSchema.task.properties + [
                PropertySchema("priority", .int, default: .int(3)),
                .list("tags", of: .string), PropertySchema("seen", .date),
                PropertySchema("group", .link("Group")),
            ])
        let group = ClassSchema("Group", primaryKey: PropertySchema("id", .uuid), properties: [])
        let new = try store.write {
            try store.putClass(grown)
            let new = try store.insert(.int(2), in: Task.number)
            try store.putClass(group)
            return new
        }

        let other = try replica.open()
        try other.read { () throws in
            #expect(other.schema.classes == [grown, .project, group])
            let initial: [Value] = [.int(3), .null, .date(Timestamp(milliseconds: 0)), .null]
            #expect(Array(try other.values(of: old).dropFirst(7)) == initial)
            #expect(try other.values(of: new) == Array(repeating: .null, count: 11))
        }
        let key = PrimaryKey.uuid(UUIDValue(high: 1, low: 2))
        try other.write {
            try other.set(.link(key), 10, of: old)
            try other.put(1, .string("x"), in: ListID(object: old, property: 8))
        }
        try store.read { () throws in
            #expect(try store.row(of: key, in: 2)?.isBare == true)
            #expect(try store.elements(8, of: old) == [.string("x")])
        }
    }
}
