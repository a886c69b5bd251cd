import Tarn
import TarnCommands
import TarnModel
import TarnProtocol
import Testing

struct HistoryCommandTests {
    private let desk = Desk()

    private func entry(
        _ deed: HistoryDeed, _ fill: (inout HistoryEntry) -> Void = { _ in }
    ) -> HistoryEntry {
        var entry = HistoryEntry(
            at: HistoryPlace(version: Version(7), index: 0),
            ticks: UInt64(desk.now) << 16,
            by: TransactionID(replica: ReplicaID(0xABCD << 48), sequence: 17), user: "alice", deed)
        entry.className = "Item"
        entry.key = .string("k")
        fill(&entry)
        return entry
    }

    private func answer(_ entries: [HistoryEntry], next: UInt64? = nil, floor: UInt64 = 0) {
        desk.profile.page = HistoryPage(
            entries: entries,
            next: next.map { HistoryPlace(version: Version($0), index: 0) },
            floor: Version(floor))
    }

    @Test func `it shows who set what, from what and to what`() {
        answer([
            entry(.set) {
                $0.property = "body"
                $0.value = .string("Bread")
                $0.before = .string("Milk")
            }
        ])

        let shown = desk.tarn("history")

        #expect(shown.status == 0)
        #expect(
            shown.output
                == "7  just now  alice@abcd #17  Item/k body: \"Milk\" → \"Bread\"\n")
        #expect(desk.profile.questions.last?.object == nil)
        #expect(desk.profile.questions.last?.limit == 20)
    }

    @Test func `a task is asked for by its title or id, another object by class and key`() throws {
        desk.tarn("project", "add", "Groceries")
        desk.tarn("add", "Milk")
        let task = try #require(try desk.state().projects.first?.tasks.first)
        let wanted = HistorySubject(className: "Item", key: .uuid(task.key))

        desk.tarn("history", "Milk")
        #expect(desk.profile.questions.last?.object == wanted)
        desk.tarn("history", ShortIDs([task.key]).shortID(of: task.key))
        #expect(desk.profile.questions.last?.object == wanted)
        desk.tarn("history", "Item/\(task.key)", "--limit", "3", "--before", "9")
        #expect(desk.profile.questions.last?.object == wanted)
        #expect(desk.profile.questions.last?.limit == 3)
        #expect(desk.profile.questions.last?.before.version == Version(9))
        desk.tarn("history", "Groceries")
        #expect(desk.profile.questions.last?.object?.className == "Project")
        desk.tarn("history", "alice/work")
        #expect(desk.profile.questions.last?.realm == RealmName("alice/work"))
        #expect(desk.tarn("history", "Bread").status == 66)
        #expect(desk.tarn("history", "Item/x").status == 65)
    }

    @Test func `it says where it ends`() {
        answer([entry(.created)], next: 5)
        #expect(desk.tarn("history").errors == "There is more: --before 5\n")

        answer([], floor: 12)
        let shown = desk.tarn("history")
        #expect(shown.output == "Nothing is kept of that\n")
        #expect(shown.errors == "What happened up to version 12 is not kept any more.\n")
    }

    @Test func `offline it says so, with the status of what is offline`() {
        desk.profile.offline = "localhost:8276 cannot be reached."

        let shown = desk.tarn("history")

        #expect(shown.status == 69)
        #expect(shown.errors.contains("cannot be reached"))
        #expect(shown.errors.contains("cannot be told offline"))
    }

    @Test func `in JSON each entry is one object with what is known`() {
        answer([
            entry(.put) {
                $0.property = "tags"
                $0.entry = .string("red")
                $0.value = .bool(true)
            }, entry(.refused) { $0.sentence = "No \u{1B}[31mway." },
        ])

        let lines = desk.tarn("history", "--json").output.split(separator: "\n")

        #expect(lines.count == 2)
        #expect(lines[0].contains("\"deed\":\"put\""))
        #expect(lines[0].contains("\"entry\":\"red\",\"value\":true"))
        #expect(!lines[0].contains("before"))
        #expect(!lines[1].contains("\u{1B}"))
    }

    @Test func `what others have written reaches no terminal as a command`() {
        answer([entry(.refused) { $0.sentence = "No \u{1B}[31mway." }])

        #expect(!desk.tarn("history").output.contains("\u{1B}[31m"))
    }
}
