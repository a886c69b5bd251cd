import TarnModel
import TarnProtocol
import TarnSQLite
import TarnServer
import TarnStorage
import TarnTransport

/// What a connection hands to a realm in one turn of its loop.
enum RealmInput: Sendable {
    case open(RealmSessionID, RealmVisitor, OpenRequest, ConnectionSession)
    case message(RealmSessionID, ClientMessage)
    /// The session found no room on its connection, and may look again.
    case roomCame(RealmSessionID)
    case leave(RealmSessionID)
}

/// A thread that some of the realms live on, each whole: engine, views and file call each other
/// without waiting.
///
/// It crosses threads only by `submit`, `count` and `shutDown`, which go through its loop's
/// mailbox; everything else is touched on that loop. That is why it is Sendable without the
/// compiler's proof.
final class RealmExecutor: @unchecked Sendable {
    private let loop: EventLoop
    private let folder: DataFolder
    private let writer: LogWriter
    /// Reads what realms replay; the writer has a connection of its own.
    private let log: SQLiteCommitLog
    private let environment: RealmEnvironment
    private let history: HistoryPolicy
    private let report: DaemonLog
    private let metrics: DaemonMetrics
    private var realms: [RealmID: HostedRealm] = [:]
    private var isShuttingDown = false
    private var whenIdle: (@Sendable () -> Void)?

    init(
        on loop: EventLoop, folder: DataFolder, writer: LogWriter, log: SQLiteCommitLog,
        environment: RealmEnvironment, history: HistoryPolicy, report: DaemonLog,
        metrics: DaemonMetrics
    ) {
        self.loop = loop
        self.folder = folder
        self.writer = writer
        self.log = log
        self.environment = environment
        self.history = history
        self.report = report
        self.metrics = metrics
    }

    /// Hands a realm what came for it; from any thread.
    func submit(_ inputs: [RealmInput], to realm: RealmID) {
        loop.execute { [self] in take(inputs, for: realm) }
    }

    /// What there is now; told on the executor's thread.
    func count(then tell: @escaping @Sendable (RealmFigures) -> Void) {
        loop.execute { [self] in
            var figures = RealmFigures()
            for realm in realms.values {
                figures.openRealms += 1
                figures.replicaSessions += realm.engine.sessionCount
                figures.subscriptions += realm.engine.subscriptionCount
                figures.forgottenVersions += Int(clamping: realm.engine.forgotten)
                figures.rememberedVersions += Int(clamping: realm.engine.remembered)
                guard let extent = try? log.extent(of: realm.id) else { continue }
                figures.logRecords += extent.records
                figures.logBytes += extent.bytes
            }
            tell(figures)
        }
    }

    /// Ends all sessions, writes what is under way, and closes the files.
    func shutDown(then done: @escaping @Sendable () -> Void) {
        loop.execute { [self] in
            isShuttingDown = true
            whenIdle = done
            for realm in realms.values {
                let error = ProtocolError(.shuttingDown, "The server is shutting down.")
                perform(realm.engine.closeAll(error), of: realm)
            }
            closeIfIdle()
        }
    }

    private func take(_ inputs: [RealmInput], for id: RealmID) {
        for input in inputs {
            switch input {
            case .open(let session, let visitor, let request, let connection):
                guard let realm = openRealm(id, for: session, connection) else { continue }
                realm.routes[session] = connection
                realm.engine.open(session, by: visitor, request, room: connection.room)
            case .message(let session, let message):
                realms[id]?.engine.receive(message, from: session)
            case .roomCame(let session):
                realms[id]?.engine.roomCame(for: session)
                realms[id]?.hadRoom.append(session)
            case .leave(let session):
                // Its route stays until the engine has ended it: what takes room is given back by
                // the connection alone.
                realms[id]?.engine.leave(session)
            }
        }
        if let realm = realms[id] { planTurn(of: realm) }
    }

    /// The realm, opened if it is not; where that fails the session is told.
    private func openRealm(
        _ id: RealmID, for session: RealmSessionID, _ connection: ConnectionSession
    ) -> HostedRealm? {
        do throws(StorageError) {
            guard !isShuttingDown else {
                throw StorageError(.unavailable, while: "shutting down")
            }
            if let realm = realms[id], !realm.engine.isBroken { return realm }
            realms.removeValue(forKey: id)?.close()
            let realm = try HostedRealm.open(
                id, at: folder.path(of: id), log: log, environment: environment, history: history)
            realms[id] = realm
            return realm
        } catch {
            report.error("realm-cannot-open", ["path": folder.path(of: id), "cause": "\(error)"])
            let told = ProtocolError(
                error.code == .corrupt ? .storageFailed : .overloaded,
                "The server cannot open the realm just now.",
                advice: "Whoever runs the server finds the cause in its log.")
            connection.deliver([
                Delivery(.failed(session.channel, told), to: session), Delivery(endOf: session),
            ])
            return nil
        }
    }

    /// One turn for all that this turn of the loop brings.
    private func planTurn(of realm: HostedRealm) {
        guard !realm.isTurnPlanned else { return }
        realm.isTurnPlanned = true
        let id = realm.id
        loop.execute { [self] in
            guard let realm = realms[id] else { return }
            realm.isTurnPlanned = false
            perform(realm.engine.turn(now: WallClock.milliseconds), of: realm)
            if realm.appendsUnderWay > 0 { perform(realm.engine.whileLogging(), of: realm) }
            // While a commit is under way nothing is told, so nobody has had his turn.
            if realm.appendsUnderWay == 0 { passRoom(in: realm) }
            // A long download, or what did not fit the turn; others have theirs in between.
            if realm.engine.needsTurn { planTurn(of: realm) }
        }
    }

    /// Who was told of room, and did not want it all, leaves it to the others of its connection.
    private func passRoom(in realm: HostedRealm) {
        guard !realm.hadRoom.isEmpty else { return }
        for session in realm.hadRoom { realm.routes[session]?.room.pass(by: session) }
        realm.hadRoom = []
    }

    private func perform(_ actions: [RealmAction], of realm: HostedRealm) {
        var outgoing: [ObjectIdentifier: (ConnectionSession, [Delivery])] = [:]
        for action in actions {
            switch action {
            case .send(let session, let message):
                guard let connection = realm.routes[session] else { continue }
                outgoing[ObjectIdentifier(connection), default: (connection, [])].1
                    .append(Delivery(message, to: session))
            case .closed(let session):
                guard let connection = realm.routes.removeValue(forKey: session) else { continue }
                outgoing[ObjectIdentifier(connection), default: (connection, [])].1
                    .append(Delivery(endOf: session))
            case .append(let records):
                append(records, of: realm)
            }
        }
        ConnectionSession.deliver(outgoing.values.map { $0 })
        tidy(realm)
    }

    private func append(_ records: [LogRecord], of realm: HostedRealm) {
        realm.appendsUnderWay += 1
        let id = realm.id
        let start = MonotonicTime.now()
        writer.append(records) { [self] result in
            if case .success = result { metrics.commitTime.observe(.now() - start) }
            loop.execute { [self] in appended(result, to: id) }
        }
    }

    private func appended(_ result: Result<Void, StorageError>, to id: RealmID) {
        guard let realm = realms[id] else { return closeIfIdle() }
        realm.appendsUnderWay -= 1
        switch result {
        case .success:
            perform(realm.engine.logCompleted(now: WallClock.milliseconds), of: realm)
        case .failure(let error):
            report.error("log-cannot-append", ["cause": "\(error)"])
            perform(realm.engine.logFailed(error), of: realm)
        }
        if realm.appendsUnderWay == 0 { passRoom(in: realm) }
        // What arrived meanwhile is decided now.
        planTurn(of: realm)
        closeIfIdle()
    }

    /// Checkpoints what is due, and lets go of a realm that is broken or that nobody uses.
    private func tidy(_ realm: HostedRealm) {
        guard realm.appendsUnderWay == 0 else { return }
        if realm.engine.isBroken {
            let cause = realm.engine.cause.map { "\($0)" } ?? "unknown"
            report.warning(
                "realm-closed", ["path": folder.path(of: realm.id), "cause": cause])
            realms.removeValue(forKey: realm.id)?.close()
            return
        }
        if realm.isCheckpointDue(.busy) {
            checkpoint(realm)
        } else if realm.isCheckpointDue(.quiet) {
            planCheckpoint(of: realm)
        }
        planHistory(of: realm)
        if realm.engine.isIdle { planClose(of: realm) }
    }

    /// Once what has arrived by now has been taken in: whoever wants something goes first.
    private func planCheckpoint(of realm: HostedRealm) {
        guard !realm.isCheckpointPlanned else { return }
        realm.isCheckpointPlanned = true
        let id = realm.id
        loop.execute { [self] in
            guard let realm = realms[id] else { return }
            realm.isCheckpointPlanned = false
            guard !realm.isTurnPlanned, realm.appendsUnderWay == 0, !realm.engine.isBroken,
                realm.isCheckpointDue(.quiet)
            else { return }
            checkpoint(realm)
        }
    }

    private func checkpoint(_ realm: HostedRealm) {
        do throws(StorageError) {
            let synced = try realm.checkpoint()
            let rule = history.logTrim(synced: synced.version, floor: synced.floor)
            writer.trim(realm.id, by: rule)
        } catch {
            report.warning("checkpoint-failed", ["cause": "\(error)"])
        }
    }

    /// Between two slices of a realm's past that is freed, others have the thread to themselves.
    private static let historyPause = Duration.milliseconds(5)

    private func planHistory(of realm: HostedRealm) {
        guard realm.engine.hasHistoryWork, !realm.isHistoryPlanned, !isShuttingDown else { return }
        realm.isHistoryPlanned = true
        let id = realm.id
        loop.schedule(after: Self.historyPause) { [weak self] in
            guard let self, let realm = realms[id] else { return }
            realm.isHistoryPlanned = false
            planTurn(of: realm)
        }
    }

    /// A realm that nobody has had open for so long gives its file and memory back.
    private static let idleTime = Duration.seconds(60)

    private func planClose(of realm: HostedRealm) {
        guard !realm.isClosePlanned else { return }
        realm.isClosePlanned = true
        let id = realm.id
        loop.schedule(after: Self.idleTime) { [weak self] in
            guard let self, let realm = realms[id] else { return }
            realm.isClosePlanned = false
            guard realm.engine.isIdle, realm.appendsUnderWay == 0, !isShuttingDown else { return }
            realms[id] = nil
            close(realm)
        }
    }

    private func close(_ realm: HostedRealm) {
        if !realm.engine.isBroken, realm.isCheckpointDue(.last) { checkpoint(realm) }
        realm.close()
    }

    private func closeIfIdle() {
        guard let done = whenIdle, realms.values.allSatisfy({ $0.appendsUnderWay == 0 }) else {
            return
        }
        whenIdle = nil
        for realm in realms.values { close(realm) }
        realms = [:]
        log.close()
        done()
    }
}
