import TarnModel
import TarnProtocol
import TarnStorage
import Testing

/// Lists that two replicas change without knowing of each other.
struct ListMergeTests {
    let stage = Stage()
    let alice: Client
    let bob: Client
    let made: TransactionID
    let filled: TransactionID
    private let project: ObjectName

    /// The project "p" has the items "a", "b", "c".
    init() {
        alice = Client(stage, 1)
        alice.resume()
        bob = Client(stage, 2)
        bob.resume()
        for client in [alice, bob] { client.subscribe(1, "Project") }
        alice.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        made = alice.commit(
            .createProject("p"), .createItem("a"), .createItem("b"), .createItem("c"),
            .createItem("d"), .createItem("e"), .createItem("f"))
        project = .project("p", made)
        filled = alice.nextID
        alice.commit(
            .insert(.item("a", made), into: project, filled.slot(0)),
            .insert(.item("b", made), into: project, filled.slot(1), after: filled.slot(0)),
            .insert(.item("c", made), into: project, filled.slot(2), after: filled.slot(1)))
    }

    private func order(_ client: Client) -> String {
        let key = ObjectKey(classNumber: 0, key: .string("p"))
        guard case .list(let slots)? = client.model.objects[key]?.contents[2] else { return "none" }
        return slots.map { slot in
            guard case .link(let link) = slot.value else { return "?" }
            return link.key.description
        }.joined()
    }

    private func expectOrder(
        _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(order(alice) == expected, sourceLocation: sourceLocation)
        #expect(order(bob) == expected, sourceLocation: sourceLocation)
        try alice.expectAgreement(sourceLocation: sourceLocation)
        try bob.expectAgreement(sourceLocation: sourceLocation)
    }

    private func move(_ index: UInt32, _ slot: SlotID, after: SlotID?, before: SlotID?) -> Change {
        .move(
            project, property: "items", element: filled.element(index), slot: slot,
            place: ListPlace(after: after, before: before))
    }

    @Test func `insertions at one place both stand, and runs stay whole`() throws {
        let base = bob.model.integrated
        let one = alice.nextID
        alice.commit(
            .insert(
                .item("d", made), into: project, one.slot(0), after: filled.slot(0),
                before: filled.slot(1)),
            .insert(
                .item("e", made), into: project, one.slot(1), after: one.slot(0),
                before: filled.slot(1)))
        stage.now += 1000
        let two = bob.nextID
        bob.commit(
            .insert(
                .item("f", made), into: project, two.slot(0), after: filled.slot(0),
                before: filled.slot(1)),
            .insert(
                .item("d", made), into: project, two.slot(1), after: two.slot(0),
                before: filled.slot(1)),
            base: base)

        try expectOrder("adefdbc")
    }

    @Test func `a transaction whose insertions are compared with too many slots is refused`() {
        let id = alice.nextID
        // Each of them is compared with all before it: 651 · 650 / 2 in all.
        let changes = (0...UInt32(650)).map { ordinal in
            Change.insert(.item("d", made), into: project, id.slot(ordinal), before: filled.slot(0))
        }
        alice.write(changes)
        alice.upload()
        stage.settle()

        #expect(refusal(alice.outcome(id)) == .tooLarge)
    }

    @Test func `long runs put at one place offline are compared with few slots`() throws {
        let base = bob.model.integrated
        func run(by client: Client) -> [Change] {
            let id = client.nextID
            return (0..<UInt32(990)).map { ordinal in
                .insert(
                    .item("d", made), into: project, id.slot(ordinal),
                    after: ordinal == 0 ? filled.slot(2) : id.slot(ordinal - 1))
            }
        }
        // Bob's run is the earlier one: it goes before Alice's, of which it meets the first only.
        bob.write(run(by: bob), base: base)
        stage.now += 1000
        alice.write(run(by: alice), base: base)
        alice.upload()
        stage.settle()
        bob.upload()
        stage.settle()

        #expect(bob.outcome(bob.lastID) == .accepted)
        try bob.expectAgreement()
    }

    @Test func `of two moves the one written later stands, and the element is there once`() throws {
        let base = bob.model.integrated
        let early = bob.nextID
        bob.write(
            [move(0, early.slot(), after: filled.slot(1), before: filled.slot(2))], base: base)
        stage.now += 1000
        alice.commit(move(0, alice.nextID.slot(), after: filled.slot(2), before: nil))

        bob.upload()
        stage.settle()

        #expect(overrides(bob.outcome(early)) == [.elementGone])
        try expectOrder("bca")
    }

    @Test func `a later move takes the element from where an earlier one has put it`() throws {
        let base = bob.model.integrated
        alice.commit(move(0, alice.nextID.slot(), after: filled.slot(2), before: nil))
        stage.now += 1000

        bob.commit(
            move(0, bob.nextID.slot(), after: filled.slot(1), before: filled.slot(2)), base: base)

        try expectOrder("bac")
    }

    @Test func `one transaction may insert an element and move it twice`() throws {
        let id = alice.nextID
        alice.commit(
            .insert(.item("d", made), into: project, id.slot(0), before: filled.slot(0)),
            .move(
                project, property: "items", element: id.element(0), slot: id.slot(1),
                place: ListPlace(after: filled.slot(0), before: filled.slot(1))),
            .move(
                project, property: "items", element: id.element(0), slot: id.slot(2),
                place: ListPlace(after: filled.slot(2), before: nil)))

        try expectOrder("abcd")
    }

    @Test func `a removal wins over a move, whichever is later`() throws {
        let base = bob.model.integrated
        alice.commit(.remove(project, property: "items", element: filled.element(0)))
        stage.now += 1000

        let moved = bob.commit(
            move(0, bob.nextID.slot(), after: filled.slot(2), before: nil), base: base)

        #expect(overrides(bob.outcome(moved)) == [.elementGone])
        try expectOrder("bc")
    }

    @Test func `a removal finds the element wherever it was moved to`() throws {
        let base = bob.model.integrated
        alice.commit(move(0, alice.nextID.slot(), after: filled.slot(2), before: nil))

        bob.commit(.remove(project, property: "items", element: filled.element(0)), base: base)

        try expectOrder("bc")
    }

    @Test func `the delete of an element's object takes all its places away`() throws {
        alice.commit(
            .insert(.item("a", made), into: project, alice.nextID.slot(), after: filled.slot(2)))
        try expectOrder("abca")

        bob.commit(.delete(.item("a", made)))

        try expectOrder("bc")
    }

    @Test func `an insertion of what was deleted is lost, and said to be`() throws {
        let base = bob.model.integrated
        alice.commit(.delete(.item("d", made)))

        let id = bob.commit(
            .insert(.item("d", made), into: project, bob.nextID.slot(), after: filled.slot(2)),
            base: base)

        #expect(overrides(bob.outcome(id)) == [.targetDeleted])
        try expectOrder("abc")
    }

    @Test func `changes to a list whose owner was deleted are lost, and said to be`() throws {
        let base = bob.model.integrated
        alice.commit(.delete(project))

        let id = bob.nextID
        bob.commit(
            .insert(.item("d", made), into: project, id.slot(0), after: filled.slot(2)),
            move(0, id.slot(1), after: filled.slot(2), before: nil),
            .remove(project, property: "items", element: filled.element(1)), base: base)

        #expect(
            overrides(bob.outcome(id)) == [.objectDeleted, .objectDeleted, .objectDeleted])
        #expect(bob.model.objects.isEmpty)
        try bob.expectAgreement()
    }

    @Test func `an anchor that was never there falls back to the other one`() throws {
        let ghost = TransactionID(replica: ReplicaID(77), sequence: 9).slot()

        alice.commit(
            .insert(
                .item("d", made), into: project, alice.nextID.slot(), after: ghost,
                before: filled.slot(1)))
        alice.commit(
            .insert(
                .item("e", made), into: project, alice.nextID.slot(), after: filled.slot(1),
                before: ghost))
        alice.commit(
            .insert(
                .item("f", made), into: project, alice.nextID.slot(), after: ghost, before: ghost))

        try expectOrder("adbecf")
    }

    @Test func `anchors in the wrong order do no harm`() throws {
        alice.commit(
            .insert(
                .item("d", made), into: project, alice.nextID.slot(), after: filled.slot(2),
                before: filled.slot(0)))

        try expectOrder("abcd")
    }
}
