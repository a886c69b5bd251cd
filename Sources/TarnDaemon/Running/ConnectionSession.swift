import Synchronization
import TarnModel
import TarnProtocol
import TarnServer
import TarnTransport

/// What a connection needs of the daemon.
struct SessionServices: Sendable {
    let desk: AccountDesk
    let history: HistoryDesk
    let executors: [RealmExecutor]
    let report: DaemonLog
    let metrics: DaemonMetrics

    /// The thread that a realm lives on: always the same one.
    func executor(of realm: RealmID) -> RealmExecutor {
        executors[Int(realm.bytes[0]) % executors.count]
    }
}

/// One client's connection: joins its engine to its socket, the accounts and the realms.
///
/// It lives on its connection's loop; other threads only hand it things by `deliver`, through that
/// loop's mailbox. That is why it is Sendable without the compiler's proof.
final class ConnectionSession: ConnectionHandler, @unchecked Sendable {
    let number: UInt64
    /// What realms have for this connection takes room here.
    let room: ConnectionRoom
    private let loop: EventLoop
    private let services: SessionServices
    private var connection: SecureConnection?
    private var engine = SessionEngine()
    /// What each channel has open; messages that come before the realm's id is known wait in
    /// `early`.
    private var open: [Channel: (realm: RealmID, session: RealmSessionID)] = [:]
    private var openings: UInt64 = 0
    private var early = EarlyMessages()
    /// Of the message that is being looked at.
    private var receivedByteCount = 0
    /// What this turn brought for realms, handed over at its end.
    private var inputs: [RealmID: [RealmInput]] = [:]

    private var loginTimer: LoopTimer?
    private let ended: @Sendable (UInt64) -> Void

    /// - Parameter ended: called when the connection is gone.
    init(
        number: UInt64, loop: EventLoop, services: SessionServices,
        ended: @escaping @Sendable (UInt64) -> Void
    ) {
        self.number = number
        self.loop = loop
        self.services = services
        self.ended = ended
        room = ConnectionRoom { session, realm in
            services.executor(of: realm).submit([.roomCame(session)], to: realm)
        }
    }

    // MARK: From the connection

    func connectionOpened(_ connection: SecureConnection) {
        self.connection = connection
        awaitLogin()
        if let client = connection.forwardedFor {
            services.report.debug(
                "connected",
                [
                    "connection": "\(number)", "peer": "\(connection.peer)",
                    "client": "\(client)",
                ])
        } else {
            services.report.debug(
                "connected", ["connection": "\(number)", "peer": "\(connection.peer)"])
        }
    }

    func connectionReceived(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
    ) {
        guard kind == .binary else {
            return connection.close(.unsupportedData, reason: "messages are binary")
        }
        receivedByteCount = payload.byteCount
        perform(engine.received(Array(copying: payload), now: WallClock.milliseconds))
    }

    func connectionCaughtUp(_ connection: SecureConnection) {
        awaitLogin()
        submitInputs()
    }

    /// Whoever is nobody, at first or after a logout, has a while to say who he is.
    private func awaitLogin() {
        guard engine.user == nil else { return }
        connection?.isStranger = true
        guard loginTimer == nil, connection != nil else { return }
        loginTimer = loop.schedule(after: .seconds(ServerLimits.loginSeconds)) { [weak self] in
            guard let self else { return }
            loginTimer = nil
            perform(engine.loginIsDue())
            // A login that is being looked at has the time again.
            awaitLogin()
        }
    }

    func connectionDrained(_ connection: SecureConnection) { room.drained() }

    func connectionEnded(_ end: ConnectionEnd) {
        connection = nil
        room.drained()
        loginTimer?.cancel()
        loginTimer = nil
        perform(engine.disconnected())
        submitInputs()
        ended(number)
        services.report.debug("disconnected", ["connection": "\(number)", "cause": "\(end)"])
    }

    /// The daemon shuts down.
    func end(_ error: ProtocolError) {
        loop.execute { [self] in
            perform(engine.end(error))
            submitInputs()
        }
    }

    // MARK: From the engine

    private func perform(_ actions: [SessionAction]) {
        for action in actions {
            switch action {
            case .send(let message):
                connection?.send(message.encoded())
            case .authenticate(let credentials):
                authenticate(credentials)
            case .revoke(let token):
                services.desk.revoke(token: token)
            case .openRealm(let channel, let visitor, let request):
                open(channel, visitor, request)
            case .forward(let channel, let message):
                forward(message, on: channel)
            case .leaveRealm(let channel):
                leave(channel)
            case .askHistory(let request, let question):
                ask(request, question)
            case .disconnect:
                connection?.close(.normal)
            }
        }
    }

    private func authenticate(_ credentials: Credentials) {
        services.desk.login(credentials) { [self] outcome in
            loop.execute { [self] in
                switch outcome {
                case .accepted(let user, _):
                    services.metrics.loginsAccepted.add(1, ordering: .relaxed)
                    loginTimer?.cancel()
                    loginTimer = nil
                    connection?.isStranger = false
                    services.report.info("logged-in", ["connection": "\(number)", "user": user])
                case .refused:
                    services.metrics.loginsRefused.add(1, ordering: .relaxed)
                }
                perform(engine.loginFinished(outcome))
                submitInputs()
            }
        }
    }

    private func open(_ channel: Channel, _ visitor: RealmVisitor, _ request: OpenRequest) {
        early.begin(channel)
        openings += 1
        let session = RealmSessionID(connection: number, channel: channel, opening: openings)
        services.desk.realm(request.realm) { [self] result in
            loop.execute { [self] in
                guard let waiting = early.end(channel) else { return }
                switch result {
                case .success(let realm):
                    open[channel] = (realm, session)
                    room.belongs(session, to: realm)
                    inputs[realm, default: []].append(.open(session, visitor, request, self))
                    for message in waiting { forward(message, on: channel) }
                case .failure(let error):
                    services.report.error("realm-not-found", ["cause": "\(error)"])
                    engine.channelEnded(channel)
                    let told = ProtocolError(
                        .storageFailed, "The server cannot look up realms just now.")
                    connection?.send(ServerMessage.failed(channel, told).encoded())
                }
                submitInputs()
            }
        }
    }

    private func ask(_ request: HistoryRequest, _ question: UInt64) {
        services.desk.realm(request.realm) { [self] result in
            switch result {
            case .success(let realm):
                services.history.ask(request, of: realm) { [self] answer in
                    found(answer, question)
                }
            case .failure(let error):
                services.report.error("realm-not-found", ["cause": "\(error)"])
                let told = ProtocolError(
                    .storageFailed, "The server cannot look up realms just now.")
                found(.failure(told), question)
            }
        }
    }

    private func found(_ answer: HistoryDesk.Answer, _ question: UInt64) {
        loop.execute { [self] in
            perform(engine.historyFound(answer, question: question))
        }
    }

    private func forward(_ message: ClientMessage, on channel: Channel) {
        if let (realm, session) = open[channel] {
            inputs[realm, default: []].append(.message(session, message))
            return
        }
        // Nobody may upload before the answer to the open, which says where to begin.
        if case .upload = message { return }
        guard early.add(message, of: receivedByteCount, on: channel) else {
            return perform(
                engine.end(ProtocolError(.overloaded, "Too much was sent before an answer.")))
        }
    }

    private func leave(_ channel: Channel) {
        _ = early.end(channel)
        guard let (realm, session) = open.removeValue(forKey: channel) else { return }
        inputs[realm, default: []].append(.leave(session))
    }

    private func submitInputs() {
        guard !inputs.isEmpty else { return }
        for (realm, batch) in inputs { services.executor(of: realm).submit(batch, to: realm) }
        inputs = [:]
    }

    // MARK: From the realms

    func deliver(_ deliveries: [Delivery]) { Self.deliver([(self, deliveries)]) }

    /// Hands out what a realm's turn says: one wake-up a loop, whoever it is for.
    static func deliver(_ batch: [(ConnectionSession, [Delivery])]) {
        var byLoop: [ObjectIdentifier: (EventLoop, [(ConnectionSession, [Delivery])])] = [:]
        for entry in batch {
            byLoop[ObjectIdentifier(entry.0.loop), default: (entry.0.loop, [])].1.append(entry)
        }
        for (loop, entries) in byLoop.values {
            loop.execute {
                for (session, deliveries) in entries { session.take(deliveries) }
            }
        }
    }

    private func take(_ deliveries: [Delivery]) {
        var takenByteCount = 0
        for delivery in deliveries {
            takenByteCount += delivery.takenByteCount
            if delivery.isEnd { room.forget(delivery.session) }
            let channel = delivery.session.channel
            // The channel may be closed, or another opening's, by now.
            guard open[channel]?.session == delivery.session else { continue }
            if !delivery.bytes.isEmpty { connection?.send(delivery.bytes) }
            if delivery.isEnd {
                open[channel] = nil
                engine.channelEnded(channel)
            }
        }
        room.handedOver(takenByteCount, isWritten: connection?.isWritable ?? true)
    }
}
