import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage

/// A realm on the simulated server: what its disk holds, and its engine while it is open.
final class HostedRealm {
    let place: Int
    let name: RealmName
    let id: RealmID
    /// What every version of it should be, from the log alone.
    private(set) var history: RealmHistory
    /// What it was by versions that went with a disk, the latest last.
    private var lost: [RealmHistory] = []
    /// What it should be, from what people wrote.
    private var oracle = Oracle()
    /// Whether anything was forgotten when something was decided. An anchor that is forgotten is
    /// none, so the order within lists may be another one than by the rules.
    private var hasForgotten = false
    /// The disk.
    private(set) var store = MemoryRealmStore()
    private let power: SimulatedDisk
    /// Nil while it is closed.
    var engine: RealmEngine?
    var isTurnPlanned = false
    /// On their way into the log.
    var underWay: [LogRecord]?
    /// By connection.
    var routes: [RealmSessionID: Int] = [:]
    /// What each session asked for when it came.
    var requests: [RealmSessionID: OpenRequest] = [:]
    /// By replica, what a base that is of no history here counts as: so it was said by the last of
    /// its sessions that was let in.
    var commons: [ReplicaID: ResumePoint] = [:]

    init(place: Int, name: RealmName, id: RealmID, power: SimulatedDisk) {
        self.place = place
        self.name = name
        self.id = id
        history = RealmHistory(of: id)
        self.power = power
        store.fault = { power.answer($0) }
    }

    /// The disk's machine stops; so many commits go with it.
    func crash(losingTail count: Int) {
        close()
        put(store.crashed(losingTail: count))
    }

    private func put(_ store: MemoryRealmStore) {
        self.store = store
        let power = power
        store.fault = { power.answer($0) }
    }

    /// The daemon is gone, and so is what was in its memory.
    func close() {
        engine = nil
        isTurnPlanned = false
        underWay = nil
        routes = [:]
        requests = [:]
        commons = [:]
    }

    // MARK: Histories

    /// A transaction as it counts: who wrote it on what the server has lost since had seen what
    /// both have in common.
    private func based(_ transaction: Transaction) throws(Violation) -> Transaction {
        // Of what the server has forgotten nobody can tell whose history it is.
        if history.contains(transaction.base) || transaction.base.version < store.floor {
            return transaction
        }
        guard let common = commons[transaction.id.replica], history.contains(common) else {
            throw Violation(
                .receipts, "\(transaction.id) was decided, and its base is of no history here")
        }
        return Transaction(id: transaction.id, base: common, changes: transaction.changes)
    }

    var timesRestored: Int { lost.count }

    /// The history, this or a lost one, that a version is of.
    func history(of point: ResumePoint) -> RealmHistory? {
        history.contains(point) ? history : lost.last { $0.contains(point) }
    }

    /// Whether it was decided by a server that has forgotten it since.
    func hasLost(_ work: Work) -> Bool { lost.contains { $0.decision(of: work) != nil } }

    /// The disk becomes what it was when the log ended at a point, of whatever history.
    /// - Returns: what was decided since, and is not any more.
    func restore(_ store: MemoryRealmStore, to point: ResumePoint) throws -> [Work] {
        close()
        put(store)
        guard point != history.latest.applied, let origin = history(of: point) else { return [] }
        let before = history
        lost.append(before)
        history = try origin.restored(to: point.version)
        oracle = Oracle()
        for entry in history.entries { try teach(entry) }
        return before.entries.map(\.work).filter { history.decision(of: $0) == nil }
    }

    // MARK: Rules

    /// Takes in what was decided.
    func append(_ record: LogRecord, of wording: Wording) throws -> RealmHistory.Entry {
        let transaction = try based(wording.transaction)
        if store.floor > .zero { hasForgotten = true }
        let entry = RealmHistory.Entry(
            record: record, transaction: transaction, work: wording.work,
            isRuled: transaction.base.version >= store.floor)
        try history.append(entry)
        return entry
    }

    /// Holds a decision, and all that follow, against the rules.
    func teach(_ entry: RealmHistory.Entry) throws(Violation) {
        if let first = history.unruled, entry.record.point.version >= first { return }
        try oracle.take(entry.transaction, entry.record)
    }

    /// That the realm is what follows by the rules from what was said.
    func compare() throws {
        guard history.unruled == nil else { return }
        let latest = history.latest
        try oracle.check(
            RealmPicture(of: latest), at: latest.applied.version, isOrdered: !hasForgotten)
    }
}
