import TarnModel
import TarnSQLite
import TarnServer
import TarnStorage

/// One realm that is open on an executor: its engine, its file, and who talks to it.
final class HostedRealm {
    let id: RealmID
    let engine: RealmEngine
    private let store: SQLiteRealmStore
    /// Where a session's messages go.
    var routes: [RealmSessionID: ConnectionSession] = [:]
    /// Sessions that were told of room on their connections since the last turn.
    var hadRoom: [RealmSessionID] = []
    var isTurnPlanned = false
    /// A turn is planned that is to free room.
    var isHistoryPlanned = false
    var isClosePlanned = false
    var isCheckpointPlanned = false
    /// Appends that the log has not answered.
    var appendsUnderWay = 0
    private var checkpointed: Version
    /// No checkpoint is tried below this version and so many pending bytes: the last one failed.
    private var notBefore: (version: UInt64, bytes: Int) = (0, 0)

    private init(id: RealmID, engine: RealmEngine, store: SQLiteRealmStore) {
        self.id = id
        self.engine = engine
        self.store = store
        checkpointed = store.applied.version
    }

    /// Opens the file and replays what it lacks of the log.
    static func open(
        _ id: RealmID, at path: String, log: SQLiteCommitLog, environment: RealmEnvironment,
        history: HistoryPolicy
    ) throws(StorageError) -> HostedRealm {
        let store = try SQLiteRealmStore(path: path, bytesReused: bytesAQuietCheckpoint * 2)
        do throws(StorageError) {
            try RealmRecovery.replay(log, of: id, into: store)
            let engine = RealmEngine(
                id: id, store: store, environment: environment, history: history)
            return HostedRealm(id: id, engine: engine, store: store)
        } catch {
            store.close()
            throw error
        }
    }

    /// How far the realm may run ahead of its last checkpoint, by versions, which the commit log
    /// keeps until then, and by bytes: large transactions fill the file's log with few versions,
    /// and subscriptions with none. Everybody waits for a checkpoint, and 32 MB took up to 300 ms.
    private static let versionsACheckpoint: UInt64 = 10_000
    private static let bytesACheckpoint = 4 << 20
    /// Enough for one when nobody waits: the next that somebody waits for is the shorter.
    private static let bytesAQuietCheckpoint = 512 << 10
    private static let versionsARetry: UInt64 = 1_000

    enum Haste {
        /// Others wait.
        case busy
        case quiet
        /// The realm is about to be closed.
        case last
    }

    func isCheckpointDue(_ haste: Haste) -> Bool {
        let applied = store.applied.version
        let ahead = applied.number - checkpointed.number
        if haste == .last { return ahead > 0 || store.pendingByteCount > 0 }
        let bytes = haste == .quiet ? Self.bytesAQuietCheckpoint : Self.bytesACheckpoint
        let pending = store.pendingByteCount
        return (applied.number >= notBefore.version || pending >= notBefore.bytes)
            && (ahead >= Self.versionsACheckpoint || pending >= bytes)
    }

    /// Syncs what is committed.
    /// - Returns: what the file holds now.
    func checkpoint() throws(StorageError) -> Synced {
        let applied = store.applied.version
        // Somebody may be reading the file, which costs a wait: not again at every turn.
        notBefore = (
            applied.number + Self.versionsARetry, store.pendingByteCount + Self.bytesACheckpoint
        )
        try store.checkpoint()
        notBefore = (0, 0)
        checkpointed = applied
        return Synced(version: applied, floor: store.floor)
    }

    /// What the realm's file holds, whatever happens.
    struct Synced {
        let version: Version
        let floor: Version
    }

    func close() { store.close() }
}
