import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage
import TarnTesting
import Testing

/// One replica and a server that decides by dice, step by step.
private struct Play {
    var fixture: ReplicaFixture
    var server = ModelServer()
    var random: SeededGenerator
    private var names: [Int64: String] = [:]
    private var nameCount = 0
    private let tasks: [Int64] = Array(0..<6)
    private let projects = ["a", "b", "c"]

    private let canCrash: Bool

    init(seed: UInt64, path: String? = nil) throws {
        random = SeededGenerator(seed: seed)
        fixture = try ReplicaFixture(path: path)
        canCrash = path == nil
        for _ in 0..<2 { try subscribe() }
    }

    private mutating func subscribe() throws {
        nameCount += 1
        let added = try fixture.replica.subscribe(to: "Task", name: "n\(nameCount)")
        names[added.number] = added.name
        server.members[added.number] = []
    }

    private static func anyRef(
        _ tasks: [Int64], _ projects: [String], _ random: inout SeededGenerator
    ) -> Ref {
        Bool.random(using: &random)
            ? .task(tasks.randomElement(using: &random)!)
            : .project(projects.randomElement(using: &random)!)
    }

    // MARK: - Steps

    mutating func step() throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<5: try writeHere()
        case 5..<8: changeThere()
        case 8: try upload(upTo: Int.random(in: 1...3, using: &random))
        case 9, 10: try download()
        default: try mischief()
        }
    }

    private mutating func mischief() throws {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            guard let number = server.members.keys.sorted().randomElement(using: &random) else {
                return
            }
            #expect(try fixture.replica.unsubscribe(named: names[number]!))
            server.members[number] = nil
            server.sentMembers[number] = nil
            try subscribe()
        case 1 where canCrash: try crash()
        default: try upload(upTo: 10)
        }
    }

    /// The machine loses its power, and the server begins a session with what is left.
    private mutating func crash() throws {
        fixture.memory.crash()
        fixture.dictionary = ClassDictionary()
        let (chain, point) = try fixture.read {
            (try $0.store.chain(), try $0.store.resumePoint())
        }
        if let first = server.receipts.first {
            #expect(first.sequence <= chain.acknowledgedSequence + 1, "a receipt is lost")
        } else {
            #expect(chain.acknowledgedSequence == server.head, "a receipt is lost")
        }
        server.sentPoint = point
        server.told = chain.acknowledgedSequence
        try take(server.group(full: true))
    }

    private mutating func writeHere() throws {
        let count = Int.random(in: 1...3, using: &random)
        var random = random
        let (tasks, projects) = (tasks, projects)
        try fixture.write { transaction in
            for _ in 0..<count {
                let ref = Self.anyRef(tasks, projects, &random)
                // What does not apply is refused, and the transaction goes on without it.
                try? RandomChange.make(ref, &transaction, projects, tasks, &random)
            }
        }
        self.random = random
    }

    /// Somebody else changes the realm, and what the subscriptions select.
    private mutating func changeThere() {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let ref = Self.anyRef(tasks, projects, &random)
            let id = server.nextID()
            guard let object = server.realm.objects[ref] else {
                server.apply(.create(className: ref.className, key: ref.key, values: []), by: id)
                continue
            }
            let name = ObjectName(ref.className, ref.key, life: object.life)
            let isTask = ref.className == "Task"
            let number = Int64.random(in: 100..<200, using: &random)
            let task = Value.link(Link(key: .int(tasks.randomElement(using: &random)!), life: nil))
            let list = isTask ? "labels" : "tasks"
            let slots = object.lists[list] ?? []
            let index = Int.random(in: 0...slots.count, using: &random)
            let place = ListPlace(
                after: index > 0 ? slots[index - 1].slot : nil,
                before: index < slots.count ? slots[index].slot : nil)
            let slot = SlotID(transaction: id, ordinal: 0)
            switch Int.random(in: 0..<9, using: &random) {
            case 0: server.apply(.delete(name), by: id)
            case 7 where isTask:
                server.apply(.increment(name, property: "count", by: number), by: id)
            case 8 where isTask:
                let entries = object.entries["roles"] ?? [:]
                server.apply(
                    entries.isEmpty
                        ? .setEntry(name, property: "roles", entry: .string("red"), value: task)
                        : .removeEntry(name, property: "roles", entry: entries.keys.min()!), by: id)
                server.apply(
                    .setEntry(name, property: "near", entry: task, value: .bool(true)), by: id)
            case 1, 2:
                let value: Value = isTask ? .string("s\(number)") : task
                let property = isTask ? "title" : "lead"
                server.apply(.set(name, property: property, value: value), by: id)
            case 3 where index < slots.count:
                server.apply(
                    .remove(name, property: list, element: slots[index].element), by: id)
            case 4 where !slots.isEmpty:
                let element = slots.randomElement(using: &random)!.element
                server.apply(
                    .move(name, property: list, element: element, slot: slot, place: place),
                    by: id)
            default:
                server.apply(
                    .insert(
                        name, property: list, slot: slot, place: place,
                        value: isTask ? .string("s\(number)") : task), by: id)
            }
        }
        for number in server.members.keys.sorted() {
            for ref in server.realm.objects.keys.sorted() {
                switch Int.random(in: 0..<10, using: &random) {
                case 0: server.members[number]?.remove(ref)
                case 1, 2: server.members[number]?.insert(ref)
                default: break
                }
            }
        }
    }

    mutating func upload(upTo count: Int) throws {
        let head = server.head
        for entry in try fixture.pending.filter({ $0.sequence > head }).prefix(count) {
            try server.decide(entry.sealed, random: &random)
        }
    }

    mutating func download() throws { try take(server.group()) }

    private mutating func take(_ group: Group) throws {
        try fixture.integrate(group)
        let chain = try fixture.read { try $0.store.chain() }
        server.receipts.removeAll { $0.sequence <= chain.acknowledgedSequence }
    }

    // MARK: - Laws

    func check(_ step: Int) throws {
        let confirmed = server.confirmed
        let visible = try fixture.pictures()
        let expected = try NaiveFold.visible(
            confirmed: confirmed, pending: try fixture.pending,
            replica: fixture.replica.identity.replica)
        for ref in Set(visible.keys).union(expected.keys).sorted() {
            #expect(visible[ref] == expected[ref], "step \(step), \(ref)")
        }
        try fixture.read { reader in
            for ref in tasks.map(Ref.task) + projects.map(Ref.project) {
                let number = reader.schema.number(of: ref.className)!
                guard let row = try reader.store.row(of: ref.key, in: number) else { continue }
                let isTouched = try !reader.store.sequences(touching: row.object).isEmpty
                let hasShadow = try reader.store.shadow(of: row.object) != nil
                #expect(isTouched == hasShadow, "step \(step), \(ref)")
                #expect(row.isConfirmed == (confirmed.objects[ref] != nil), "step \(step), \(ref)")
            }
        }
    }
}

struct FoldingLawTests {
    @Test(arguments: UInt64(1)...60)
    func `what is visible is the outbox folded over what is confirmed`(seed: UInt64) throws {
        var play = try Play(seed: seed)
        for step in 0..<60 {
            try play.step()
            try play.check(step)
        }
    }

    @Test(arguments: UInt64(1)...10)
    func `the same holds of a replica in a file`(seed: UInt64) throws {
        let folder = TemporaryFolder()
        var play = try Play(seed: seed, path: folder.file("replica"))
        for step in 0..<60 {
            try play.step()
            try play.check(step)
        }
    }

    @Test(arguments: UInt64(1)...20)
    func `with all receipts in, visible is confirmed, and is the server's`(seed: UInt64) throws {
        var play = try Play(seed: seed)
        for _ in 0..<40 { try play.step() }

        try play.upload(upTo: .max)
        for number in play.server.members.keys {
            play.server.members[number] = Set(play.server.realm.objects.keys)
        }
        try play.download()

        #expect(try play.fixture.pictures() == play.server.realm.pictures)
        #expect(try play.fixture.read { try $0.status().unsentCount } == 0)
    }
}
