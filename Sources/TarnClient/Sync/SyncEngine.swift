import TarnModel
package import TarnProtocol
import TarnStorage

/// Keeps one replica in step with its server: connects, logs in, opens the realm, sends the outbox
/// up, takes groups in, and tries again when something fails.
///
/// It has no socket, clock or randomness: `handle` is told what happened and answers what to do.
/// Only the process that leads may run it.
package struct SyncEngine {
    /// Milliseconds that the server has for each answer before the realm is open.
    package static let answerWithin: Int64 = 30_000
    /// A session that lived so long was no failure, whatever ended it.
    package static let soundAfter: Int64 = 10_000

    package let replica: Replica
    /// The lease's, where several processes share the store.
    package var epoch: UInt64?
    /// What the program calls itself to the server.
    private let program: String
    private var credentials: Credentials?
    private var backOff = BackOff()
    var phase = Phase.idle
    /// Of the connection, the last that was used: a number is not used twice.
    var channel = Channel(0)
    /// Somebody else goes by the replica's id, on a machine of its own.
    var isShared = false
    /// When somebody else's session ended this one while it led, by the steady clock.
    private var lastFenced: Int64?
    /// Recoveries that were begun since a group was applied.
    var recoveryCount = 0
    private var status = SyncStatus(connection: .offline, upToDate: nil, problem: nil)

    enum Phase {
        /// Not started.
        case idle
        /// For the next try.
        case waiting(until: Int64)
        case connecting
        /// For the welcome.
        case greeting(until: Int64)
        /// For the server to say who we are.
        case loggingIn(until: Int64)
        /// For what the server remembers of this replica.
        case opening(until: Int64, Recovery?)
        /// For what the server knows of this replica's work, since the memories do not fit.
        case inquiring(until: Int64, Investigation)
        /// For the receipts of work under a former id.
        case carrying(until: Int64, ErrandRun, Recovery)
        case running(SyncSession)
        /// For somebody to log in.
        case loggedOut
        /// For somebody to mend it.
        case stopped
    }

    package init(_ replica: Replica, credentials: Credentials?, program: String) {
        self.replica = replica
        self.credentials = credentials
        self.program = program
    }

    package var isRunning: Bool {
        if case .running = phase { true } else { false }
    }

    package mutating func handle(
        _ event: SyncEvent, at now: Moment, random: inout some RandomNumberGenerator
    ) -> [SyncAction] {
        var turn = Turn(now: now)
        do {
            try handle(event, &turn, &random)
        } catch {
            fail(ReplicaError(error), &turn)
        }
        if let cause = turn.investigation { investigate(cause, &turn) }
        if turn.isDropped { wait(&turn, &random) }
        return turn.actions
    }

    /// What one event comes to.
    struct Turn {
        let now: Moment
        var actions: [SyncAction] = []
        /// The connection is no good: try again later.
        var isDropped = false
        var problem: String?
        /// The server has to be asked what it has of this replica.
        var investigation: Investigation.Cause?

        mutating func send(_ messages: [ClientMessage]) {
            for message in messages { actions.append(.send(message.encoded())) }
        }

        mutating func drop(_ problem: String) {
            isDropped = true
            self.problem = problem
        }
    }

    private mutating func handle(
        _ event: SyncEvent, _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) throws {
        switch event {
        case .started: start(&turn)
        case .connected: greet(&turn)
        case .received(let bytes): try receive(bytes, &turn, &random)
        case .disconnected(let why): lose(why, &turn)
        case .localChange:
            try inSession { session throws in turn.send(try session.tellChanges()) }
        case .timer: try checkTime(&turn)
        case .credentials(let credentials):
            self.credentials = credentials
            if case .loggedOut = phase { start(&turn) }
        }
    }

    mutating func inSession(_ body: (inout SyncSession) throws -> Void) throws {
        guard case .running(var session) = phase else { return }
        // The session is moved, not copied, while it is changed.
        phase = .idle
        defer { phase = .running(session) }
        try body(&session)
    }

    // MARK: - Coming and going

    private mutating func start(_ turn: inout Turn) {
        switch phase {
        case .idle, .waiting, .loggedOut, .stopped:
            phase = .connecting
            show(.connecting, problem: status.problem, &turn)
            turn.actions.append(.connect)
        case .connecting, .greeting, .loggingIn, .opening, .inquiring, .carrying, .running: break
        }
    }

    private mutating func greet(_ turn: inout Turn) {
        guard case .connecting = phase else { return }
        channel = Channel(0)
        phase = .greeting(until: expectAnswer(&turn))
        turn.send([
            .hello(versions: [ProtocolLimits.version], clock: turn.now.wall, program: program)
        ])
    }

    private mutating func lose(_ why: String, _ turn: inout Turn) {
        switch phase {
        case .idle, .waiting, .loggedOut, .stopped: return
        case .running(let session) where turn.now.steady - session.began >= Self.soundAfter:
            backOff.reset()
        default: break
        }
        turn.isDropped = true
        turn.problem = why
    }

    private mutating func checkTime(_ turn: inout Turn) throws {
        switch phase {
        case .waiting(let until):
            guard turn.now.steady >= until else {
                turn.actions.append(.wake(afterMilliseconds: until - turn.now.steady))
                return
            }
            start(&turn)
        case .greeting(let until), .loggingIn(let until), .opening(let until, _),
            .inquiring(let until, _), .carrying(let until, _, _):
            guard turn.now.steady < until else {
                turn.drop("the server does not answer")
                return
            }
            turn.actions.append(.wake(afterMilliseconds: until - turn.now.steady))
        case .running:
            try answer(&turn)
            try goOnComparing(&turn)
        case .idle, .connecting, .loggedOut, .stopped: break
        }
    }

    func expectAnswer(_ turn: inout Turn) -> Int64 {
        turn.actions.append(.wake(afterMilliseconds: Self.answerWithin))
        return turn.now.steady + Self.answerWithin
    }

    private mutating func wait(
        _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) {
        let delay = backOff.next(random: &random)
        phase = .waiting(until: turn.now.steady + delay)
        turn.actions.append(.disconnect)
        show(.offline, problem: turn.problem, &turn)
        turn.actions.append(.wake(afterMilliseconds: delay))
    }

    mutating func stop(_ error: ProtocolError, _ turn: inout Turn) {
        phase = .stopped
        turn.actions.append(.disconnect)
        // First, since whoever hears it may find that another process has taken over, and that the
        // status is that one's to tell.
        turn.actions.append(.stopped(error))
        show(.stopped, problem: error.description, &turn)
    }

    private mutating func askForLogin(_ error: ProtocolError?, _ turn: inout Turn) {
        phase = .loggedOut
        credentials = nil
        turn.actions.append(.disconnect)
        show(.stopped, problem: error?.description ?? "nobody is logged in", &turn)
        turn.actions.append(.loginNeeded(error))
    }

    /// Tells this program, and the other processes by the store.
    private mutating func show(
        _ connection: SyncStatus.Connection, problem: String?, _ turn: inout Turn
    ) {
        guard status.connection != connection || status.problem != problem else { return }
        status.connection = connection
        status.problem = problem
        // Where the store fails, what matters fails too, and says so.
        try? replica.setSyncStatus(connection, problem: problem, epoch: epoch)
        turn.actions.append(.statusChanged(status))
    }

    // MARK: - What the server says

    private mutating func receive(
        _ bytes: [UInt8], _ turn: inout Turn, _ random: inout some RandomNumberGenerator
    ) throws {
        switch phase {
        // It was on its way when the connection was given up.
        case .idle, .waiting, .connecting, .loggedOut, .stopped: return
        case .greeting, .loggingIn, .opening, .inquiring, .carrying, .running: break
        }
        let message = try ServerMessage(decoding: bytes)
        switch (message, phase) {
        case (.failed(let channel, let error), _):
            guard channel == nil || channel == self.channel else { return }
            try hearFailure(error, &turn)
        case (.welcome(let version, _), .greeting):
            guard version == ProtocolLimits.version else {
                let sentence = "the server speaks version \(version) of the protocol."
                stop(ProtocolError(.versionUnsupported, sentence), &turn)
                return
            }
            guard let credentials else {
                askForLogin(nil, &turn)
                return
            }
            phase = .loggingIn(until: expectAnswer(&turn))
            turn.send([.login(credentials)])
        case (.loggedIn(let user, let token), .loggingIn):
            try open(as: user, token: token, &turn)
        case (.opened(channel, let reply), .opening(_, let recovery)):
            try begin(reply, recovery, &turn)
        case (.opened(channel, let reply), .inquiring(_, let investigation)):
            try learn(reply, investigation, &turn, &random)
        case (.opened(channel, _), .carrying(_, let run, let recovery)),
            (.group(channel, _), .carrying(_, let run, let recovery)),
            (.credit(channel, _), .carrying(_, let run, let recovery)),
            (.received(channel, _, _), .carrying(_, let run, let recovery)):
            try hear(message, on: run, recovery, &turn)
        case (.group(channel, let part), .running): try take(part, &turn)
        case (.compare(channel, let number), .running):
            try inSession { session throws in try session.compare(number) }
            try goOnComparing(&turn)
        case (.credit(channel, let bytes), .running):
            try inSession { session throws in turn.send(try session.grant(bytes)) }
        // Parts are sent once a session, so there is nothing to do about it.
        case (.received(channel, _, _), .running): break
        // Of a channel that this side has closed.
        case (.group(let other, _), _) where other != channel: break
        case (.credit(let other, _), _) where other != channel: break
        case (.received(let other, _, _), _) where other != channel: break
        case (.compare(let other, _), _) where other != channel: break
        default: turn.drop("the server answered out of turn")
        }
    }

    private mutating func open(
        as user: String, token: String?, _ turn: inout Turn
    ) throws {
        guard Text(user) == Text(replica.identity.user) else {
            askForLogin(
                ProtocolError(
                    .loginRefused,
                    "the replica is \(replica.identity.user)'s, and the login is \(user)'s."), &turn
            )
            return
        }
        if let token {
            credentials = .token(token)
            turn.actions.append(.loggedIn(user: user, token: token))
        }
        if isShared {
            turn.investigation = .shared
        } else {
            try open(recovering: nil, &turn)
        }
    }

    private mutating func begin(
        _ reply: OpenReply, _ recovery: Recovery?, _ turn: inout Turn
    ) throws {
        let fault = try SyncSession.check(reply, for: replica, recovering: recovery, epoch: epoch)
        if let fault { return meet(fault, &turn) }
        var session = SyncSession(
            replica, on: channel, reply: reply, recovery: recovery, began: turn.now.steady)
        turn.send(try session.begin())
        phase = .running(session)
        show(.connected, problem: nil, &turn)
    }

    private mutating func take(_ part: Part, _ turn: inout Turn) throws {
        let epoch = epoch
        var came = SyncSession.Taken.part
        var gap: Recovery.Gap?
        try inSession { session throws in
            let wasDue = session.answerDue
            let answer = try session.take(part, epoch: epoch, now: turn.now.steady)
            came = answer.came
            if came == .applied { gap = session.gap }
            turn.send(answer.messages)
            guard wasDue == nil, let due = session.answerDue else { return }
            turn.actions.append(.wake(afterMilliseconds: due - turn.now.steady))
        }
        if came == .staged { turn.actions.append(.statusChanged(status)) }
        guard came == .applied else { return }
        recoveryCount = 0
        isShared = false
        backOff.reset()
        if let gap { show(.connected, problem: gap.sentence, &turn) }
        turn.actions.append(.replicaChanged)
    }

    private mutating func hearFailure(_ error: ProtocolError, _ turn: inout Turn) throws {
        // In the middle of a session, too: somebody has ended it elsewhere.
        if error.code == .loginRefused || error.code == .notLoggedIn {
            askForLogin(error, &turn)
        } else if error.code == .forked || error.code == .rewound {
            turn.investigation = .misfit(error)
        } else if error.code == .fenced, try isLeading() {
            meetOther(error, &turn)
        } else if error.code.endsSynchronisation {
            stop(error, &turn)
        } else {
            turn.drop(error.description)
        }
    }

    /// Who led on this machine before may have spoken late, and then says no more. A copy of the
    /// replica comes again, as this one does.
    private mutating func meetOther(_ error: ProtocolError, _ turn: inout Turn) {
        let now = turn.now.steady
        let isAgain = lastFenced.map { now - $0 < Self.copyMilliseconds } ?? false
        lastFenced = now
        guard isAgain else { return turn.drop(error.description) }
        isShared = true
        turn.drop("a copy of this replica is in use on another machine")
    }

    private static let copyMilliseconds: Int64 = 600_000

    // MARK: - What fails here

    private mutating func fail(_ error: ReplicaError, _ turn: inout Turn) {
        switch (error.code, error.cause?.code) {
        case (.forked, _):
            meet(
                ProtocolError(
                    .forked, error.sentence + ".", advice: "Nothing here is lost."), &turn)
        case (.schemaConflict, _):
            let advice = "Nothing here is lost. Use a new profile, and carry unsent work over."
            stop(ProtocolError(.protocolViolation, error.sentence + ".", advice: advice), &turn)
        case (.leaseLost, _):
            stop(ProtocolError(.fenced, error.sentence + "."), &turn)
        case (.storage, .corrupt):
            stop(ProtocolError(.storageFailed, error.sentence + "."), &turn)
        // A disk that is full or busy, or a server that talks nonsense, may be well later.
        default: turn.drop(error.sentence)
        }
    }
}
