package import TarnModel
package import TarnProtocol
package import TarnStorage

/// What a realm's engine wants done.
package enum RealmAction: Sendable {
    case send(RealmSessionID, ServerMessage)
    /// To be made durable in the commit log, then answered by `logCompleted` or `logFailed`.
    case append([LogRecord])
    /// The session is over; its last message has been sent.
    case closed(RealmSessionID)
}

/// What is handed to an engine from the world.
package struct RealmEnvironment: Sendable {
    package let sha256: @Sendable ([UInt8]) -> [UInt8]
    /// Eight random bytes.
    package let nextRandom: @Sendable () -> UInt64

    package init(
        sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        random: @escaping @Sendable () -> UInt64
    ) {
        self.sha256 = sha256
        nextRandom = random
    }
}

/// One realm on the server: who has it open, its only writer, its live views.
///
/// It works in turns. What arrives is noted; `turn` decides all of it inside one storage
/// transaction and, where something was decided, answers with the records for the log. Nothing is
/// published before `logCompleted` says that they are durable; meanwhile what arrives waits. After
/// a storage failure it has closed its sessions and is `isBroken`: it must be opened again.
package final class RealmEngine {
    package let id: RealmID
    let store: any RealmStore
    let environment: RealmEnvironment
    let pieces: PieceLimits
    var views: ViewBook
    /// Receipts of a replica that are kept after it has confirmed them.
    package var receiptsKept = ServerLimits.receiptsKept
    var history: HistoryKeeper
    var sessions: [RealmSessionID: RealmSession] = [:]
    var byReplica: [ReplicaID: RealmSessionID] = [:]
    var actions: [RealmAction] = []
    /// Sessions with uploads, in the order in which their turn comes.
    var writers: [RealmSessionID] = []
    /// The next turn begins with a large transaction, if one waits.
    var isLargesTurn = false
    private var inbox: [Event] = []
    /// How many of `inbox` the turn under way has handled.
    private var handled = 0
    /// By session, how many of its messages are in the inbox.
    private var waiting: [RealmSessionID: Int] = [:]
    private var isCommitting = false
    /// What is being committed, as long as nothing has followed from it.
    private var decided: DecidedTurn?
    /// Why that could not be done. The engine ends by it only when the log has answered: whoever
    /// opens the realm anew is to find there what was appended.
    private var unfollowed: StorageError?
    /// Why the engine does nothing any more.
    private var failure: ProtocolError?
    /// What broke it, for whoever runs the server; clients are told less.
    package private(set) var cause: StorageError?
    package var isBroken: Bool { failure != nil }
    /// Sessions that may have something to be sent, in the order in which that came up.
    private var due: [RealmSessionID] = []
    private var isDue: Set<RealmSessionID> = []
    /// Those of them whom others left nothing of a turn: they are the first of the next one.
    private var postponed: [RealmSessionID] = []

    private enum Event {
        case open(RealmSessionID, RealmVisitor, OpenRequest, any OutputRoom)
        case message(RealmSessionID, ClientMessage)
        case leave(RealmSessionID)
        /// More was sent up than was granted.
        case overrun(RealmSessionID)
        /// It has sent more messages than may wait.
        case overload(RealmSessionID)
    }

    /// - Parameter store: with all that the log has (`RealmRecovery`).
    package init(
        id: RealmID, store: any RealmStore, environment: RealmEnvironment,
        history: HistoryPolicy = HistoryPolicy(), pieces: PieceLimits = .standard
    ) {
        self.id = id
        self.pieces = pieces
        self.store = store
        self.environment = environment
        views = ViewBook(
            store: store, sha256: environment.sha256, remembering: pieces.recentObjects)
        self.history = HistoryKeeper(policy: history)
    }

    package var isIdle: Bool { sessions.isEmpty && inbox.isEmpty && !isCommitting }

    /// Whether a turn would do anything now. A full turn leaves work for the next one; while the
    /// log is written there is nothing to do but wait.
    package var needsTurn: Bool { !isCommitting && (hasWork || !due.isEmpty || !actions.isEmpty) }

    /// - Parameter room: what waits for the session's client takes it.
    package func open(
        _ session: RealmSessionID, by visitor: RealmVisitor, _ request: OpenRequest,
        room: any OutputRoom = EndlessRoom()
    ) {
        inbox.append(.open(session, visitor, request, room))
    }

    package func receive(_ message: ClientMessage, from session: RealmSessionID) {
        switch message {
        case .credit(_, let bytes):
            return grant(bytes, to: session)
        case .upload(_, _, let part):
            // There is no credit for uploads before the opening is answered.
            guard let known = sessions[session] else { return }
            guard known.uploads.receive(part) else { return inbox.append(.overrun(session)) }
        default: break
        }
        let count = waiting[session, default: 0] + 1
        guard count <= ServerLimits.messagesWaitingMax else {
            if count == ServerLimits.messagesWaitingMax + 1 { inbox.append(.overload(session)) }
            waiting[session] = ServerLimits.messagesWaitingMax + 1
            return
        }
        waiting[session] = count
        inbox.append(.message(session, message))
    }

    package func leave(_ session: RealmSessionID) { inbox.append(.leave(session)) }

    /// Decides what has arrived.
    /// - Parameter now: milliseconds since 1970.
    package func turn(now: Int64) -> [RealmAction] {
        if let failure { refuseOpens(failure) }
        guard !isBroken else { return takeActions() }
        guard !isCommitting else { return takeActions() }
        guard hasWork else {
            publishAndKeep(now: now)
            return takeActions()
        }
        do throws(StorageError) {
            try store.begin()
            waiting = [:]
            while handled < inbox.count {
                try handle(inbox[handled])
                handled += 1
            }
            inbox = []
            handled = 0
            let turn = try decideUploads(now: now)
            if turn.records.isEmpty {
                try follow(turn)
                try store.commit()
                publishAndKeep(now: now)
            } else {
                isCommitting = true
                decided = turn
                actions.append(.append(turn.records))
            }
        } catch {
            fail(error)
        }
        return takeActions()
    }

    /// Does what needs no waiting for the log, once the records are handed to it. Else it is done
    /// when they are durable, and who waits for the next turn waits for both.
    package func whileLogging() -> [RealmAction] {
        followDecided()
        return takeActions()
    }

    private func followDecided() {
        guard let turn = decided else { return }
        decided = nil
        do throws(StorageError) {
            try follow(turn)
        } catch {
            unfollowed = error
        }
    }

    /// The records of the last turn are durable: what they did may be known.
    package func logCompleted(now: Int64) -> [RealmAction] {
        isCommitting = false
        followDecided()
        guard !isBroken else { return takeActions() }
        do throws(StorageError) {
            if let unfollowed { throw unfollowed }
            try store.commit()
            publishAndKeep(now: now)
        } catch {
            fail(error)
        }
        return takeActions()
    }

    /// The records of the last turn are not in the log: the turn is taken back, and all sessions
    /// end.
    package func logFailed(_ error: StorageError) -> [RealmAction] {
        isCommitting = false
        fail(error)
        return takeActions()
    }

    /// Ends all sessions, as before a shutdown. Uploads that were not decided are decided later:
    /// their replicas send them again.
    package func closeAll(_ error: ProtocolError) -> [RealmAction] {
        followDecided()
        endAll(error)
        return takeActions()
    }

    private func endAll(_ error: ProtocolError) {
        for id in sessions.keys.sorted() {
            actions.append(.send(id, .failed(id.channel, error)))
            actions.append(.closed(id))
        }
        sessions = [:]
        byReplica = [:]
        writers = []
        (due, isDue, postponed) = ([], [], [])
        // What is stored of them is exact, and they are taken up from there.
        views = ViewBook(
            store: store, sha256: environment.sha256, remembering: pieces.recentObjects)
    }

    var hasWork: Bool {
        !inbox.isEmpty || !writers.isEmpty
    }

    private func handle(_ event: Event) throws(StorageError) {
        switch event {
        case .open(let session, let visitor, let request, let room):
            try begin(session, visitor, request, room)
        case .leave(let session):
            if let session = sessions[session] { try end(session) }
        case .overrun(let id):
            guard let session = sessions[id] else { return }
            try end(
                session,
                telling: ProtocolError(.protocolViolation, "More was sent up than was granted."))
        case .overload(let id):
            guard let session = sessions[id] else { return }
            try end(
                session, telling: ProtocolError(.overloaded, "Too many messages wait for a turn."))
        case .message(let id, let message):
            guard let session = sessions[id] else { return }
            do throws(SessionStop) {
                try handle(message, from: session)
            } catch {
                switch error {
                case .storage(let failure): throw failure
                case .fault(let fault): try end(session, telling: fault)
                }
            }
        }
    }

    private func grant(_ bytes: UInt64, to id: RealmSessionID) {
        guard let session = sessions[id] else { return }
        session.grant(bytes)
        goOn(with: session)
    }

    /// There is room again for a session that found none; it may be over by now.
    package func roomCame(for id: RealmSessionID) {
        guard let session = sessions[id] else { return }
        session.roomCame()
        goOn(with: session)
    }

    /// A storage failure: nothing of the open turn happened, and nobody may think so.
    private func fail(_ error: StorageError) {
        store.rollback()
        decided = nil
        let told = ProtocolError(
            .storageFailed, "The server cannot store anything just now.",
            advice: "Nothing is lost; it is tried again by itself.")
        failure = told
        cause = error
        refuseOpens(told)
        endAll(told)
    }

    /// Who was about to open the realm is answered, too.
    private func refuseOpens(_ error: ProtocolError) {
        for case .open(let id, _, _, _) in inbox[handled...] where sessions[id] == nil {
            actions.append(.send(id, .failed(id.channel, error)))
            actions.append(.closed(id))
        }
        inbox = []
        waiting = [:]
        handled = 0
    }

    private func takeActions() -> [RealmAction] {
        defer { actions = [] }
        return actions
    }

    func markDue(_ session: RealmSession) {
        if isDue.insert(session.id).inserted { due.append(session.id) }
    }

    func postpone(_ session: RealmSession) {
        if isDue.insert(session.id).inserted { postponed.append(session.id) }
    }

    private func publishAndKeep(now: Int64) {
        publish(now: now)
        guard !isBroken else { return }
        do throws(StorageError) {
            try keepHistory(now: now)
        } catch {
            fail(error)
        }
    }

    private func publish(now: Int64) {
        let ids = due
        due = []
        isDue = []
        var walking = WalkBudget(objects: pieces.objectsATurn, bytes: pieces.bytesAGroup)
        do throws(StorageError) {
            for id in ids {
                if let session = sessions[id] {
                    try publish(to: session, now: now, &walking)
                }
            }
            due = postponed + due
            postponed = []
        } catch {
            fail(error)
        }
    }
}

/// Why a session ends, or the whole turn.
enum SessionStop: Error {
    case storage(StorageError)
    case fault(ProtocolError)
}
