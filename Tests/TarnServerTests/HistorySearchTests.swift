import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage
import TarnTesting
import Testing

@testable import TarnServer

/// What people are told of what happened.
struct HistorySearchTests {
    let stage = Stage()
    let writer: Client
    private let made: TransactionID

    init() {
        writer = Client(stage, 1)
        writer.resume()
        writer.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        made = writer.nextID
        writer.commit(
            .createProject("p"),
            .createItem("a", InitialValue("body", .string("Milk"))),
            .insert(.item("a", made), into: .project("p", made), made.slot(0)))
    }

    private func page(
        _ object: (className: String, key: String)? = nil, before: HistoryPlace = .end,
        limit: UInt64 = 100
    ) throws -> HistoryPage {
        let realm = try #require(RealmName("alice/todo"))
        let subject = object.map {
            HistorySubject(className: $0.className, key: .string(Text($0.key)))
        }
        let request = HistoryRequest(
            realm: realm, object: subject, before: before, limit: limit)
        var search = HistorySearch(request, in: try stage.log.extent(of: Stage.realm))
        while let slice = search.next {
            search.take(
                try stage.log.records(
                    of: Stage.realm, after: slice.after, limit: slice.limit))
        }
        return search.page
    }

    private func say(_ text: String) {
        writer.commit(.set(.item("a", made), property: "body", value: .string(Text(text))))
    }

    @Test func `it tells who set what, when, to what and from what, newest first`() throws {
        stage.now += 5_000
        say("Bread")
        stage.now += 5_000
        say("Cheese")

        let entries = try page(("Item", "a")).entries

        #expect(entries.map(\.deed) == [.set, .set, .set, .created])
        #expect(
            entries.map(\.value) == [.string("Cheese"), .string("Bread"), .string("Milk"), nil])
        #expect(entries.map(\.before) == [.string("Bread"), .string("Milk"), nil, nil])
        #expect(entries.allSatisfy { $0.user == "alice" && $0.key == .string("a") })
        #expect(entries.first?.milliseconds == stage.now)
        #expect(entries.first?.transaction == writer.lastID)
        #expect(entries.map(\.place.version.number) == [4, 3, 2, 2])
    }

    @Test func `lists tell of insertions, moves and removals, with what was removed`() throws {
        let project = ObjectName.project("p", made)
        writer.commit(
            .move(
                project, property: "items", element: made.element(0), slot: writer.nextID.slot(0),
                place: ListPlace(after: nil, before: nil)))
        writer.commit(.remove(project, property: "items", element: made.element(0)))

        let entries = try page(("Project", "p")).entries.filter { $0.property == "items" }

        #expect(entries.map(\.deed) == [.removed, .moved, .inserted])
        #expect(entries.first?.before == .link("a"))
    }

    @Test func `of a deletion each thing that it touched is told, and a refusal of its realm`()
        throws
    {
        writer.commit(.set(.project("p", made), property: "favourite", value: .link("a", of: made)))
        writer.commit(.delete(.item("a", made)))
        writer.commit(.create(className: "Unheard", key: .string("x"), values: []))

        let deeds = try page().entries.prefix(4).map(\.deed)

        #expect(deeds.first == .refused)
        #expect(Set(deeds.dropFirst()) == [.deleted, .unlinked, .removed])
        #expect(try page().entries.first?.sentence?.contains("Unheard") == true)
        #expect(try page(("Item", "a")).entries.first?.deed == .deleted)
        let unlinked = try page(("Project", "p")).entries.first { $0.deed == .unlinked }
        #expect(unlinked?.before?.isLink(to: "a") == true)
    }

    @Test func `what an earlier life of a key held is not what a later one found`() throws {
        writer.commit(.delete(.item("a", made)))
        let again = writer.commit(.createItem("a"))
        writer.commit(.set(.item("a", again), property: "body", value: .string("Bread")))

        let newest = try page(("Item", "a")).entries.first

        #expect(newest?.value == .string("Bread") && newest?.before == nil)
    }

    @Test(arguments: [UInt64](1...5))
    func `pages together tell all, each once and in order`(limit: UInt64) throws {
        for round in 0..<12 { say("\(round)") }
        let whole = try page().entries

        var together: [HistoryEntry] = []
        var before: HistoryPlace? = .end
        while let place = before {
            let page = try page(before: place, limit: limit)
            #expect(page.entries.count <= Int(limit))
            together += page.entries
            before = page.next
        }

        #expect(together.map(\.place) == whole.map(\.place))
        #expect(zip(whole, whole.dropFirst()).allSatisfy { $0.place > $1.place })
    }

    @Test func `it ends at what the log keeps, and says where that is`() throws {
        for round in 0..<600 { say("\(round)") }
        try stage.log.trim(Stage.realm, through: Version(300))

        let page = try page(("Item", "a"), limit: 10_000)

        #expect(page.floor == Version(300))
        #expect(page.entries.count == 302 && page.next == nil)
        #expect(page.entries.last?.place.version == Version(301))
    }

    @Test func `an answer goes into one message, whatever was written`() throws {
        let long = String(repeating: "x", count: 4_000)
        for round in 0..<60 { say(long + "\(round)") }
        say(String(repeating: "y", count: 100_000))

        var pages = 0
        var before: HistoryPlace? = .end
        while let place = before {
            let page = try page(before: place, limit: 500)
            #expect(
                ServerMessage.historyPage(Channel(.max), page).encoded().count
                    <= ProtocolLimits.messageBytesMax)
            before = page.next
            pages += 1
        }

        #expect(pages > 4)
        let newest = try page(limit: 1).entries.first
        #expect(newest?.isCut == true && newest?.value == nil)
    }

    @Test(arguments: [UInt64](1...4))
    func `whatever happened, each entry has its place and what it says was so`(
        seed: UInt64
    ) throws {
        let stage = Stage()
        let client = Client(stage, 5)
        client.resume()
        client.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        var writer = RandomWriter(seed: seed)
        for _ in 0..<120 {
            writer.write(client)
            client.uploadNext()
            stage.settle()
        }
        var search = HistorySearch(
            HistoryRequest(
                realm: try #require(RealmName("alice/todo")), object: nil, limit: 500),
            in: try stage.log.extent(of: Stage.realm))
        while let slice = search.next {
            search.take(
                try stage.log.records(of: Stage.realm, after: slice.after, limit: slice.limit))
        }

        // The newest word on each property of what lives is what it holds.
        var (seen, born): (Set<HistoryCell>, Set<HistorySubject>) = ([], [])
        for entry in search.page.entries {
            guard let className = entry.className, let key = entry.key else { continue }
            let subject = HistorySubject(className: className, key: key)
            // What is older than its creation is of a former life.
            guard !born.contains(subject) else { continue }
            if entry.deed == .created { born.insert(subject) }
            guard let property = entry.property, entry.entry == nil,
                seen.insert(HistoryCell(subject: subject, property: property)).inserted,
                let number = stage.store.schema.number(of: className),
                let object = try stage.store.object(key, in: number),
                let index = stage.store.schema.classes[number].number(of: property),
                entry.deed == .set
            else { continue }
            #expect(try stage.store.value(index, of: object) == entry.value?.withoutLife)
        }
    }
}

extension Value {
    fileprivate func isLink(to key: String) -> Bool {
        if case .link(let link) = self { link.key == .string(Text(key)) } else { false }
    }

    fileprivate var withoutLife: Value {
        if case .link(let link) = self { .link(Link(key: link.key, life: nil)) } else { self }
    }
}
