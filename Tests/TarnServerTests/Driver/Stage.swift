import TarnModel
import TarnProtocol
import TarnStorage
import Testing

@testable import TarnServer

/// A realm's engine on stores in memory, and the wires to its clients: what the engine wants done
/// is done here, at once or when the test says so.
final class Stage {
    static let realm: RealmID = {
        guard let id = RealmID(bytes: Array(repeating: 7, count: 16)) else {
            preconditionFailure("a realm's id has 16 bytes")
        }
        return id
    }()

    let log = MemoryCommitLog()
    private(set) var store = MemoryRealmStore()
    private(set) var engine: RealmEngine
    var now: Int64 = 1_700_000_000_000
    /// While set, appended records wait for `completeLog`.
    var holdsLog = false
    private(set) var waiting: [LogRecord]?
    /// Whether what follows from a turn is done while its records wait, as a daemon does it.
    var followsAtOnce = false
    private var clients: [RealmSessionID: Client] = [:]
    private var connections: UInt64 = 0
    private let environment: RealmEnvironment

    private let history: HistoryPolicy
    private let pieces: PieceLimits

    init(history: HistoryPolicy = HistoryPolicy(), pieces: PieceLimits = .standard) {
        self.history = history
        self.pieces = pieces
        let box = Box()
        environment = RealmEnvironment(sha256: Digest.of) {
            box.count += 1
            return box.count &* 0x9E37_79B9_7F4A_7C15
        }
        engine = RealmEngine(
            id: Self.realm, store: store, environment: environment, history: history,
            pieces: pieces)
    }

    /// Salts are counted rather than thrown.
    private final class Box: @unchecked Sendable {
        // One test uses it, on one thread.
        var count: UInt64 = 0
    }

    var state: ServerState { ServerState(store: store) }
    var version: Version { store.applied.version }

    func nextSession() -> RealmSessionID {
        connections += 1
        return RealmSessionID(connection: connections, channel: Channel(connections % 3))
    }

    func connect(_ client: Client, as id: RealmSessionID) { clients[id] = client }

    /// The wire is cut: nothing more gets through, either way.
    func cut(_ id: RealmSessionID) {
        clients[id] = nil
        engine.leave(id)
    }

    // MARK: Turns

    /// Turns until nothing more happens.
    func settle() {
        while turn() || clients.values.contains(where: { $0.deliver() }) || engine.needsTurn
            || forgets
        {}
    }

    /// There is more of the past to be freed.
    private var forgets: Bool { engine.hasHistoryWork && waiting == nil }

    /// One turn.
    /// - Returns: whether anything came of it.
    @discardableResult
    func turn() -> Bool {
        let actions = engine.turn(now: now)
        perform(actions)
        if waiting != nil, followsAtOnce { perform(engine.whileLogging()) }
        return !actions.isEmpty
    }

    func completeLog() {
        guard let records = waiting else { return }
        waiting = nil
        do throws(StorageError) {
            try log.append(records)
        } catch {
            return perform(engine.logFailed(error))
        }
        perform(engine.logCompleted(now: now))
    }

    func failLog() {
        waiting = nil
        perform(engine.logFailed(StorageError(.full, while: "writing to the commit log")))
    }

    /// The records reach the log, and the daemon dies before it hears of that.
    func appendWithoutAnswer() throws {
        guard let records = waiting else { return }
        waiting = nil
        try log.append(records)
    }

    func perform(_ actions: [RealmAction]) {
        for action in actions {
            switch action {
            case .send(let id, let message): clients[id]?.receive(message)
            case .closed(let id):
                clients[id]?.ended()
                clients[id] = nil
            case .append(let records):
                precondition(waiting == nil, "one batch at a time is in the log's hands")
                waiting = records
                if !holdsLog { completeLog() }
            }
        }
    }

    // MARK: Restarts

    /// What is committed by now survives every crash.
    func checkpoint() {
        do throws(StorageError) {
            try store.checkpoint()
        } catch {
            Issue.record("\(error)")
        }
    }

    /// The daemon dies and comes up again with what the store kept; all wires are cut.
    func restart(losing commits: Int = 0) throws {
        for client in clients.values { client.ended() }
        clients = [:]
        waiting = nil
        store = store.crashed(losingTail: commits)
        try RealmRecovery.replay(log, of: Self.realm, into: store)
        engine = RealmEngine(
            id: Self.realm, store: store, environment: environment, history: history,
            pieces: pieces)
    }
}
