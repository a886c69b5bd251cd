import TarnModel
import TarnProtocol

/// An entry of a history, for a person.
struct HistoryLine {
    private let entry: HistoryEntry
    /// The object is what was asked for, and need not be named.
    private let namesObject: Bool
    private let now: Int64

    init(_ entry: HistoryEntry, _ target: HistoryTarget, now: Int64) {
        self.entry = entry
        namesObject = target.object == nil
        self.now = now
    }

    func text(_ paint: Paint) -> String {
        let age = "\(Age(of: entry.milliseconds, now: now))"
        let replica = "\(entry.transaction.replica)".prefix(4)
        let head =
            "\(entry.place.version)  \(age)  \(entry.user.escaped)@\(replica) "
            + "#\(entry.transaction.sequence)  "
        let text = entry.deed == .refused ? paint(.red, deed) : deed
        return head + text
    }

    private var deed: String {
        switch entry.deed {
        case .created: "created\(named)"
        case .set: "\(place): \(change)"
        case .deleted: "deleted\(named)"
        case .unlinked: "\(place): \(before)its target was deleted"
        case .merged: "created\(named) once more"
        case .inserted: "\(place): inserted \(value)"
        case .moved: "\(place): moved \(value)"
        case .removed: "\(place): removed \(entry.before.map(\.shown) ?? entryText ?? "something")"
        case .incremented: "\(place): \(value) added"
        case .put: entry.value == .bool(true) ? "\(place): put in" : "\(place): \(change)"
        case .defined: "class \(entry.className?.escaped ?? "?") defined"
        case .refused: "refused: \(entry.sentence?.escaped ?? "")"
        }
    }

    private var object: String {
        "\(entry.className?.escaped ?? "?")/\(entry.key.map { "\($0)".escaped } ?? "?")"
    }

    private var named: String { namesObject ? " \(object)" : "" }

    private var place: String {
        let property = entry.property?.escaped ?? "?"
        let field = entryText.map { "\(property)[\($0)]" } ?? property
        return namesObject ? "\(object) \(field)" : field
    }

    private var entryText: String? { entry.entry?.shown }
    private var value: String { entry.value?.shown ?? (entry.isCut ? "(too long)" : "?") }
    private var before: String { entry.before.map { "\($0.shown) → " } ?? "" }
    private var change: String { before + value }
}

extension HistoryEntry {
    /// For programs: what is not known is not there.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init(name: "type", value: "history"),
            .init(name: "version", value: .int(Int64(clamping: place.version.number))),
            .init(name: "index", value: .int(Int64(clamping: place.index))),
            .init(name: "time", value: .string(Age.moment(milliseconds))),
            .init(name: "user", value: .string(user)),
            .init(name: "replica", value: .string("\(transaction.replica)")),
            .init(name: "sequence", value: .int(Int64(clamping: transaction.sequence))),
            .init(name: "deed", value: .string("\(deed)")),
        ]
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(.init(name: name, value: value)) }
        }
        add("class", className.map { .string($0) })
        add("key", key.map { Value($0).json })
        add("property", property.map { .string($0) })
        add("entry", entry?.json)
        add("value", value?.json)
        add("before", before?.json)
        add("isCut", isCut ? true : nil)
        add("sentence", sentence.map { .string($0) })
        return .object(members)
    }
}
