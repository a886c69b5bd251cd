import TarnModel
import TarnSQLite
import TarnStorage
import TarnTesting

/// What keeps a replica, so that one suite holds all of them to the port's promises.
enum ReplicaImplementation: String, CaseIterable, Sendable {
    case memory, sqlite

    /// A new, empty replica.
    func replica() -> TestReplica {
        switch self {
        case .memory:
            let replica = MemoryReplica()
            return TestReplica { MemoryReplicaStore(on: replica) }
        case .sqlite:
            let folder = TemporaryFolder("replica")
            return TestReplica {
                try SQLiteReplicaStore(path: folder.file("replica"), busyMilliseconds: 20)
            }
        }
    }
}

/// A replica that stores are opened on, each as if by a process of its own.
struct TestReplica {
    let open: () throws -> any ReplicaStore

    /// A store on a new schema of tasks and projects.
    func openWithSchema() throws -> any ReplicaStore {
        let store = try open()
        try store.write {
            try store.putClass(.task)
            try store.putClass(.project)
        }
        return store
    }

    /// The same, with samples.
    func openWithSamples() throws -> any ReplicaStore {
        let store = try openWithSchema()
        try store.write { try store.putClass(.sample) }
        return store
    }
}

extension ReplicaStore {
    func write<Result>(
        _ durability: Durability = .full, _ body: () throws -> Result
    ) throws -> Result {
        try begin(.writing(durability))
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    func read<Result>(_ body: () throws -> Result) throws -> Result {
        try begin(.reading)
        defer { rollback() }
        return try body()
    }

    /// An object as the server sent it.
    func insert(
        _ key: PrimaryKey, in classNumber: Int, life: TransactionID? = TransactionID(1, 1)
    ) throws -> ObjectID {
        try insertRow(
            of: key, in: classNumber, life: life, isConfirmed: true, isVisible: true)
    }

    /// A new slot behind another.
    func put(
        _ number: UInt64, _ value: Value, behind predecessor: UInt64? = nil, in list: ListID,
        isConfirmed: Bool = true, isVisible: Bool = true
    ) throws {
        let slot = SlotID(number)
        try put(
            ReplicaSlot(
                slot: slot, element: ElementID(insertedIn: slot), value: value,
                isConfirmed: isConfirmed, isVisible: isVisible),
            behind: predecessor.map { SlotID($0) }, in: list)
    }
}

extension ClassSchema {
    /// By number: a class that has a property of each type.
    static let task = ClassSchema(
        "Task", primaryKey: PropertySchema("id", .int),
        properties: [
            PropertySchema("title", .string), PropertySchema("isDone", .bool),
            PropertySchema("count", .int, isOptional: true), PropertySchema("due", .date),
            PropertySchema("token", .uuid), PropertySchema("project", .link("Project")),
            PropertySchema("parent", .link("Task")),
        ])

    static let project = ClassSchema(
        "Project", primaryKey: PropertySchema("name", .string),
        properties: [
            .list("tasks", of: .link("Task")), .list("days", of: .date),
            PropertySchema("owner", .link("Project")),
        ])

    /// With doubles, data, and sets and maps of everything.
    static let sample = ClassSchema(
        "Sample", primaryKey: PropertySchema("id", .uuid),
        properties: [
            PropertySchema("weight", .double), PropertySchema("seal", .data, isOptional: true),
            .list("readings", of: .double), .list("blobs", of: .data),
            .set("flags", of: .bool), .set("ints", of: .int), .set("words", of: .string),
            .set("ids", of: .uuid), .set("days", of: .date), .set("numbers", of: .double),
            .set("seals", of: .data), .set("tasks", of: .link("Task")),
            .set("peers", of: .link("Sample")), .map("counts", of: .int),
            .map("marks", of: .double, isOptional: true),
            .map("moments", of: .date, isOptional: true), .map("prints", of: .data),
            .map("names", of: .string), .map("roles", of: .link("Sample"), isOptional: true),
            .map("homes", of: .link("Project")),
        ])

    enum Sample {
        static let number = 2
        static let numbers = 9
        static let tasks = 11
        static let marks = 14
        static let moments = 15
        static let homes = 19
    }

    enum Task {
        static let number = 0
        static let title = 0
        static let count = 2
        static let project = 5
        static let parent = 6
    }

    enum Project {
        static let number = 1
        static let tasks = 0
        static let days = 1
    }
}

extension TransactionID {
    init(_ replica: UInt64, _ sequence: UInt64) {
        self.init(replica: ReplicaID(replica), sequence: sequence)
    }
}

extension SlotID {
    init(_ number: UInt64) {
        self.init(transaction: TransactionID(7, number), ordinal: UInt32(number % 3))
    }
}

extension Value {
    static func link(_ key: PrimaryKey) -> Value { .link(Link(key: key, life: nil)) }
}
