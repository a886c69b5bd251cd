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
    /// The first that was written on what the server had forgotten by then. Below the floor of its
    /// memory it goes by what it still has, and not by the rules; neither does what follows.
    private var unruled: Version?
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
    func based(_ transaction: Transaction) throws(Violation) -> Transaction {
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

    var isRewound: Bool { !lost.isEmpty }

    /// The history, this or a lost one, that a version is of.
    func history(of point: ResumePoint) -> RealmHistory? {
        history.contains(point) ? history : lost.last { $0.contains(point) }
    }

    /// Whether it was decided by a server that has forgotten it since.
    func hasLost(_ work: Work) -> Bool { lost.contains { $0.decision(of: work) != nil } }

    /// The disk becomes what it was when the log ended at a version.
    /// - Returns: what was decided since.
    func restore(_ store: MemoryRealmStore, to version: Version) throws -> [Work] {
        close()
        put(store)
        guard version < history.latest.applied.version else { return [] }
        let works = history.entries.dropFirst(Int(version.number)).map(\.work)
        lost.append(history)
        history = try history.restored(to: version)
        oracle = Oracle()
        if let first = unruled, first > version { unruled = nil }
        for entry in history.entries { try teach(entry) }
        return works
    }

    // MARK: Rules

    /// Takes in what was decided.
    func append(_ entry: RealmHistory.Entry) throws {
        try history.append(entry)
        if unruled == nil, entry.transaction.base.version < store.floor {
            unruled = entry.record.point.version
        }
    }

    /// Holds a decision, and all that follow, against the rules.
    func teach(_ entry: RealmHistory.Entry) throws(Violation) {
        if let unruled, entry.record.point.version >= unruled { return }
        try oracle.take(entry.transaction, entry.record)
    }

    /// That the realm is what follows by the rules from what was said.
    func compare() throws {
        guard unruled == nil else { return }
        let latest = history.latest
        try oracle.check(RealmPicture(of: latest), at: latest.applied.version)
    }
}
