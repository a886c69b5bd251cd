import TarnModel
import TarnStorage

/// What a realm was at each of its versions, made from what is in the log and nothing else.
final class RealmHistory {
    private static let keptMax: UInt64 = 400

    /// One decision, as the log has it.
    struct Entry {
        let record: LogRecord
        /// As it counts: on a base that is of this history.
        let transaction: Transaction
        let work: Work
        /// Whether it goes by the rules: who writes on what the server has forgotten by then is
        /// judged by what is left.
        let isRuled: Bool
    }

    private let realm: RealmID
    private let store = MemoryRealmStore()
    private var versions: [UInt64: MemoryRealmStore] = [:]
    private var pictures: [UInt64: RealmPicture] = [:]
    private(set) var entries: [Entry] = []
    private var places: [Work: Int] = [:]
    /// What was decided by two names: which of the outcomes somebody was told is open.
    private(set) var twice: Set<Work> = []
    /// By replica, of all its transactions in order.
    private var chains: [ReplicaID: [Int]] = [:]
    private(set) var latest: MemoryRealmStore
    /// From there on it is not known what it should be by the rules.
    private(set) var unruled: Version?

    init(of realm: RealmID) {
        self.realm = realm
        latest = store.crashed(losingTail: 0)
        versions[0] = latest
    }

    /// The same up to a version, to go on from there.
    func restored(to version: Version) throws -> RealmHistory {
        let history = RealmHistory(of: realm)
        for entry in entries.prefix(Int(version.number)) { try history.append(entry) }
        return history
    }

    func append(_ entry: Entry) throws {
        let record = entry.record
        guard record.realm == realm, Int(record.point.version.number) == entries.count + 1 else {
            throw Violation(
                .durability, "the log goes on with \(record.point) after \(entries.count)")
        }
        try store.begin()
        try store.append(record.point, origin: record.origin)
        for effect in record.effects { try store.apply(effect) }
        try store.commit()
        try store.checkpoint()
        if places.updateValue(entries.count, forKey: entry.work) != nil { twice.insert(entry.work) }
        chains[record.origin.transaction.replica, default: []].append(entries.count)
        entries.append(entry)
        if !entry.isRuled, unruled == nil { unruled = record.point.version }
        latest = store.crashed(losingTail: 0)
        let number = record.point.version.number
        versions[number] = latest
        if number > Self.keptMax {
            versions[number - Self.keptMax] = nil
            pictures[number - Self.keptMax] = nil
        }
    }

    // MARK: Decisions

    func decision(of work: Work) -> Receipt? { places[work].map { entries[$0].record.receipt } }

    func decision(of id: TransactionID) -> Receipt? {
        guard id.sequence > 0, let chain = chains[id.replica], id.sequence <= UInt64(chain.count)
        else { return nil }
        return entries[chain[Int(id.sequence) - 1]].record.receipt
    }

    /// A replica's last decision.
    func last(of replica: ReplicaID) -> Receipt? {
        chains[replica]?.last.map { entries[$0].record.receipt }
    }

    /// The hash of a replica's chain after a transaction; nil where that was not decided.
    func link(of replica: ReplicaID, at sequence: UInt64) -> ChainHash? {
        guard sequence > 0 else { return .zero }
        return decision(of: TransactionID(replica: replica, sequence: sequence))?.hash
    }

    // MARK: States

    /// Nil for one that is too old.
    func version(_ version: Version) -> MemoryRealmStore? { versions[version.number] }

    func picture(of version: Version) throws -> RealmPicture? {
        if let known = pictures[version.number] { return known }
        guard let store = versions[version.number] else { return nil }
        let picture = try RealmPicture(of: store)
        pictures[version.number] = picture
        return picture
    }

    func contains(_ point: ResumePoint) -> Bool {
        let number = Int(point.version.number)
        if number == 0 { return point.salt == .zero }
        return number <= entries.count && entries[number - 1].record.point == point
    }

    /// That a version which somebody knows is one of the log's.
    func check(_ point: ResumePoint, whose: String) throws(Violation) {
        guard contains(point) else {
            throw Violation(
                .durability, "\(whose) is of version \(point), which is not in the log",
                "the log ends at \(entries.count)")
        }
    }

    /// That the server's state is what the log says.
    func check(_ store: MemoryRealmStore, after what: String) throws {
        let version = store.applied.version
        try check(store.applied, whose: "the server's state")
        guard let wanted = try picture(of: version) else { return }
        let found = try RealmPicture(of: store)
        guard found == wanted else {
            throw Violation(
                .durability,
                "after \(what) the server's state is not what the log says at "
                    + "version \(version)", found.difference(to: wanted))
        }
    }
}
