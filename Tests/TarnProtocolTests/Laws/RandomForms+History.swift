import TarnModel
import TarnProtocol
import TarnTesting

/// Questions for histories, and their answers.
extension RandomForms {
    mutating func historyRequest() -> HistoryRequest {
        HistoryRequest(
            realm: RealmName("a.b/0-_")!,
            object: flag() ? HistorySubject(className: text(), key: key()) : nil,
            before: historyPlace(), limit: unsigned())
    }

    mutating func historyPage() -> HistoryPage {
        HistoryPage(
            entries: list(upTo: 4) { $0.historyEntry() }, next: flag() ? historyPlace() : nil,
            floor: Version(unsigned()))
    }

    private mutating func historyPlace() -> HistoryPlace {
        HistoryPlace(version: Version(unsigned()), index: unsigned())
    }

    private mutating func historyEntry() -> HistoryEntry {
        let deed = HistoryDeed.allCases[below(HistoryDeed.allCases.count)]
        var entry = HistoryEntry(
            at: historyPlace(), ticks: unsigned(), by: transaction(), user: text(), deed)
        if flag() { entry.className = text() }
        if flag() { entry.key = key() }
        if flag() { entry.property = text() }
        if flag() { entry.entry = value() }
        if flag() { entry.value = value() }
        if flag() { entry.before = value() }
        entry.isCut = flag()
        if flag() { entry.sentence = text() }
        return entry
    }
}
