import TarnModel
import TarnQuery
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// The same calls on both implementations have the same answers, whatever was called before.
@Suite(.serialized) struct ReplicaDifferentialTests {
    @Test(arguments: [UInt64](1...12))
    func `memory and SQLite answer alike`(seed: UInt64) throws {
        var walk = try ReplicaWalk(seed: seed)
        for _ in 0..<25 { try walk.transaction() }
    }
}

/// A random walk of two replicas side by side.
private struct ReplicaWalk {
    private var random: SeededGenerator
    private let memory = ReplicaImplementation.memory.replica()
    private let sqlite = ReplicaImplementation.sqlite.replica()
    private var stores: [any ReplicaStore]

    private let tasks = (1...5).map { PrimaryKey.int($0) }
    private let projects = ["a", "b", "é"].map { PrimaryKey.string(Text($0)) }
    private let samples = (1...2).map { PrimaryKey.uuid(UUIDValue(high: $0, low: 0)) }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        stores = [try memory.openWithSamples(), try sqlite.openWithSamples()]
    }

    mutating func transaction() throws {
        if random.next() % 4 == 0 { stores = [try memory.open(), try sqlite.open()] }
        let durability = random.next() % 2 == 0 ? Durability.full : .relaxed
        for store in stores { try store.begin(.writing(durability)) }
        for _ in 0..<Int.random(in: 1...30, using: &random) { try step() }
        if random.next() % 5 == 0 {
            for store in stores { store.rollback() }
        } else {
            for store in stores { try store.commit() }
        }
        for store in stores { try store.begin(.reading) }
        let pictures = try stores.map { try ReplicaPicture($0, keys: [tasks, projects, samples]) }
        #expect(pictures[0] == pictures[1])
        for store in stores { store.rollback() }
    }

    /// Calls both, and holds their answers together.
    private func both<Answer: Equatable>(
        _ call: (any ReplicaStore) throws -> Answer
    ) {
        let answers = stores.map { store in
            do {
                return Outcome.answer(try call(store))
            } catch {
                return .error((error as? StorageError)?.code)
            }
        }
        #expect(answers[0] == answers[1])
    }

    private enum Outcome<Answer: Equatable>: Equatable {
        case answer(Answer)
        case error(StorageError.Code?)
    }

    private mutating func step() throws {
        switch random.next() % 20 {
        case 0...2: insert()
        case 3...6: try set()
        case 7...9: try list()
        case 10, 11: try entries()
        case 12: try update()
        case 13: try remove()
        case 14: try shadow()
        case 15, 16: try outbox()
        case 17: try subscription()
        case 18: random.next() % 3 == 0 ? undo() : try subscription()
        default: try note()
        }
    }

    private mutating func key() -> (key: PrimaryKey, classNumber: Int) {
        switch random.next() % 5 {
        case 0, 1: (tasks.randomElement(using: &random) ?? .int(0), 0)
        case 2: (samples.randomElement(using: &random) ?? .int(0), 2)
        default: (projects.randomElement(using: &random) ?? .int(0), 1)
        }
    }

    private mutating func object() throws -> ObjectID? {
        let (key, classNumber) = key()
        return try stores[0].row(of: key, in: classNumber)?.object
    }

    private mutating func life() -> TransactionID? {
        random.next() % 3 == 0 ? nil : TransactionID(random.next() % 3, 1 + random.next() % 9)
    }

    private mutating func insert() {
        if random.next() % 3 == 0 { return insertSample() }
        let (key, classNumber) = key()
        let (life, confirmed, visible) = (life(), Bool.random(using: &random), random.next() % 3)
        both { store in
            try store.insertRow(
                of: key, in: classNumber, life: life, isConfirmed: confirmed,
                isVisible: visible > 0)
        }
    }

    private mutating func insertSample() {
        let (key, confirmed) = (samples[Int(random.next() % 2)], random.next() % 2 == 0)
        both { store in
            try store.insertRow(
                of: key, in: 2, life: nil, isConfirmed: confirmed, isVisible: true)
        }
    }

    private mutating func value(_ type: ValueType) -> Value {
        let number = Int64.random(in: -2...9, using: &random)
        return switch type {
        case .bool: .bool(number > 3)
        case .int: .int(number)
        case .string: .string("text \(number)")
        case .uuid: .uuid(UUIDValue(high: UInt64(bitPattern: number), low: 1))
        case .date: .date(Timestamp(milliseconds: number * 777))
        case .double: .double(ReplicaValues.doubles[Int(number + 2) % ReplicaValues.doubles.count])
        case .data: .data(ReplicaValues.data[Int(number + 2) % ReplicaValues.data.count])
        case .link("Sample"): .link(Link(key: samples[Int(number + 2) % 2], life: life()))
        case .link("Task"): .link(Link(key: tasks[Int(number + 2) % 5], life: life()))
        case .link: .link(Link(key: projects[Int(number + 2) % 3], life: nil))
        }
    }

    private mutating func set() throws {
        guard let object = try object() else { return }
        let properties = stores[0].schema.classes[object.classNumber].properties
        let property = Int.random(in: 0..<properties.count, using: &random)
        let value = random.next() % 5 == 0 ? .null : value(properties[property].type)
        both { store in
            try store.set(value, property, of: object)
            return true
        }
    }

    private mutating func list() throws {
        guard let project = try stores[0].row(of: projects[0], in: 1)?.object else { return }
        let property = Int(random.next() % 2)
        let list = ListID(object: project, property: property)
        func slot(_ number: UInt64) -> SlotID { SlotID(UInt64(property) * 100 + number) }
        let id = slot(random.next() % 12)
        let (confirmed, visible) = (random.next() % 3 > 0, random.next() % 3 > 0)
        switch random.next() % 10 {
        case 0...5:
            let behind = random.next() % 4 == 0 ? nil : slot(random.next() % 12)
            let element = random.next() % 3 > 0 ? id : slot(random.next() % 12)
            let value = value(property == 0 ? .link("Task") : .date)
            both { store in
                try store.put(
                    ReplicaSlot(
                        slot: id, element: ElementID(insertedIn: element), value: value,
                        isConfirmed: confirmed, isVisible: visible),
                    behind: behind, in: list)
                return true
            }
        case 6, 7:
            both { store in
                try store.setFlags(of: id, isConfirmed: confirmed, isVisible: visible, in: list)
                return true
            }
        case 8:
            both { store in
                try store.resetToConfirmed(list)
                return true
            }
        default:
            both { store in try store.slot(id, in: list) }
            both { store in try store.predecessor(of: id, in: list) }
            both { store in try store.lastSlot(in: list) }
            both { store in try store.visibleSlot(of: ElementID(insertedIn: id), in: list) }
            for target in tasks {
                both { store in
                    try store.row(of: target, in: 0).map {
                        try store.slots(in: list, leadingTo: $0.object)
                    }
                }
            }
        }
    }

    private mutating func entries() throws {
        guard let sample = try stores[0].row(of: samples[0], in: 2)?.object else { return }
        let properties = stores[0].schema.classes[2].properties.enumerated()
        guard
            let (number, property) = properties.filter({ $1.hasEntries })
                .randomElement(using: &random)
        else { return }
        let collection = ListID(object: sample, property: number)
        let isMap = property.kind == .map
        let name: Value = isMap ? .string("k\(random.next() % 4)") : value(property.type)
        func content() -> Value? {
            if random.next() % 3 == 0 { return nil }
            if !isMap { return .bool(true) }
            return property.isOptional && random.next() % 4 == 0 ? .null : value(property.type)
        }
        let entry = ReplicaEntry(
            entry: name, confirmed: content(),
            visible: random.next() % 2 == 0 ? nil : content())
        switch random.next() % 10 {
        case 0:
            both { store in
                try store.resetEntriesToConfirmed(collection)
                return true
            }
        case 1: both { store in try store.entry(name, in: collection) }
        case 2, 3:
            let same = ReplicaEntry(
                entry: name, confirmed: entry.confirmed, visible: entry.confirmed)
            both { store in
                try store.put(same, in: collection)
                return true
            }
        default:
            both { store in
                try store.put(entry, in: collection)
                return true
            }
        }
    }

    private mutating func undo() {
        let sequence = 1 + random.next() % 230
        let state = UndoEntry.State(rawValue: random.next() % 3) ?? .done
        let record = random.bytes(2)
        let isDropped = random.next() % 4 == 0
        both { store in
            if isDropped { try store.dropUndo(sequence - 1) }
            try store.keepUndo(UndoEntry(sequence: sequence, state: state, record: record))
            return [try store.undoEntry(sequence), try store.lastDone()]
        }
    }

    private mutating func update() throws {
        guard let object = try object(), let row = try stores[0].row(of: object) else { return }
        let new = ReplicaRow(
            object: object, key: row.key, life: life(), isConfirmed: random.next() % 2 == 0,
            isVisible: random.next() % 2 == 0)
        both { store in
            try store.update(new)
            return true
        }
    }

    private mutating func remove() throws {
        guard let object = try object() else { return }
        both { store in
            try store.removeRow(object)
            return true
        }
        both { store in try store.row(of: object) }
    }

    private mutating func shadow() throws {
        guard let object = try object() else { return }
        let values = [value(.int), value(.link("Task")), value(.double), value(.data)]
        let shadow = random.next() % 2 == 0 ? nil : Shadow(life: life(), values: values)
        both { store in
            try store.setShadow(shadow, of: object)
            return true
        }
    }

    private mutating func outbox() throws {
        let sequence = 1 + random.next() % 8
        let touched = [try object(), try object()].compactMap { $0 }
        let sealed = SealedTransaction(
            body: random.bytes(3), hash: .zero, clockTicks: random.next())
        switch random.next() % 3 {
        case 0:
            both { store in
                try store.removePending(sequence)
                return true
            }
        case 1:
            both { store in
                try store.append(
                    OutboxEntry(sequence: sequence, sealed: sealed), touching: touched)
                return true
            }
        default:
            guard let object = touched.first else { return }
            both { store in
                try store.addTouch(object, by: sequence)
                return try store.sequences(touching: object)
            }
        }
    }

    private mutating func subscription() throws {
        let name = "s\(random.next() % 3)"
        let number = Int64(random.next() % 5)
        let isRoot = random.next() % 2 == 0
        let object = try object() ?? ObjectID(classNumber: 0, number: 1)
        switch random.next() % 6 {
        case 0:
            both { store in
                try store.addSubscription(
                    name: name, query: "Task", arguments: [.int(number)], depth: 2)
            }
        case 1: both { store in try store.removeSubscription(number) }
        case 2:
            both { store in
                try store.setState(.complete(Version(4), at: number), of: number)
                return true
            }
        case 3:
            both { store in
                try store.removeMember(object, of: number)
                return true
            }
        default:
            both { store in
                try store.setMember(object, isRoot: isRoot, of: number)
                return try store.isMember(object)
            }
        }
    }

    private mutating func note() throws {
        let objects = try (0..<3).compactMap { _ in try object() }
        let after = Int64(random.next() % 20)
        both { store in
            try store.noteChanges(objects)
            return try store.changes(after: after)
        }
    }
}
