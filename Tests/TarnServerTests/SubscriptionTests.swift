import TarnModel
import TarnProtocol
import TarnStorage
import Testing

/// What a subscription brings: everything first, then what changes.
struct SubscriptionTests {
    let stage = Stage()
    let writer: Client
    let reader: Client
    private let made: TransactionID

    /// Project p1 has the items a and b; a leads to b, b to c, c to a.
    init() {
        writer = Client(stage, 1)
        writer.resume()
        writer.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        made = writer.nextID
        writer.commit(
            .createProject("p1", InitialValue("owner", .string("alice"))), .createProject("p2"),
            .createItem("a"), .createItem("b"), .createItem("c"), .createItem("d"),
            .insert(.item("a", made), into: .project("p1", made), made.slot(0)),
            .insert(
                .item("b", made), into: .project("p1", made), made.slot(1), after: made.slot(0)),
            .set(.item("a", made), property: "next", value: .link("b", of: made)),
            .set(.item("b", made), property: "next", value: .link("c", of: made)),
            .set(.item("c", made), property: "next", value: .link("a", of: made)))
        reader = Client(stage, 2)
        reader.resume()
    }

    private func keys(_ number: Int64) -> [String] {
        (reader.model.members[number] ?? [:]).map { key, isRoot in
            key.key.description + (isRoot ? "!" : "")
        }.sorted()
    }

    private func next(_ key: String, _ target: String?) -> Change {
        .set(
            .item(key, made), property: "next",
            value: target.map { .link($0, of: made) } ?? .null)
    }

    private func subscribe(_ number: Int64, _ query: String, depth: Int = 3) {
        reader.subscribe(number, query, depth: depth)
        stage.settle()
    }

    @Test func `a subscription is sent whole, then by differences`() throws {
        subscribe(1, "Item", depth: 0)
        #expect(reader.lastGroup?.views.map(\.isFull) == [true])
        #expect(keys(1) == ["a!", "b!", "c!", "d!"])

        writer.commit(.createItem("e"))

        #expect(reader.lastGroup?.views.map(\.isFull) == [false])
        #expect(keys(1) == ["a!", "b!", "c!", "d!", "e!"])
        try reader.expectAgreement()
    }

    @Test func `the classes come with the first group, and once`() {
        #expect(reader.groups.first?.classes.map(\.schema.name) == ["Project", "Item"])
        subscribe(1, "Item")
        #expect(reader.lastGroup?.classes.isEmpty == true)
    }

    @Test func `a class that grows is told to everybody who has the realm open`() {
        subscribe(1, "Project", depth: 0)
        let groups = reader.groups.count
        let due = PropertySchema("due", .date, isOptional: true)

        writer.commit(
            .addClass(
                ClassSchema(
                    "Item", primaryKey: ToDo.item.primaryKey,
                    properties: ToDo.item.properties + [due])))

        #expect(reader.groups.count == groups + 1)
        #expect(reader.lastGroup?.classes.first?.schema.properties.last == due)
        #expect(reader.lastGroup?.views.isEmpty == true)
    }

    @Test func `the first group comes though there is nothing to say`() {
        let quiet = Client(stage, 3)

        quiet.resume()

        #expect(quiet.groups.count == 1)
        #expect(quiet.model.integrated == stage.store.applied)
    }

    @Test func `before it starts a channel gets no group`() {
        let client = Client(stage, 3)
        client.open()
        client.subscribe(1, "Item")
        stage.settle()
        #expect(client.groups.isEmpty)

        client.say(.start(client.channel))
        stage.settle()

        #expect(client.groups.count == 1)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `what links lead to is held to the depth asked for`(depth: Int) throws {
        subscribe(1, "Project WHERE projectId == 'p1'", depth: depth)

        #expect(
            keys(1)
                == [
                    ["p1!"], ["a", "b", "p1!"], ["a", "b", "c", "p1!"],
                    ["a", "b", "c", "p1!"],
                ][depth])
        try reader.expectAgreement()
    }

    @Test func `a cut takes away what hangs on it, though it goes in a circle`() throws {
        subscribe(1, "Project", depth: 5)
        #expect(keys(1) == ["a", "b", "c", "p1!", "p2!"])

        writer.commit(
            .remove(.project("p1", made), property: "items", element: made.element(0)),
            .remove(.project("p1", made), property: "items", element: made.element(1)))

        #expect(keys(1) == ["p1!", "p2!"])
        try reader.expectAgreement()
    }

    @Test func `what is held twice stays until both have let it go`() throws {
        writer.commit(
            .set(.project("p2", made), property: "favourite", value: .link("b", of: made)))
        subscribe(1, "Project", depth: 1)
        #expect(keys(1) == ["a", "b", "p1!", "p2!"])

        writer.commit(.remove(.project("p1", made), property: "items", element: made.element(1)))
        #expect(keys(1) == ["a", "b", "p1!", "p2!"])
        writer.commit(.set(.project("p2", made), property: "favourite", value: .null))
        #expect(keys(1) == ["a", "p1!", "p2!"])
        try reader.expectAgreement()
    }

    @Test func `an element that stands twice in a list is held until both are gone`() throws {
        let again = writer.nextID
        writer.commit(.insert(.item("a", made), into: .project("p1", made), again.slot()))
        subscribe(1, "Project", depth: 1)

        writer.commit(.remove(.project("p1", made), property: "items", element: made.element(0)))
        #expect(keys(1) == ["a", "b", "p1!", "p2!"])
        writer.commit(.remove(.project("p1", made), property: "items", element: again.element()))
        #expect(keys(1) == ["b", "p1!", "p2!"])
        try reader.expectAgreement()
    }

    @Test func `an object may be selected and held at once, and be either alone`() throws {
        subscribe(1, "Item WHERE isDone == false", depth: 1)
        #expect(keys(1) == ["a!", "b!", "c!", "d!"])

        writer.commit(.set(.item("b", made), property: "isDone", value: .bool(true)))
        #expect(keys(1) == ["a!", "b", "c!", "d!"])
        writer.commit(next("a", nil))
        #expect(keys(1) == ["a!", "c!", "d!"])
        writer.commit(.set(.item("b", made), property: "isDone", value: .bool(false)))
        #expect(keys(1) == ["a!", "b!", "c!", "d!"])
        try reader.expectAgreement()
    }

    @Test func `a held object's changes come, and those of others do not`() throws {
        subscribe(1, "Project WHERE projectId == 'p1'", depth: 1)
        let count = reader.groups.count

        writer.commit(.set(.item("d", made), property: "body", value: .string("unseen")))
        #expect(reader.groups.count == count)
        writer.commit(.set(.item("a", made), property: "body", value: .string("seen")))

        #expect(reader.groups.count == count + 1)
        try reader.expectAgreement()
    }

    @Test func `what a delete takes away departs`() throws {
        subscribe(1, "Project", depth: 3)

        writer.commit(.delete(.item("b", made)))

        #expect(keys(1) == ["a", "p1!", "p2!"])
        try reader.expectAgreement()
    }

    @Test func `an object that is deleted and made again in one turn is another one`() throws {
        subscribe(1, "Item", depth: 0)
        stage.holdsLog = true
        writer.write([.createItem("zz")])
        writer.write([.delete(.item("d", made))])
        writer.upload()
        stage.settle()
        stage.holdsLog = false
        stage.completeLog()
        stage.settle()

        writer.commit(.createItem("d", InitialValue("body", .string("new"))))

        try reader.expectAgreement()
    }

    @Test func `a window keeps its size as objects enter and leave`() throws {
        for (key, priority) in [("a", 5), ("b", 3), ("c", 4), ("d", 1)] {
            writer.commit(
                .set(.item(key, made), property: "priority", value: .int(Int64(priority))))
        }
        subscribe(1, "Item SORT(priority DESC) LIMIT(2)", depth: 0)
        #expect(keys(1) == ["a!", "c!"])

        writer.commit(.set(.item("d", made), property: "priority", value: .int(9)))
        #expect(keys(1) == ["a!", "d!"])
        writer.commit(.delete(.item("a", made)))
        #expect(keys(1) == ["c!", "d!"])
        try reader.expectAgreement()
    }

    @Test func `a query across links follows what changes at the other end`() throws {
        subscribe(1, "Project WHERE ANY items.body == 'milk'", depth: 0)
        subscribe(2, "Item WHERE next.next.body == 'milk'", depth: 0)
        #expect(keys(1) == [])

        writer.commit(.set(.item("b", made), property: "body", value: .string("milk")))
        #expect(keys(1) == ["p1!"])
        #expect(keys(2) == ["c!"])
        writer.commit(next("c", "d"), next("d", "b"))
        #expect(keys(2) == ["c!"])
        writer.commit(.delete(.item("b", made)))
        #expect(keys(1) == [] && keys(2) == [])
        try reader.expectAgreement()
    }

    @Test func `the user of a query is whoever asks`() throws {
        subscribe(1, "Project WHERE owner == $user", depth: 0)
        #expect(keys(1) == ["p1!"])

        writer.commit(
            .set(.project("p2", made), property: "owner", value: .string("alice")),
            .set(.project("p1", made), property: "owner", value: .string("bob")))

        #expect(keys(1) == ["p2!"])
    }

    @Test func `arguments tell views of one query apart`() throws {
        reader.subscribe(1, "Item WHERE itemId == $0", depth: 0, arguments: [.string("a")])
        reader.subscribe(2, "Item WHERE itemId == $0", depth: 0, arguments: [.string("b")])
        stage.settle()

        #expect(keys(1) == ["a!"] && keys(2) == ["b!"])
    }

    @Test func `all of a session's views are at one version`() throws {
        subscribe(1, "Item WHERE isDone == false", depth: 0)
        subscribe(2, "Item WHERE isDone == true", depth: 0)

        writer.commit(.set(.item("a", made), property: "isDone", value: .bool(true)))

        #expect(reader.lastGroup?.views.map(\.subscription) == [1, 2])
        #expect(keys(1) == ["b!", "c!", "d!"] && keys(2) == ["a!"])
        try reader.expectAgreement()
    }

    @Test func `two subscriptions may ask the same, and one of them end`() throws {
        subscribe(1, "Item", depth: 0)
        subscribe(2, "Item", depth: 0)
        reader.unsubscribe(1)
        stage.settle()

        writer.commit(.createItem("e"))

        #expect(keys(2) == ["a!", "b!", "c!", "d!", "e!"])
        try reader.expectAgreement()
    }

    @Test func `an ended subscription is not kept up, and may be asked for again`() throws {
        subscribe(1, "Item", depth: 0)
        reader.unsubscribe(1)
        stage.settle()
        let count = reader.groups.count
        writer.commit(.createItem("e"))
        #expect(reader.groups.count == count)

        subscribe(1, "Item", depth: 0)

        #expect(reader.lastGroup?.views.map(\.isFull) == [true])
        try reader.expectAgreement()
    }

    @Test func `a view that is left and taken up again in one turn stays right`() throws {
        subscribe(1, "Item", depth: 0)
        reader.say(.unsubscribe(reader.channel, number: 1))
        reader.subscribe(2, "Item", depth: 0)
        writer.write([.createItem("e")])
        writer.upload()
        reader.unsubscribe(1)
        stage.settle()

        writer.commit(.createItem("f"))

        try reader.expectAgreement()
    }

    @Test func `a query that makes no sense is told once, and heals with the schema`() throws {
        subscribe(1, "Person WHERE name == 'Ann'")
        #expect(reader.model.faults[1]?.contains("Person") == true)
        let count = reader.groups.count
        writer.commit(.createItem("e"))
        #expect(reader.groups.count == count)

        writer.commit(
            .addClass(
                ClassSchema(
                    "Person", primaryKey: PropertySchema("id", .int),
                    properties: [PropertySchema("name", .string)])),
            .create(
                className: "Person", key: .int(1), values: [InitialValue("name", .string("Ann"))]))

        #expect(reader.model.faults.isEmpty)
        #expect(reader.lastGroup?.views.map(\.isFull) == [true])
        #expect(keys(1) == ["1!"])
        writer.commit(.create(className: "Person", key: .int(2), values: []))
        try reader.expectAgreement()
    }

    @Test func `what is no subscription cannot be asked for`() {
        reader.subscribe(1, "Item")
        reader.subscribe(1, "Project")
        stage.settle()

        #expect(reader.errors.map(\.code) == [.protocolViolation])
    }

    @Test func `a session has so many subscriptions and no more`() {
        for number in 0...Int64(ProtocolLimits.subscriptionsMax) {
            reader.subscribe(number, "Item WHERE body == '\(number)'", depth: 0)
        }
        stage.settle()

        #expect(reader.errors.map(\.code) == [.tooLarge])
    }

    @Test func `a channel is started once, and hears nothing of a connection`() {
        reader.say(.start(reader.channel))
        stage.settle()
        #expect(reader.errors.map(\.code) == [.protocolViolation])

        let other = Client(stage, 5)
        other.resume()
        other.say(.logout)
        stage.settle()
        #expect(other.errors.map(\.code) == [.protocolViolation])
    }

    @Test func `a client may close its channel`() {
        reader.say(.close(reader.channel))
        stage.settle()

        #expect(!reader.isOpen)
        #expect(reader.errors.isEmpty)
    }
}
