import TarnModel
import TarnProtocol
import TarnStorage
import Testing

/// The table of merges, end to end: two replicas write without knowing of each other.
struct MergeTests {
    let stage = Stage()
    let alice: Client
    let bob: Client
    /// The item "x" and project "p", which both have.
    let first: TransactionID

    init() {
        alice = Client(stage, 1)
        alice.resume()
        bob = Client(stage, 2)
        bob.resume()
        for client in [alice, bob] {
            client.subscribe(1, "Item")
            client.subscribe(2, "Project")
        }
        alice.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        first = alice.commit(.createItem("x"), .createProject("p"))
    }

    private func value(_ property: Int, of key: String, in client: Client) -> Value? {
        let name = ObjectKey(classNumber: 1, key: .string(Text(key)))
        guard case .value(let value)? = client.model.objects[name]?.contents[property] else {
            return nil
        }
        return value
    }

    private func setBody(_ text: String, life: TransactionID? = nil) -> Change {
        .set(.item("x", life ?? first), property: "body", value: .string(text))
    }

    private func expectAgreement(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try alice.expectAgreement(sourceLocation: sourceLocation)
        try bob.expectAgreement(sourceLocation: sourceLocation)
    }

    // MARK: Values

    @Test func `of two values the one written later stands, though it comes first`() throws {
        let base = bob.model.integrated
        let old = bob.write([setBody("old")], base: base)
        stage.now += 1000
        alice.commit(setBody("new"))

        bob.upload()
        stage.settle()

        #expect(overrides(bob.outcome(old)) == [.laterValue])
        #expect(value(0, of: "x", in: bob) == .string("new"))
        try expectAgreement()
    }

    @Test func `a later value stands over an earlier one`() throws {
        let base = bob.model.integrated
        alice.commit(setBody("old"))
        stage.now += 1000

        let new = bob.commit(setBody("new"), base: base)

        #expect(bob.outcome(new) == .accepted)
        #expect(value(0, of: "x", in: alice) == .string("new"))
    }

    @Test func `a clock that is ahead wins nothing once it is measured`() throws {
        alice.disconnect()
        alice.clockAhead = 3_600_000
        alice.resume()
        let base = bob.model.integrated
        alice.commit(setBody("ahead"))
        stage.now += 1000

        bob.commit(setBody("later"), base: base)

        #expect(value(0, of: "x", in: bob) == .string("later"))
    }

    @Test func `a clock that is ahead and not measured is no later than now`() throws {
        alice.clockAhead = 3_600_000
        let base = bob.model.integrated
        alice.commit(setBody("ahead"))
        stage.now += 1000

        bob.commit(setBody("later"), base: base)

        #expect(value(0, of: "x", in: bob) == .string("later"))
        #expect(alice.receipts.last?.ticks ?? .max <= Stamp.ticks(milliseconds: stage.now))
    }

    @Test func `a clock that is behind loses to nothing that its owner had in sight`() throws {
        alice.commit(setBody("seen"))
        bob.clockAhead = -3_600_000

        let id = bob.commit(setBody("answer"))

        #expect(bob.outcome(id) == .accepted)
        #expect(value(0, of: "x", in: alice) == .string("answer"))
    }

    @Test func `a replica's own values follow each other, whatever its clock does`() throws {
        bob.write([setBody("one")])
        bob.clockAhead = -3_600_000
        bob.write([setBody("two")])
        bob.upload()
        stage.settle()

        #expect(value(0, of: "x", in: alice) == .string("two"))
        #expect(bob.receipts[0].ticks < bob.receipts[1].ticks)
    }

    @Test func `a transaction that sets a value twice keeps the latter`() throws {
        alice.commit(setBody("one"), setBody("two"))

        #expect(value(0, of: "x", in: bob) == .string("two"))
    }

    @Test func `the fixed stamp is the same in store and receipt, and kept over a restart`() throws
    {
        let id = alice.commit(setBody("a"))
        let ticks = try #require(alice.receipts.last?.ticks)
        try stage.restart(losing: 3)

        #expect(try stage.store.head(of: alice.replica)?.ticks == ticks)
        #expect(try stage.store.highestTicks(through: stage.version) == ticks)
        #expect(id.sequence == 3)
    }

    // MARK: Existence

    @Test func `two creations of one key are one object, and both lives name it`() throws {
        let base = bob.model.integrated
        let one = alice.commit(.createItem("n", InitialValue("body", .string("said"))))
        let two = bob.commit(
            .createItem(
                "n", InitialValue("body", .string(""), isDefault: true),
                InitialValue("priority", .int(3))),
            base: base)

        #expect(bob.outcome(two) == .accepted)
        #expect(value(0, of: "n", in: bob) == .string("said"))
        #expect(value(2, of: "n", in: alice) == .int(3))
        let late = bob.commit(.set(.item("n", two), property: "isDone", value: .bool(true)))
        #expect(bob.outcome(late) == .accepted)
        #expect(value(1, of: "n", in: alice) == .bool(true))
        let object = try #require(try stage.store.object(.string("n"), in: 1))
        #expect(try stage.store.life(of: object) == one)
        try expectAgreement()
    }

    @Test func `a delete wins over a later value`() throws {
        let base = bob.model.integrated
        alice.commit(.delete(.item("x", first)))
        stage.now += 1000

        let late = bob.commit(setBody("late"), base: base)

        #expect(overrides(bob.outcome(late)) == [.objectDeleted])
        try expectAgreement()
    }

    @Test func `a delete wins over a creation that did not know of it`() throws {
        let base = bob.model.integrated
        alice.commit(.delete(.item("x", first)))

        let late = bob.commit(.createItem("x"), base: base)

        #expect(overrides(bob.outcome(late)) == [.objectDeleted])
        #expect(try stage.store.object(.string("x"), in: 1) == nil)
    }

    @Test func `a creation by someone who saw the delete is a new life`() throws {
        alice.commit(.delete(.item("x", first)))

        let id = bob.commit(.createItem("x"))
        let stale = alice.commit(setBody("late"))

        #expect(bob.outcome(id) == .accepted)
        #expect(overrides(alice.outcome(stale)) == [.objectDeleted])
        try expectAgreement()
    }

    @Test func `a transaction may delete an object and create it anew`() throws {
        let id = alice.commit(
            .delete(.item("x", first)), .createItem("x", InitialValue("body", .string("anew"))))

        #expect(alice.outcome(id) == .accepted)
        #expect(value(0, of: "x", in: bob) == .string("anew"))
        try expectAgreement()
    }

    @Test
    func `a creation that met another's object, and a new one after a delete, are told apart`()
        throws
    {
        let base = bob.model.integrated
        alice.commit(.createItem("n"))
        let own = TransactionID(replica: bob.replica, sequence: 1)
        let both = bob.commit(
            .createItem("n"), .delete(.item("n", own)), .createItem("n"), base: base)

        let late = bob.commit(.set(.item("n", own), property: "body", value: .string("mine")))

        #expect(both == own && bob.outcome(late) == .accepted)
        #expect(value(0, of: "n", in: alice) == .string("mine"))
        try expectAgreement()
    }

    @Test func `a replica may create anew what it has deleted, before it hears of that`() throws {
        let base = alice.model.integrated
        alice.commit(.delete(.item("x", first)), base: base)

        let id = alice.commit(.createItem("x"), base: base)

        #expect(alice.outcome(id) == .accepted)
        #expect(try stage.store.object(.string("x"), in: 1) != nil)
        try expectAgreement()
    }

    @Test func `two deletes are one`() throws {
        let base = bob.model.integrated
        alice.commit(.delete(.item("x", first)))

        let again = bob.commit(.delete(.item("x", first)), base: base)

        #expect(bob.outcome(again) == .accepted)
    }

    @Test func `a link to what was deleted is null`() throws {
        let base = bob.model.integrated
        alice.commit(.delete(.item("x", first)))

        let id = bob.commit(
            .createItem("y", InitialValue("next", .link("x", of: first))),
            .set(.project("p", first), property: "favourite", value: .link("x", of: first)),
            base: base)

        #expect(overrides(bob.outcome(id)) == [.targetDeleted, .targetDeleted])
        #expect(value(3, of: "y", in: alice) == .null)
        try expectAgreement()
    }

    @Test func `a delete nulls links and takes elements out in the same version`() throws {
        let id = alice.nextID
        alice.commit(
            .insert(.item("x", first), into: .project("p", first), id.slot()),
            .set(.project("p", first), property: "favourite", value: .link("x", of: first)),
            .set(.item("x", first), property: "next", value: .link("x", of: first)))

        bob.commit(.delete(.item("x", first)))

        try expectAgreement()
        let project = try #require(try stage.store.object(.string("p"), in: 0))
        #expect(try stage.store.values(of: project)[3] == .null)
        #expect(try stage.store.elements(2, of: project).isEmpty)
    }

    // MARK: Schema and types

    @Test func `the second of two conflicting classes is refused alone`() throws {
        let other = ClassSchema(
            "Item", primaryKey: PropertySchema("itemId", .string),
            properties: [PropertySchema("body", .int)])

        let refused = bob.commit(.addClass(other))
        let next = bob.commit(.createItem("z"))

        #expect(refusal(bob.outcome(refused)) == .schemaConflict)
        #expect(bob.outcome(next) == .accepted)
    }

    @Test func `two additions to a class both hold, and old objects have the new property`() throws
    {
        func adding(_ name: String) -> Change {
            .addClass(
                ClassSchema(
                    "Item", primaryKey: PropertySchema("itemId", .string),
                    properties: [PropertySchema(name, .int, default: .int(4))]))
        }
        let base = bob.model.integrated
        alice.commit(adding("one"))
        bob.commit(adding("two"), base: base)
        alice.commit(.createItem("y"))

        #expect(stage.store.schema["Item"]?.properties.count == 8)
        #expect(value(7, of: "x", in: alice) == .int(4))
        try expectAgreement()
    }

    static let wrong: [(Change, Refusal.Code)] = [
        (.create(className: "Nothing", key: .string("a"), values: []), .unknownName),
        (.create(className: "Item", key: .int(1), values: []), .wrongType),
        (.createItem("a", InitialValue("priority", .string("1"))), .wrongType),
        (.createItem("a", InitialValue("body", .null)), .wrongType),
        (.createItem("a", InitialValue("tags", .null)), .wrongType),
        (.createItem("a", InitialValue("itemId", .string("b"))), .unknownName),
        (
            .createItem("a", InitialValue("body", .string("")), InitialValue("body", .string(""))),
            .wrongType
        ),
        (.createItem("a", InitialValue("next", .link("x"))), .wrongType),
    ]

    @Test(arguments: wrong.indices)
    func `what does not fit the schema is refused`(index: Int) {
        let (change, code) = Self.wrong[index]

        let id = alice.commit(change)

        #expect(refusal(alice.outcome(id)) == code)
    }

    @Test func `a list is not set and a value is not inserted into`() {
        let item = ObjectName.item("x", first)
        let set = alice.commit(.set(item, property: "tags", value: .string("a")))
        let inserted = alice.commit(
            .insert(
                item, property: "body", slot: alice.nextID.slot(), place: .only,
                value: .string("a")))
        let null = alice.commit(
            .insert(
                item, property: "tags", slot: alice.nextID.slot(), place: .only, value: .null))

        for id in [set, inserted, null] { #expect(refusal(alice.outcome(id)) == .wrongType) }
    }
}
