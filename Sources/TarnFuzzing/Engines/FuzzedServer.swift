import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage

/// A daemon without machinery: two connections' engines, one realm on stores in memory, and what
/// must be true of all that they answer.
struct FuzzedServer {
    static let now: Int64 = 1_700_000_000_000
    /// Little is much, so that what comes in pieces does, and what is forgotten is soon.
    private static let pieces = PieceLimits(
        objectsAGroup: 2, bytesAGroup: 200, objectsATurn: 5, recentObjects: 3)
    private static let history: HistoryPolicy = {
        var history = HistoryPolicy()
        history.versions = 12
        return history
    }()
    private(set) var connections = [ServedConnection(number: 0), ServedConnection(number: 1)]
    private(set) var realm: RealmEngine
    private var store = MemoryRealmStore()
    private let log = MemoryCommitLog()
    private let id: RealmID
    /// While set, what is appended waits.
    var holdsLog = false
    private var waiting: [LogRecord]?
    /// The log was told to fail, and the engine has to be opened again.
    private var hasFailed = false
    private let environment: RealmEnvironment

    init() {
        guard let id = RealmID(bytes: Array(repeating: 7, count: RealmID.byteCount)) else {
            preconditionFailure("that many bytes are a realm's id")
        }
        self.id = id
        let salts = Salts()
        environment = RealmEnvironment(sha256: FuzzSchema.digest) { salts.next() }
        realm = RealmEngine(
            id: id, store: store, environment: environment, history: Self.history,
            pieces: Self.pieces)
    }

    /// Salts are counted rather than thrown. One input uses it, on one thread.
    private final class Salts: @unchecked Sendable {
        private var count: UInt64 = 0

        func next() -> UInt64 {
            count += 1
            return count &* 0x9E37_79B9_7F4A_7C15
        }
    }

    // MARK: What comes in

    mutating func receive(_ bytes: [UInt8], on connection: Int) throws(BrokenLaw) {
        try perform(connections[connection].engine.received(bytes, now: Self.now), connection)
    }

    mutating func say(_ message: ClientMessage, on connection: Int) throws(BrokenLaw) {
        try receive(message.encoded(), on: connection)
    }

    mutating func takeHead(of channel: Channel, on connection: Int) -> UInt64? {
        connections[connection].takeHead(of: channel)
    }

    mutating func disconnect(_ connection: Int) throws(BrokenLaw) {
        try perform(connections[connection].engine.disconnected(), connection)
        connections[connection].begin()
    }

    private mutating func perform(
        _ actions: [SessionAction], _ connection: Int
    ) throws(BrokenLaw) {
        for action in actions {
            switch action {
            case .send(let message): try connections[connection].take(message)
            case .authenticate(let credentials):
                try perform(
                    connections[connection].engine.loginFinished(Self.outcome(of: credentials)),
                    connection)
            case .revoke: break
            case .openRealm(let channel, let visitor, let request):
                let session = connections[connection].nextSession(on: channel)
                realm.open(session, by: visitor, request)
            case .forward(let channel, let message):
                guard let session = connections[connection].sessions[channel] else { continue }
                realm.receive(message, from: session)
            case .leaveRealm(let channel):
                if let session = connections[connection].leave(channel) { realm.leave(session) }
            case .askHistory(let request, let question):
                try perform(
                    connections[connection].engine.historyFound(
                        history(request), question: question), connection)
            case .disconnect: try disconnect(connection)
            }
        }
    }

    private func history(_ request: HistoryRequest) -> Result<HistoryPage, ProtocolError> {
        do throws(StorageError) {
            var search = HistorySearch(request, in: try log.extent(of: realm.id))
            while let slice = search.next {
                search.take(
                    try log.records(of: realm.id, after: slice.after, limit: slice.limit))
            }
            return .success(search.page)
        } catch {
            return .failure(ProtocolError(.storageFailed, "\(error)"))
        }
    }

    private static func outcome(of credentials: Credentials) -> LoginOutcome {
        switch credentials {
        case .nickname(let name): .accepted(user: name, token: "token")
        case .token, .password: .refused(ProtocolError(.loginRefused, "This is not right."))
        }
    }

    // MARK: Turns

    mutating func turn() throws(BrokenLaw) { try perform(realm.turn(now: Self.now)) }

    /// Turns until there is nothing more to do.
    mutating func settle() throws(BrokenLaw) {
        holdsLog = false
        try completeLog()
        var turns = 0
        while realm.needsTurn {
            try turn()
            turns += 1
            try require(turns < 10_000, "turns without end")
        }
    }

    mutating func completeLog() throws(BrokenLaw) {
        guard let records = waiting else { return }
        waiting = nil
        for record in records { try check(record) }
        do throws(StorageError) {
            try log.append(records)
        } catch {
            throw BrokenLaw(sentence: "the log refuses what the engine decided: \(error)")
        }
        try perform(realm.logCompleted(now: Self.now))
    }

    mutating func failLog() throws(BrokenLaw) {
        guard waiting != nil else { return }
        waiting = nil
        hasFailed = true
        try perform(realm.logFailed(StorageError(.full, while: "writing to the commit log")))
        try restart()
    }

    /// The daemon dies and comes up with the log and an empty store.
    mutating func restart() throws(BrokenLaw) {
        waiting = nil
        hasFailed = false
        store = try replayed()
        realm = RealmEngine(
            id: id, store: store, environment: environment, history: Self.history,
            pieces: Self.pieces)
        for index in connections.indices { connections[index].begin() }
    }

    private mutating func perform(_ actions: [RealmAction]) throws(BrokenLaw) {
        if let cause = realm.cause {
            try require(hasFailed, "the engine breaks: \(cause)")
        }
        for action in actions {
            switch action {
            case .send(let session, let message):
                try connections[Int(session.connection)].take(message, of: session)
            case .closed(let session):
                connections[Int(session.connection)].closed(session)
            case .append(let records):
                try require(waiting == nil, "two batches are on their way to the log")
                waiting = records
                if !holdsLog { try completeLog() }
            }
        }
    }

    // MARK: Laws

    private func check(_ record: LogRecord) throws(BrokenLaw) {
        let read: LogRecord
        do throws(FormatError) {
            read = try LogRecord(
                record.encoded, realm: record.realm, version: record.point.version)
        } catch {
            throw BrokenLaw(sentence: "a record cannot be read: \(error)")
        }
        try require(read == record, "a record is read as another one")
    }

    private func replayed() throws(BrokenLaw) -> MemoryRealmStore {
        let fresh = MemoryRealmStore()
        do throws(StorageError) {
            try RealmRecovery.replay(log, of: id, into: fresh)
        } catch {
            throw BrokenLaw(sentence: "the log cannot be replayed: \(error)")
        }
        return fresh
    }

    /// What the log says is what the store has.
    func checkReplay() throws(BrokenLaw) {
        let fresh = try replayed()
        try require(fresh.applied == store.applied, "the log ends elsewhere than the store")
        try require(fresh.schema == store.schema, "the log tells of another schema")
        do {
            for number in store.schema.classes.indices {
                let objects = try store.objects(in: number).sorted()
                try require(
                    try fresh.objects(in: number).sorted() == objects,
                    "the log tells of other objects")
                for object in objects {
                    try require(
                        try RealmObject(object, in: fresh) == RealmObject(object, in: store),
                        "the log tells of another \(object)")
                }
            }
        } catch let broken as BrokenLaw {
            throw broken
        } catch {
            throw BrokenLaw(sentence: "the store cannot be read: \(error)")
        }
    }
}

/// An object as a store has it.
private struct RealmObject: Equatable {
    let key: PrimaryKey
    let life: TransactionID
    let values: [Value]
    let lists: [[ListElement]]
    let entries: [[Entry]]

    init(_ object: ObjectID, in store: MemoryRealmStore) throws {
        key = try store.key(of: object)
        life = try store.life(of: object)
        values = try store.values(of: object)
        let properties = store.schema.classes[object.classNumber].properties
        lists = try properties.indices.filter { properties[$0].isList }.map {
            try store.liveElements(in: ListID(object: object, property: $0))
        }
        entries = try properties.indices.filter { properties[$0].hasEntries }.map {
            try store.entries(in: ListID(object: object, property: $0))
        }
    }
}
