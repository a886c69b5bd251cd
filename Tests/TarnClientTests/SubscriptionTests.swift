import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage
import TarnTesting
import Testing

struct SubscriptionTests {
    private var fixture: ReplicaFixture
    private var server = ModelServer()

    init() throws { fixture = try ReplicaFixture() }

    private var replica: Replica { fixture.replica }

    private func code(_ body: () throws -> Void) -> ReplicaError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ReplicaError)?.code
        }
    }

    private mutating func addTask(_ key: Int64, title: String, done: Bool = false) {
        let values = [InitialValue("title", .string(title)), InitialValue("done", .bool(done))]
        server.change { _ in .create(className: "Task", key: .int(key), values: values) }
    }

    private func keys(of name: String) throws -> [PrimaryKey] {
        try fixture.read { reader in
            let subscription = try #require(try reader.subscription(named: name))
            return try reader.results(of: subscription).objects.map { try reader.key(of: $0) }
        }
    }

    @Test func `a subscription without a name has its class and query for one`() throws {
        #expect(try replica.subscribe(to: "Task").name == "[Task] TRUEPREDICATE")
        #expect(
            try replica.subscribe(to: "Task where done == true").name == "[Task] done == true")
    }

    @Test func `the same name and query are the same subscription`() throws {
        let first = try replica.subscribe(to: "Task WHERE done == true", name: "mine")
        let again = try replica.subscribe(to: "Task where done==true", name: "mine")

        #expect(first == again)
        #expect(try fixture.read { try $0.subscriptions() } == [first])
    }

    @Test func `the same name with another query is an error, unless it is an update`() throws {
        let first = try replica.subscribe(to: "Task", name: "mine")

        #expect(
            code { _ = try replica.subscribe(to: "Task LIMIT(1)", name: "mine") } == .nameTaken)
        let second = try replica.subscribe(to: "Task LIMIT(1)", name: "mine", update: true)
        #expect(second.state == .pending && second.number != first.number)
        #expect(try fixture.read { try $0.subscriptions() } == [second])
    }

    @Test func `what is no query is refused, and a class that is unknown here is not`() throws {
        #expect(code { _ = try replica.subscribe(to: "Task WHERE", name: "a") } == .queryInvalid)

        let subscription = try replica.subscribe(to: "Planet", name: "a")
        let rows = try fixture.read { try $0.results(of: subscription) }
        #expect(rows.objects.isEmpty && rows.isPartial)
    }

    @Test(arguments: [0, 1])
    func `a query and its arguments fit in one message, or are refused`(excess: Int) throws {
        func text(_ count: Int) -> Value { .string(Text(String(repeating: "x", count: count))) }
        let query = "Task WHERE title == $0"
        let roomy = SubscribeRequest(
            number: .max, query: query, arguments: [text(60_000)], depth: 3, isResumed: true)
        let room =
            ProtocolLimits.messageBytesMax
            - ClientMessage.subscribe(Channel(.max), roomy).encoded().count

        let refusal = code {
            _ = try replica.subscribe(
                to: query, name: "a", arguments: [text(60_000 + room + excess)])
        }

        #expect(refusal == (excess == 0 ? nil : .limitExceeded))
        #expect(try fixture.read { try $0.subscriptions().count } == 1 - excess)
    }

    @Test mutating func `a subscription is complete when a group answers for it`() throws {
        let first = try replica.subscribe(to: "Task", name: "first")
        server.members[first.number] = []
        try fixture.integrate(server.group())
        let second = try replica.subscribe(to: "Task", name: "second")

        // All that is complete is true for the replica's one version.
        try fixture.integrate(server.group())
        let states = try fixture.read { try $0.subscriptions().map(\.state) }
        #expect(states == [.complete(Version(2), at: 2_000), .pending])

        server.members[second.number] = []
        try fixture.integrate(server.group())
        let later = try fixture.read { try $0.subscriptions().map(\.state) }
        #expect(later == Array(repeating: .complete(Version(3), at: 3_000), count: 2))
    }

    @Test mutating func `a query that the server cannot answer says why, and holds nothing`() throws
    {
        let added = try replica.subscribe(to: "Task", name: "a")
        addTask(1, title: "milk")
        server.selectAll(added.number)
        try fixture.integrate(server.group())
        let group = server.group()

        try fixture.integrate(
            Group(
                from: group.from, to: group.to, time: 0, classes: [], views: [], receipts: [],
                faults: [SubscriptionFault(subscription: added.number, sentence: "no")]))

        #expect(try fixture.read { try $0.subscriptions().first?.state } == .error("no"))
        #expect(try fixture.pictures().isEmpty)
        let again = try replica.subscribe(to: "Task", name: "a")
        #expect(again.state == .pending && again.number != added.number)
    }

    @Test mutating func `unsubscribing takes what nobody else holds, at once and offline`() throws {
        let first = try replica.subscribe(to: "Task", name: "first")
        let second = try replica.subscribe(to: "Task LIMIT(1)", name: "second")
        for key in Int64(1)...3 { addTask(key, title: "t") }
        server.members[first.number] = [.task(1), .task(2), .task(3)]
        server.members[second.number] = [.task(1)]
        try fixture.integrate(server.group())
        let touched = try #require(try fixture.object(.task(2)))
        try fixture.write { try $0.set("title", of: touched, to: .string("mine")) }

        #expect(try replica.unsubscribe(named: "first"))

        #expect(try fixture.pictures().keys.sorted() == [.task(1)])
        #expect(try fixture.pending.count == 1)
        #expect(try !replica.unsubscribe(named: "first"))
    }

    @Test mutating func `before it is complete, a result is what is here, and partial`() throws {
        try fixture.write { transaction in
            for key in Int64(1)...3 {
                _ = try transaction.create(
                    "Task", .int(key), [InitialValue("done", .bool(key != 2))])
            }
        }
        let added = try replica.subscribe(to: "Task WHERE done == true", name: "done")

        let rows = try fixture.read { try $0.results(of: added) }

        #expect(rows.isPartial)
        #expect(try keys(of: "done") == [.int(1), .int(3)])
    }

    @Test mutating func `a result is the server's selection, patched by pending work`() throws {
        let added = try replica.subscribe(
            to: "Task WHERE done == true SORT(title DESC) LIMIT(3)", name: "done")
        addTask(1, title: "a", done: true)
        addTask(2, title: "b", done: true)
        addTask(3, title: "c", done: false)
        // Held, but not selected: a root of another subscription.
        let other = try replica.subscribe(to: "Task", name: "other")
        server.members[added.number] = [.task(1), .task(2)]
        server.members[other.number] = [.task(3)]
        try fixture.integrate(server.group())
        #expect(try keys(of: "done") == [.int(2), .int(1)])

        let tasks = try (Int64(1)...3).map { try #require(try fixture.object(.task($0))) }
        try fixture.write { transaction in
            try transaction.set("done", of: tasks[1], to: .bool(false))
            try transaction.set("done", of: tasks[2], to: .bool(true))
            let values = [InitialValue("title", .string("z")), InitialValue("done", .bool(true))]
            for key in Int64(8)...9 { _ = try transaction.create("Task", .int(key), values) }
        }

        #expect(try keys(of: "done") == [.int(8), .int(9), .int(3)])
        let rows = try fixture.read { reader in
            try reader.results(of: try #require(try reader.subscription(named: "done")))
        }
        #expect(!rows.isPartial)
    }

    @Test mutating func `the server's selection stands where nothing pending touches it`() throws {
        // The query says otherwise, but the server knows more than is here.
        let added = try replica.subscribe(to: "Task WHERE done == true", name: "done")
        addTask(1, title: "a", done: false)
        server.members[added.number] = [.task(1)]
        try fixture.integrate(server.group())

        #expect(try keys(of: "done") == [.int(1)])
    }

    @Test mutating func `a pending change of what a path leads to counts, too`() throws {
        let added = try replica.subscribe(
            to: "Task WHERE project.colour == 5", name: "five")
        addTask(1, title: "a")
        server.change { _ in .create(className: "Project", key: .string("p"), values: []) }
        let (task, project) = (server.name(.task(1)), server.name(.project("p")))
        server.change { _ in
            .set(task, property: "project", value: .link(Link(key: project.key, life: nil)))
        }
        let all = try replica.subscribe(to: "Task", name: "all")
        server.members[added.number] = []
        server.selectAll(all.number)
        try fixture.integrate(server.group())
        #expect(try keys(of: "five").isEmpty)

        let object = try #require(try fixture.object(.project("p")))
        try fixture.write { try $0.set("colour", of: object, to: .int(5)) }

        #expect(try keys(of: "five") == [.int(1)])
    }
}
