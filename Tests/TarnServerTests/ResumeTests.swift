import TarnModel
import TarnProtocol
import TarnStorage
import Testing

/// A replica that comes back gets what it lacks, whatever happened to it or the server meanwhile.
struct ResumeTests {
    let stage = Stage()
    let writer: Client
    let reader: Client
    private let made: TransactionID

    init() {
        writer = Client(stage, 1)
        writer.resume()
        writer.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        made = writer.nextID
        writer.commit(
            .createProject("p"), .createItem("a"), .createItem("b"), .createItem("c"),
            .insert(.item("a", made), into: .project("p", made), made.slot(0)),
            .insert(
                .item("b", made), into: .project("p", made), made.slot(1), after: made.slot(0)))
        reader = Client(stage, 2)
        reader.resume()
        reader.subscribe(1, "Project", depth: 1)
        reader.subscribe(2, "Item WHERE isDone == false SORT(itemId DESC) LIMIT(2)", depth: 0)
        stage.settle()
    }

    /// One write of each kind.
    private var history: [[Change]] {
        let project = ObjectName.project("p", made)
        func slot(_ ordinal: UInt32) -> SlotID { writer.nextID.slot(ordinal) }
        return [
            [.set(.item("a", made), property: "body", value: .string("one"))],
            [.set(.item("c", made), property: "isDone", value: .bool(true))],
            [.remove(project, property: "items", element: made.element(0))],
            [.set(project, property: "favourite", value: .link("c", of: made))],
            [.delete(.item("b", made))],
            [.createItem("b", InitialValue("body", .string("again")))],
            [.set(project, property: "favourite", value: .null)],
            [.createProject("q"), .delete(project)],
            [.set(.item("c", made), property: "isDone", value: .bool(false))],
        ]
    }

    /// A replica that stands where the reader stands now, and has asked for the same.
    private func copy(_ replica: UInt64) -> Client {
        let copy = Client(stage, replica)
        copy.adopt(reader)
        return copy
    }

    @Test func `from each earlier version the difference is exact`() throws {
        var copies = [copy(100)]
        for changes in history {
            writer.write(changes)
            writer.upload()
            stage.settle()
            copies.append(copy(100 + UInt64(copies.count)))
        }

        for copy in copies {
            copy.resume()

            #expect(copy.groups.flatMap(\.views).allSatisfy { !$0.isFull })
            try copy.expectAgreement("from version \(copy.replica)")
        }
    }

    @Test func `so it is when nobody had the view meanwhile, and after a restart`() throws {
        var copies: [Client] = []
        for changes in history {
            reader.resume()
            copies.append(copy(100 + UInt64(copies.count)))
            reader.disconnect()
            writer.write(changes)
            writer.upload()
            stage.settle()
        }
        try stage.restart()
        writer.resume()

        for copy in copies {
            copy.resume()

            #expect(copy.groups.flatMap(\.views).allSatisfy { !$0.isFull })
            try copy.expectAgreement("from version \(copy.replica)")
        }
    }

    @Test func `who has nothing new to hear hears nothing of the views`() {
        reader.disconnect()

        reader.resume()

        #expect(reader.groups.count == 1)
        #expect(reader.lastGroup?.views.isEmpty == true)
    }

    @Test func `a view that is older than the question is sent whole`() throws {
        let early = Client(stage, 10)
        early.open()
        early.subscribe(5, "Item", depth: 0, isResumed: true)
        early.say(.start(early.channel))
        stage.settle()

        // It says that it has the view as of the empty realm, where there was none.
        #expect(early.lastGroup?.views.map(\.isFull) == [true])
        try early.expectAgreement()
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 20])
    func `a store that lost its tail tells whoever has seen more everything`(lost: Int) throws {
        var copies: [Client] = []
        for changes in history {
            writer.write(changes)
            writer.upload()
            stage.settle()
            copies.append(copy(100 + UInt64(copies.count)))
        }
        try stage.restart(losing: lost)
        writer.resume()
        writer.commit(.createItem("y"))

        for copy in copies.shuffled() {
            copy.resume()
            try copy.expectAgreement("from version \(copy.replica)")
        }
    }

    @Test func `what was lost is remembered over a later restart, though nobody came`() throws {
        // "d" enters the view, and the store forgets that it did; then it leaves.
        stage.checkpoint()
        writer.commit(.createProject("d"))
        let witness = copy(50)
        let other = copy(51)
        writer.commit(.delete(.project("d", writer.lastID)))
        reader.disconnect()
        stage.settle()
        try stage.restart(losing: 50)
        #expect(witness.model.objects.keys.contains { $0.key == .string("d") })
        try stage.restart()

        witness.resume()
        try witness.expectAgreement()

        // Nor is it forgotten once somebody else has revived the view and left it again.
        witness.disconnect()
        stage.settle()
        try stage.restart()
        other.resume()
        try other.expectAgreement()
    }

    @Test func `a view whose revival was lost is told whole, though no version was lost`() throws {
        // "d" comes while nobody has the view; somebody takes it up again, and that is forgotten.
        reader.disconnect()
        stage.settle()
        writer.commit(.createProject("d"))
        let created = writer.lastID
        stage.checkpoint()
        reader.resume()
        #expect(reader.model.objects.keys.contains { $0.key == .string("d") })
        try stage.restart(losing: 50)
        writer.resume()
        writer.commit(.delete(.project("d", created)))

        reader.resume()

        try reader.expectAgreement()
    }

    @Test func `a session without credit gets one difference when its channel drains`() throws {
        reader.disconnect()
        reader.isPrompt = false
        reader.resume(credit: 1)
        let count = reader.groups.count
        for changes in history {
            writer.write(changes)
            writer.upload()
            stage.settle()
        }
        #expect(reader.groups.count == count)

        reader.isPrompt = true
        stage.settle()

        #expect(reader.groups.count == 2)
        #expect(reader.lastGroup?.to == stage.store.applied)
        try reader.expectAgreement()
    }

    @Test(arguments: [1, 7, 50, 1000])
    func `credit in small portions brings everything`(portion: Int) throws {
        reader.disconnect()
        reader.isPrompt = false
        let before = reader.bytesTaken
        reader.resume(credit: UInt64(portion))
        for (index, changes) in history.enumerated() {
            writer.write(changes)
            writer.upload()
            stage.settle()
            if index % 3 == 0 { reader.say(.credit(reader.channel, bytes: UInt64(portion))) }
            stage.settle()
        }
        let allowed = reader.bytesTaken - before
        reader.isPrompt = true
        stage.settle()

        #expect(allowed <= UInt64(portion * 4))
        try reader.expectAgreement()
    }

    @Test func `no amount of credit is too much`() throws {
        reader.say(.credit(reader.channel, bytes: .max))
        reader.say(.credit(reader.channel, bytes: .max))
        writer.commit(.createProject("z"))

        try reader.expectAgreement()
    }

    @Test func `a large view that falls behind far is told exactly`() throws {
        var changes: [Change] = []
        for number in 0..<3000 { changes.append(.createProject("n\(number)")) }
        let many = writer.write(changes)
        writer.upload()
        stage.settle()
        reader.disconnect()
        reader.isPrompt = false
        reader.resume(credit: 1)
        let behind = copy(70)
        for round in 0..<3 {
            writer.write(
                (0..<3000).filter { $0 % 2 == round % 2 }.map {
                    .set(
                        .project("n\($0)", many), property: "rank", value: .int(Int64(round)))
                })
            writer.upload()
            stage.settle()
            behind.resume()
            try behind.expectAgreement()
            behind.disconnect()
        }
        writer.commit(.set(.project("n5", many), property: "rank", value: .int(77)))
        writer.commit(.set(.project("n6", many), property: "rank", value: .int(78)))

        reader.isPrompt = true
        stage.settle()

        try reader.expectAgreement()
    }
}
