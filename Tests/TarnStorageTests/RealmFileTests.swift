import TarnModel
import TarnQuery
import TarnStorage
import TarnTesting
import Testing

@testable import TarnSQLite

/// What happens to realm files: crashes, full disks, damage, and people who look inside.
struct RealmFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("realm.db") }
    private var copy: String { folder.file("copy.db") }

    private func task(_ number: UInt64) -> PrimaryKey { .uuid(UUIDValue(high: 0, low: number)) }

    private func create(_ number: UInt64, body: String = "Milk") -> Effect {
        .create(
            className: "Task", key: task(number), life: transaction(alice, number),
            values: [InitialValue("body", .string(body))])
    }

    private func commit(
        _ version: UInt64, to store: SQLiteRealmStore, _ effects: [Effect]
    ) throws {
        try store.begin()
        try store.append(point(version), origin: origin(transaction(alice, version)))
        for effect in effects { try store.apply(effect) }
        try store.commit()
    }

    @Test(arguments: [0, 1, 5000, 20_000, 60_000, 1 << 20])
    func `a file that lost the end of its write-ahead log knows what it has`(lost: Int) throws {
        let store = try SQLiteRealmStore(path: path)
        try commit(1, to: store, [.putClass(RealmSchemas.project), .putClass(RealmSchemas.task)])
        try store.checkpoint()
        for version in UInt64(2)...20 { try commit(version, to: store, [create(version)]) }

        try CrashedFile.copy(path, to: copy, losing: lost)

        let left = try SQLiteRealmStore(path: copy)
        let version = left.applied.version.number
        #expect(left.applied == point(version))
        #expect((lost == 0 ? 20...20 : lost >= 1 << 20 ? 1...1 : 1...19).contains(version))
        #expect(try left.objects(in: 1).count == Int(version) - 1)
        try commit(version + 1, to: left, [create(version + 1)])
    }

    @Test func `a full disk takes nothing that was committed, and leaves nothing half`() throws {
        let store = try SQLiteRealmStore(path: path)
        try commit(1, to: store, [.putClass(RealmSchemas.project), .putClass(RealmSchemas.task)])
        try commit(2, to: store, [create(2)])
        try store.connection.execute("PRAGMA max_page_count = 60")
        try store.begin()
        try store.append(point(3), origin: origin(transaction(alice, 3)))
        try store.apply(create(3))

        let large = String(repeating: "x", count: 1 << 20)
        let error = #expect(throws: StorageError.self) {
            try store.apply(create(4, body: large))
            try store.commit()
        }

        #expect(error?.code == .full)
        store.rollback()
        #expect(store.applied == point(2))
        #expect(try store.objects(in: 1).count == 1)
        try store.connection.execute("PRAGMA max_page_count = 100000")
        try commit(3, to: store, [create(3, body: large)])
        #expect(try store.objects(in: 1).count == 2)
    }

    @Test func `what is written after a failure ended the transaction is refused`() throws {
        let store = try SQLiteRealmStore(path: path)
        try store.begin()
        try store.append(point(1), origin: origin(transaction(alice, 1)))
        try store.connection.execute("ROLLBACK")

        #expect(throws: StorageError.self) { try store.apply(.putClass(RealmSchemas.task)) }
        #expect(throws: StorageError.self) { try store.commit() }

        store.rollback()
        #expect(store.applied == .zero)
        try commit(1, to: store, [.putClass(RealmSchemas.task)])
    }

    @Test func `a commit log is no realm file, and a realm file no commit log`() throws {
        try SQLiteRealmStore(path: path).close()
        try SQLiteCommitLog(path: copy).close()

        let errors = [
            #expect(throws: StorageError.self) { try SQLiteCommitLog(path: path) },
            #expect(throws: StorageError.self) { try SQLiteRealmStore(path: copy) },
        ]

        #expect(errors.map { $0?.code } == [.corrupt, .corrupt])
    }

    @Test(arguments: [UInt64](1...40))
    func `a damaged file gives answers or errors, and never traps`(seed: UInt64) throws {
        var names = EffectGenerator(seed: seed % 4)
        let store = try SQLiteRealmStore(path: path)
        for version in UInt64(1)...8 {
            try store.begin()
            try store.append(point(version), origin: names.origin(of: Version(version)))
            for _ in 0..<12 {
                if let effect = try names.effect(for: store) { try store.apply(effect) }
            }
            try store.commit()
        }
        store.close()
        var random = SeededGenerator(seed: seed)
        var bytes = try CrashedFile.read(path)
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            // Past the header, which would be refused at once.
            bytes[Int.random(in: 100..<bytes.count, using: &random)] =
                UInt8(truncatingIfNeeded: random.next())
        }
        if seed.isMultiple(of: 5) { bytes.removeLast(bytes.count / 3) }
        try CrashedFile.write(bytes, to: copy)

        guard let damaged = try? SQLiteRealmStore(path: copy) else { return }
        _ = try? RealmAnswers(damaged, names: names, views: [1])
        guard (try? damaged.begin()) != nil else { return }
        let next = ResumePoint(
            version: Version(damaged.applied.version.number &+ 1), salt: .zero)
        try? damaged.append(next, origin: origin(transaction(bob, 1)))
        for _ in 0..<30 {
            if let effect = try? names.effect(for: damaged) { try? damaged.apply(effect) }
        }
        damaged.rollback()
    }

    @Test func `any SQLite tool shows the data under the names that people gave`() throws {
        let store = try SQLiteRealmStore(path: path)
        let due = try #require(Timestamp("2026-11-30T08:15:00.25"))
        try commit(
            1, to: store,
            [
                .putClass(RealmSchemas.task), .putClass(RealmSchemas.project),
                .create(
                    className: "Project", key: .string("home"), life: transaction(alice, 1),
                    values: []), create(1),
                .set(
                    className: "Task", key: task(1), property: "due", value: .date(due),
                    isDefault: false),
                .set(
                    className: "Task", key: task(1), property: "project",
                    value: .link(Link(key: .string("home"), life: nil)), isDefault: false),
            ])
        let placed = slot(transaction(alice, 1))
        try commit(
            2, to: store,
            [
                .place(
                    ListEffect(className: "Project", key: .string("home"), property: "tasks"),
                    slot: PlacedElement(
                        slot: placed, element: ElementID(insertedIn: placed), place: .only,
                        predecessor: nil, value: .link(Link(key: task(1), life: nil))))
            ])

        let tasks = try store.connection.all("SELECT _id, body, due, project FROM Task") {
            (row) throws(StorageError) in
            [try row.text(0), try row.text(1), try row.text(2), try row.text(3)]
        }
        let list = try store.connection.all("SELECT * FROM \"Project.tasks\"") {
            (row) throws(StorageError) in
            [try row.value(0), try row.value(1), try row.value(2)]
        }

        let id = "00000000-0000-0000-0000-000000000001"
        #expect(tasks == [[id, "Milk", "2026-11-30T08:15:00.250000000Z", "home"]])
        #expect(list == [[.text("home"), .int(1), .text(id)]])
    }

    @Test(arguments: ["version", "c0", "C1", "l0_1", "sqlite_stat", "member_in", "SELECT", "task"])
    func `a class may be called as anything`(name: String) throws {
        let store = try SQLiteRealmStore(path: path)
        let odd = ClassSchema(
            name, primaryKey: PropertySchema("order", .int),
            properties: [PropertySchema("ORDER", .int), .list("group", of: .int)])
        let life = transaction(alice, 1)

        try commit(
            1, to: store,
            [
                .putClass(RealmSchemas.task), .putClass(odd),
                .create(className: name, key: .int(1), life: life, values: []),
            ])

        #expect(try store.object(.int(1), in: 1) != nil)
        let views = try store.connection.all(
            "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name"
        ) { (row) throws(StorageError) in try row.text(0) }
        #expect(views.count == 4)
    }
}
