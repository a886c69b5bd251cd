import TarnModel
import TarnQuery
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// The law: whatever is done to two realm stores, they give the same answers to every question.
struct RealmStoreAgreementTests {
    @Test(arguments: [UInt64](1...4))
    func `a realm file answers as the store in memory does`(seed: UInt64) throws {
        let folder = TemporaryFolder()
        var names = EffectGenerator(seed: seed, isTidy: seed.isMultiple(of: 2))
        let memory = MemoryRealmStore()
        var file = try SQLiteRealmStore(path: folder.file("realm.db"))
        var views: [Int64] = []

        for _ in 0..<8 {
            try memory.begin()
            try file.begin()
            let viewsBefore = views
            for _ in 0..<Int.random(in: 1...3, using: &names.random) {
                try version(&names, memory, file)
                try others(&names, &views, memory, file)
                try past(&names, memory, file)
            }
            if names.chance(80) {
                try memory.commit()
                try file.commit()
            } else {
                memory.rollback()
                file.rollback()
                views = viewsBefore
            }
            if names.chance(20) { try file.checkpoint() }
            if names.chance(20) {
                file.close()
                file = try SQLiteRealmStore(path: folder.file("realm.db"))
            }
            let expected = try RealmAnswers(memory, names: names, views: views)
            let differences = try RealmAnswers(file, names: names, views: views)
                .differences(from: expected)
            try #require(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
        }
    }

    /// One version with its effects, of which some are taken back to a mark.
    private func version(
        _ names: inout EffectGenerator, _ memory: MemoryRealmStore, _ file: SQLiteRealmStore
    ) throws {
        let next = memory.applied.version.next
        let origin = names.origin(of: next)
        let marks = names.chance(40)
        if marks {
            try memory.mark()
            try file.mark()
        }
        try memory.append(point(next.number), origin: origin)
        try file.append(point(next.number), origin: origin)
        for _ in 0..<Int.random(in: 1...12, using: &names.random) {
            guard let effect = try names.effect(for: memory) else { continue }
            try memory.apply(effect)
            try file.apply(effect)
        }
        guard marks else { return }
        if names.chance(50) {
            try memory.revertToMark()
            try file.revertToMark()
        } else {
            try memory.releaseMark()
            try file.releaseMark()
        }
    }

    /// Moments, the floor, and room that is freed: to the end, in slices of each store's own.
    private func past(
        _ names: inout EffectGenerator, _ memory: MemoryRealmStore, _ file: SQLiteRealmStore
    ) throws {
        let time = Int64.random(in: 0...100, using: &names.random)
        let behind = UInt64.random(in: 0...4, using: &names.random)
        let floor = memory.applied.version.number - min(memory.applied.version.number, behind)
        // A link that leads nowhere would tell who has freed what.
        let rises = names.isTidy && names.chance(15)
        for store in [memory, file] as [any RealmStore] {
            try store.noteMoment(time)
            guard rises else { continue }
            try store.advanceFloor(to: Version(floor))
            while try store.prune(limit: Int.random(in: 1...9, using: &names.random)) {}
        }
        #expect(try memory.lastMoment() == file.lastMoment())
    }

    /// Heads, receipts and members.
    private func others(
        _ names: inout EffectGenerator, _ views: inout [Int64], _ memory: MemoryRealmStore,
        _ file: SQLiteRealmStore
    ) throws {
        let replica = names.chance(50) ? alice : bob
        let sequence = UInt64.random(in: 1...9, using: &names.random)
        let version = memory.applied.version
        var head = ReplicaHead(user: names.chance(50) ? "alice" : "carol")
        head.sequence = sequence
        head.ticks = names.random.next()
        head.integrated = memory.applied
        let receipt = Receipt(
            sequence: sequence, hash: .zero, version: version, ticks: names.random.next(),
            outcome: names.chance(50) ? .accepted : .refused(Refusal(.wrongType, "No.")))
        let key = ViewKey(
            query: "Task", arguments: [.int(Int64(sequence % 3))], user: "alice", depth: 3)
        let objects = try memory.schema.classes.indices.flatMap { try memory.objects(in: $0) }
        let object = objects.randomElement(using: &names.random)
        let isRoot = names.chance(50)
        let drops = names.chance(20)
        for store in [memory, file] as [any RealmStore] {
            try store.put(head, of: replica)
            try store.put(receipt, of: replica)
            if drops { try store.dropReceipts(of: replica, through: sequence) }
            let view = try store.view(key) ?? store.createView(key)
            if !views.contains(view.number) { views.append(view.number) }
            try store.setMaintained(version, of: view.number)
            if drops { try store.addGap(VersionGap(first: version, last: version.next)) }
            #expect(try store.view(key)?.maintained == version)
            guard let object else { continue }
            if try store.members(of: view.number).contains(where: { $0.object == object }) {
                try store.leave(object, view: view.number, at: version)
            } else {
                try store.enter(object, isRoot: isRoot, view: view.number, at: version)
            }
        }
    }
}
