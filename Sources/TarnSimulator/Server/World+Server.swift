import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage

/// Joins the server's engines to the network, the log and the disks, as the daemon does.
extension World {
    var serverClock: Int64 { daemon.clock.time(at: Self.epoch + now) }

    func accept(_ connection: Connection) { daemon.sides[connection.number] = Daemon.Side() }

    func deliverToServer(_ number: Int) throws {
        guard let connection = connections[number], connection.isOpenAtServer,
            let side = daemon.sides[number], !connection.toServer.isEmpty
        else { return }
        guard connection.writesAt <= now else {
            met(.writerStalls)
            return plan(.deliverToServer(number), in: Int(connection.writesAt - now))
        }
        noteLateness(of: connection)
        let bytes = connection.toServer.removeFirst()
        note("server receives \(Self.name(ofClientMessage: bytes)) on \(number)")
        try perform(side.engine.received(bytes, now: serverClock), on: connection, side)
        maybeCut(connection)
    }

    func loginDone(_ number: Int, _ credentials: Credentials) throws {
        guard let connection = connections[number], let side = daemon.sides[number] else { return }
        let outcome = daemon.authenticator.login(credentials)
        guard !daemon.power.isDead else { return }
        if case .refused = outcome { met(.loginFails) }
        try perform(side.engine.loginFinished(outcome), on: connection, side)
    }

    func serverNoticesEnd(_ number: Int) throws {
        guard let connection = connections[number], connection.isOpenAtServer else { return }
        note("server notices the end of \(number)")
        connection.isOpenAtServer = false
        connection.toServer = []
        if let side = daemon.sides.removeValue(forKey: number) {
            try perform(side.engine.disconnected(), on: connection, side)
        }
        forget(connection)
    }

    private func perform(
        _ actions: [SessionAction], on connection: Connection, _ side: Daemon.Side
    ) throws {
        for action in actions {
            switch action {
            case .send(let message): try sendToClient(message, on: connection)
            case .authenticate(let credentials):
                plan(
                    .loginDone(connection: connection.number, credentials),
                    in: connection.dice.roll(0...100))
            case .revoke: break
            case .openRealm(let channel, let visitor, let request):
                try openRealm(channel, visitor, request, on: connection, side)
            case .forward(let channel, let message):
                guard let place = side.realms[channel] else { continue }
                let realm = daemon.realms[place]
                realm.engine?.receive(message, from: session(connection, channel))
                planTurn(of: realm)
            case .leaveRealm(let channel):
                guard let place = side.realms.removeValue(forKey: channel) else { continue }
                let realm = daemon.realms[place]
                realm.routes[session(connection, channel)] = nil
                realm.requests[session(connection, channel)] = nil
                realm.engine?.leave(session(connection, channel))
                planTurn(of: realm)
            case .askHistory(let request, let question):
                let answer = try history(request)
                try perform(
                    side.engine.historyFound(.success(answer), question: question),
                    on: connection, side)
            case .disconnect: endFromServer(connection)
            }
        }
    }

    private func history(_ request: HistoryRequest) throws -> HistoryPage {
        guard let realm = daemon.realm(request.realm) else {
            return HistoryPage(entries: [], next: nil, floor: .zero)
        }
        var search = HistorySearch(request, in: try daemon.log.extent(of: realm.id))
        while let slice = search.next {
            search.take(
                try daemon.log.records(of: realm.id, after: slice.after, limit: slice.limit))
        }
        return search.page
    }

    private func session(_ connection: Connection, _ channel: Channel) -> RealmSessionID {
        RealmSessionID(connection: UInt64(connection.number), channel: channel)
    }

    private func openRealm(
        _ channel: Channel, _ visitor: RealmVisitor, _ request: OpenRequest,
        on connection: Connection, _ side: Daemon.Side
    ) throws {
        guard let realm = daemon.realm(request.realm) else { return }
        guard let engine = try openEngine(of: realm) else {
            guard !daemon.power.isDead else { return }
            let told = ProtocolError(.overloaded, "The server cannot open the realm just now.")
            try sendToClient(.failed(channel, told), on: connection)
            return side.engine.channelEnded(channel)
        }
        side.realms[channel] = realm.place
        let session = session(connection, channel)
        realm.routes[session] = connection.number
        realm.requests[session] = request
        engine.open(session, by: visitor, request, room: connection.room)
        planTurn(of: realm)
    }

    /// Nil where the disk does not let it.
    private func openEngine(of realm: HostedRealm) throws -> RealmEngine? {
        if let engine = realm.engine { return engine }
        var recovered = Version.zero
        let failure = try StorageError.played {
            recovered = try RealmRecovery.replay(daemon.log, of: realm.id, into: realm.store)
        }
        if let failure {
            met(.realmFailsToOpen)
            note("realm \(realm.place) does not open: \(failure)")
            return nil
        }
        guard !daemon.power.isDead else { return nil }
        note(
            "realm \(realm.place) opens at \(recovered), replayed to "
                + "\(realm.store.applied.version)")
        try realm.history.check(realm.store, after: "a replay")
        let salts = daemon.salts
        let engine = RealmEngine(
            id: realm.id, store: realm.store,
            environment: RealmEnvironment(sha256: Digest.digest, random: { salts.next() }),
            history: daemon.means.history, pieces: daemon.means.pieces)
        realm.engine = engine
        return engine
    }

    private func noteLateness(of connection: Connection) {
        guard !connection.isOpenAtClient || connection.isCut,
            connections.values.contains(where: {
                $0.machine == connection.machine && $0.number > connection.number && !$0.isCut
            })
        else { return }
        met(.lateDelivery)
    }

    func roomCame(for session: RealmSessionID, of connection: Connection) {
        guard let side = daemon.sides[connection.number], let place = side.realms[session.channel]
        else { return }
        daemon.realms[place].engine?.roomCame(for: session)
        planTurn(of: daemon.realms[place])
    }

    // MARK: Turns

    private func planTurn(of realm: HostedRealm) {
        guard realm.engine != nil, !realm.isTurnPlanned else { return }
        realm.isTurnPlanned = true
        plan(.turn(realm: realm.place, life: daemon.life), in: daemon.dice.roll(0...20))
    }

    func turn(_ place: Int, _ life: Int) throws {
        guard life == daemon.life, daemon.isUp, let engine = daemon.realms[place].engine else {
            return
        }
        let realm = daemon.realms[place]
        realm.isTurnPlanned = false
        try perform(engine.turn(now: serverClock), of: realm)
        try goOnWhileLogging(realm)
        if engine.needsTurn { planTurn(of: realm) }
    }

    func perform(_ actions: [RealmAction], of realm: HostedRealm) throws {
        guard !daemon.power.isDead else { return }
        for action in actions {
            switch action {
            case .send(let session, let message):
                notice(message, to: session, of: realm)
                guard let number = realm.routes[session], let connection = connections[number]
                else { continue }
                try sendToClient(message, on: connection)
            case .closed(let session):
                realm.requests[session] = nil
                guard let number = realm.routes.removeValue(forKey: session),
                    let side = daemon.sides[number]
                else { continue }
                side.realms[session.channel] = nil
                side.engine.channelEnded(session.channel)
            case .append(let records): try append(records, of: realm)
            }
        }
        if let engine = realm.engine, engine.isBroken, realm.underWay == nil {
            met(.realmBreaks)
            note("realm \(realm.place) is closed, broken")
            realm.close()
        }
    }

    // MARK: The log

    private func append(_ records: [LogRecord], of realm: HostedRealm) throws {
        note("realm \(realm.place) decides \(records.count)")
        realm.underWay = records
        plan(.logWrite(realm: realm.place, life: daemon.life), in: daemon.dice.roll(0...30))
        if sabotage == .publishesEarly, let engine = realm.engine {
            try perform(engine.logCompleted(now: serverClock), of: realm)
        }
    }

    /// What the daemon does while the log is written.
    private func goOnWhileLogging(_ realm: HostedRealm) throws {
        guard realm.underWay != nil, let engine = realm.engine else { return }
        try perform(engine.whileLogging(), of: realm)
    }

    func logWrite(_ place: Int, _ life: Int) throws {
        let realm = daemon.realms[place]
        guard life == daemon.life, let records = realm.underWay else { return }
        var failure: StorageError?
        let isToFail = failsToAppend()
        let isWritten = !isToFail || daemon.dice.once(in: 2)
        if isToFail { failure = StorageError(.full, while: "writing to the commit log") }
        if isWritten, let error = try StorageError.played(in: { try daemon.log.append(records) }) {
            failure = error as? StorageError
        }
        if failure != nil {
            note("the log fails with \(records.count) of realm \(place), \(isWritten)")
            met(isWritten && isToFail ? .logFailsAfterWriting : .logFails)
        }
        if try daemon.log.lastVersion(of: realm.id) == records.last?.point.version {
            note("the log has version \(try daemon.log.lastVersion(of: realm.id)) of \(place)")
            for record in records { try decided(record, in: realm) }
        }
        plan(.logAnswered(realm: place, life: life, failure), in: daemon.dice.roll(0...10))
    }

    private func failsToAppend() -> Bool {
        guard let count = daemon.appendsToFailure else { return false }
        daemon.appendsToFailure = count == 0 ? nil : count - 1
        return count == 0
    }

    private func decided(_ record: LogRecord, in realm: HostedRealm) throws {
        let wording = try ledger.decided(record, in: realm)
        note("version \(record.point.version) is \(record.origin.transaction), \(wording.work)")
        let entry = try realm.append(record, of: wording)
        try meet(record, wording.work, in: realm)
        try DecisionCheck(
            record: record, transaction: entry.transaction, after: realm.history.latest
        ).run()
        try realm.teach(entry)
        if record.point.version.number % Self.versionsAComparison == 0 { try realm.compare() }
    }

    /// Between two times that a realm is held against the rules, besides those of quiet.
    private static let versionsAComparison: UInt64 = 16

    func logAnswered(_ place: Int, _ life: Int, _ failure: StorageError?) throws {
        let realm = daemon.realms[place]
        guard life == daemon.life, realm.underWay != nil else { return }
        realm.underWay = nil
        guard let engine = realm.engine else { return }
        if let failure {
            try perform(engine.logFailed(failure), of: realm)
        } else if sabotage != .publishesEarly {
            try perform(engine.logCompleted(now: serverClock), of: realm)
            try realm.history.check(realm.store, after: "a turn")
        }
        planTurn(of: realm)
    }
}
