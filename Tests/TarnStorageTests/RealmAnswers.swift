import TarnModel
import TarnQuery
import TarnStorage
import TarnTesting

/// Everything that a realm store can be asked, by question.
final class RealmAnswers {
    private static let queries = [
        "Task WHERE isDone == false SORT(priority DESC)", "Task WHERE project.name CONTAINS 'a'",
        "Project WHERE tasks.isDone == true", "Project WHERE parent == null LIMIT(2)",
        "Sample WHERE words == 'a' OR ANY peers.size > 0", "Sample WHERE ALL roles.weight != null",
        "Sample WHERE marks.@count > 1 AND NONE days == null",
    ]

    private(set) var answers: [String: AnyHashable] = [:]
    private let store: any RealmStore

    init(_ store: any RealmStore, names: EffectGenerator, views: [Int64]) throws {
        self.store = store
        // Each of the last, and some of those before.
        let last = store.applied.version.number
        let all =
            (0...last + 2).filter { $0 + 3 > last || $0 % 5 == 0 }.map { Version($0) }
            + [Version(.max)]
        // What happened since a version is asked at and above the floor.
        let versions = all.filter { $0 >= store.floor }
        note("applied") { store.applied }
        note("schema") { store.schema }
        note("floor") { store.floor }
        for version in all { note("salt \(version)") { try store.salt(of: version) } }
        for version in versions {
            note("author \(version)") { try store.author(of: version) }
            note("ticks \(version)") { try store.highestTicks(through: version) }
        }
        for time in stride(from: Int64(0), through: 100, by: 7) {
            note("version at \(time)") { max(try store.version(at: time), store.floor) }
        }
        for classNumber in 0...store.schema.classes.count {
            try askClass(classNumber, names, versions)
        }
        for text in Self.queries {
            note("query \(text)") {
                try store.evaluate(
                    Query.parse(text).bind(to: store.schema, user: "alice"))
            }
        }
        for replica in [alice, bob, ReplicaID(3)] {
            note("head \(replica)") { try store.head(of: replica) }
            for sequence in [0, 3, UInt64.max] {
                note("receipts \(replica) \(sequence)") {
                    try store.receipts(of: replica, after: sequence)
                }
            }
        }
        note("gaps") { try store.gaps() }
        for view in views + [99] {
            note("members \(view)") { try store.members(of: view) }
            note("members in pieces \(view)") { try membersInPieces(of: view) }
            for version in versions {
                note("changes \(view) \(version)") {
                    try store.memberChanges(of: view, since: version)
                }
                for wereIn in [true, false] {
                    note("departures \(view) \(version) \(wereIn)") {
                        try departures(of: view, since: version, wereIn: wereIn)
                    }
                }
            }
        }
    }

    /// Three at a time, each piece from where the one before ended.
    private func membersInPieces(of view: Int64) throws -> [Member] {
        var all: [Member] = []
        while true {
            let piece = try store.members(of: view, behind: all.last?.object, limit: 3)
            all += piece
            for member in piece {
                note("member \(view) \(member.object)") {
                    try store.member(member.object, of: view)
                }
            }
            if piece.count < 3 { return all }
        }
    }

    private func departures(
        of view: Int64, since version: Version, wereIn: Bool
    ) throws -> [ObjectID] {
        var all: [ObjectID] = []
        while true {
            let piece = try store.departures(
                of: view, since: version, wereIn: wereIn, behind: all.last, through: nil,
                limit: 2)
            all += piece
            if piece.count < 2 { break }
        }
        // The same by their bounds.
        let alone = try all.flatMap { object in
            try store.departures(
                of: view, since: version, wereIn: wereIn,
                behind: ObjectID(classNumber: object.classNumber, number: object.number - 1),
                through: object, limit: 9)
        }
        return all + alone
    }

    /// The questions that the two answer differently, with the answers.
    func differences(from other: RealmAnswers) -> [String] {
        Set(answers.keys).union(other.answers.keys).sorted().compactMap { question in
            let (left, right) = (answers[question], other.answers[question])
            return left == right
                ? nil : "\(question): \(left as Any) against \(right as Any)"
        }
    }

    private func askClass(
        _ number: Int, _ names: EffectGenerator, _ versions: [Version]
    ) throws {
        note("objects \(number)") { try store.objects(in: number) }
        for key in names.keys.indices.contains(number) ? names.keys[number] : [] {
            note("key \(number) \(key)") { try store.keyState(of: key, in: number) }
            note("object \(number) \(key)") { try store.object(key, in: number) }
            for transaction in names.transactions {
                note("resolved \(number) \(key) \(transaction)") {
                    try store.resolved(transaction, of: key, in: number)
                }
            }
        }
        for index in 1...30 {
            let object = ObjectID(classNumber: number, number: Int64(index))
            note("key of \(object)") { try store.key(of: object) }
            note("known key of \(object)") { try store.knownKey(of: object) }
            note("life of \(object)") { try store.life(of: object) }
            note("values of \(object)") { try store.values(of: object) }
        }
        for object in try store.objects(in: number) {
            note("holders \(object)") { try store.holders(of: object) }
            for version in versions {
                note("changed \(object) \(version)") {
                    try store.changedProperties(of: object, since: version)
                }
            }
            for (property, schema) in store.schema.classes[number].properties.enumerated() {
                let collection = ListID(object: object, property: property)
                switch schema.kind {
                case .value: askCell(property, object, schema.type == .int ? versions : [])
                case .list: askList(collection, names, versions)
                case .set, .map: try askEntries(collection, names, versions)
                }
            }
        }
    }

    private func askCell(_ property: Int, _ object: ObjectID, _ versions: [Version]) {
        note("value \(property) \(object)") { try store.value(property, of: object) }
        note("target \(property) \(object)") { try store.target(property, of: object) }
        note("setting \(property) \(object)") { try store.setting(of: property, of: object) }
        for version in versions {
            note("increments \(property) \(object) \(version)") {
                try store.increments(of: property, of: object, since: version)
            }
        }
        let value = (try? store.value(property, of: object)) ?? .null
        for limit in [1, 100] {
            note("holding \(property) \(object) \(limit)") {
                try store.objects(
                    holding: value, in: property, of: object.classNumber, limit: limit)
            }
        }
        for classNumber in store.schema.classes.indices {
            note("referrers \(property) \(object) \(classNumber)") {
                try store.referrers(of: object, through: property, in: classNumber)
            }
        }
    }

    private func askEntries(
        _ collection: ListID, _ names: EffectGenerator, _ versions: [Version]
    ) throws {
        note("elements \(collection)") {
            try store.elements(collection.property, of: collection.object)
        }
        note("targets \(collection)") {
            try store.targets(collection.property, of: collection.object)
        }
        note("entries \(collection)") { try store.entries(in: collection) }
        for version in versions {
            note("changed \(collection) \(version)") {
                try store.changedEntries(in: collection, since: version)
            }
        }
        for entry in names.entries {
            note("state \(entry) \(collection)") { try store.state(of: entry, in: collection) }
        }
        for classNumber in store.schema.classes.indices {
            for object in try store.objects(in: classNumber) {
                note("holding \(object) \(collection)") {
                    try store.entries(holding: object, in: collection)
                }
            }
        }
    }

    private func askList(_ list: ListID, _ names: EffectGenerator, _ versions: [Version]) {
        note("elements \(list)") { try store.elements(list.property, of: list.object) }
        note("targets \(list)") { try store.targets(list.property, of: list.object) }
        note("live \(list)") { try store.liveElements(in: list) }
        for version in versions {
            note("difference \(list) \(version)") {
                try store.difference(of: list, since: version)
            }
        }
        for element in names.elements.suffix(20) {
            note("state \(element) \(list)") { try store.state(of: element, in: list) }
            note("element \(element) \(list)") { try store.element(element, in: list) }
            note("removal \(element) \(list)") { try store.removal(of: element, in: list) }
        }
        let anchors = [nil] + names.slots.prefix(1).map(Optional.init) + names.slots.suffix(6)
        for after in anchors {
            for before in anchors {
                let place = ListPlace(after: after, before: before)
                note("before \(place) \(list)") {
                    try store.surroundings(of: place, in: list).predecessor
                }
                note("between \(place) \(list)") {
                    try store.surroundings(of: place, in: list).between
                }
            }
        }
        for classNumber in store.schema.classes.indices {
            for object in (try? store.objects(in: classNumber)) ?? [] {
                note("holding \(object) \(list)") { try store.slots(holding: object, in: list) }
            }
        }
    }

    private func note<Answer: Hashable>(_ question: String, _ ask: () throws -> Answer) {
        do {
            answers[question] = AnyHashable(try ask())
        } catch {
            // What is thrown is told apart by its kind: the sentences are each store's own.
            answers[question] = "throws \((error as? StorageError)?.code as Any)"
        }
    }
}
