import TarnClient
import TarnCommands
import TarnModel
import TarnStorage

/// A replica in memory, whose server is whatever a test says.
final class FakeRealm: CommandRealm {
    let replica: Replica
    /// Nil for a server that takes everything at once.
    var offline: String?
    /// How far the server has come with a large download that takes longer than anybody waits.
    var progress: DownloadProgress? { didSet { storeProgress() } }
    /// What happens while a watch follows, one after the other.
    var events: [() throws -> Void] = []
    private var milliseconds: Int64 = 1_000_000

    init(_ memory: MemoryReplica, of realm: RealmName, user: String) throws {
        var random = SeededRandom()
        replica = try Replica.open(
            MemoryReplicaStore(on: memory), of: realm, user: user, random: &random,
            sha256: { Array(repeating: UInt8(truncatingIfNeeded: $0.count), count: 32) })
    }

    func write<Answer>(_ body: (inout WriteTransaction) throws -> Answer) throws -> Answer {
        milliseconds += 1
        return try replica.write(
            clockTicks: Stamp.ticks(milliseconds: milliseconds), body)
    }

    func subscribe(
        to query: String, name: String, arguments: [Value], depth: Int?, update: Bool
    ) throws -> StoredSubscription {
        try replica.subscribe(
            to: query, name: name, arguments: arguments, depth: depth ?? 3, update: update)
    }

    func unsubscribe(named name: String) throws -> Bool {
        try replica.unsubscribe(named: name)
    }

    func connection() throws -> RealmConnection {
        RealmConnection(
            leader: nil,
            status: SyncStatus(
                connection: offline == nil ? .connected : .offline,
                upToDate: offline == nil ? 1_000_000 : nil, problem: offline, progress: progress))
    }

    private func storeProgress() {
        do {
            let store = replica.store
            try store.begin(.writing(.relaxed))
            var status = try store.syncStatus()
            status.progress = progress
            try store.setSyncStatus(status)
            try store.commit()
        } catch {
            preconditionFailure("a store in memory takes it: \(error)")
        }
    }

    func synchronise(
        milliseconds: Int, until isEnough: @escaping () throws -> Bool
    ) throws -> SyncResult {
        if let offline { return .offline(offline) }
        return progress == nil ? .done : .timedOut
    }

    func synchroniseAll(milliseconds: Int) throws -> SyncResult {
        try synchronise(milliseconds: milliseconds, until: { true })
    }

    func follow(_ changed: @escaping () throws -> Void) throws {
        try changed()
        while !events.isEmpty {
            try events.removeFirst()()
            try changed()
        }
    }
}

/// Numbers that are the same in each run of a test.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(state: UInt64 = 1) { self.state = state }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
}

extension FakeRealm {
    /// Keeps a receipt, as if the server had sent it.
    func keep(_ outcome: Outcome, _ sequence: UInt64) throws {
        let receipt = Receipt(
            sequence: sequence, hash: .zero, version: Version(1), ticks: 0, outcome: outcome)
        try replica.store.begin(.writing(.full))
        try replica.store.keep(KeptReceipt(receipt: receipt, body: nil))
        try replica.store.commit()
    }

    /// The last write that is not decided goes into the drawer. (What it shows stays on the
    /// screen.)
    func undo(_ outcome: Outcome) throws {
        let store = replica.store
        try store.begin(.writing(.full))
        let pending = try store.pending(after: 0, limit: .max)
        if let entry = pending.last {
            try store.removePending(entry.sequence)
            let receipt = Receipt(
                sequence: entry.sequence, hash: entry.sealed.hash, version: Version(1), ticks: 0,
                outcome: outcome)
            try store.keep(KeptReceipt(receipt: receipt, body: entry.sealed.body))
        }
        try store.commit()
    }
}
