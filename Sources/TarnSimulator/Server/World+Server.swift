import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage

/// Joins the server's engines to the network, the log and the disks, as the daemon does.
extension World {
    var serverClock: Int64 { Self.epoch + now + daemon.clockError }

    func accept(_ connection: Connection) { daemon.sides[connection.number] = Daemon.Side() }

    func deliverToServer(_ number: Int) throws {
        guard let connection = connections[number], connection.isOpenAtServer,
            let side = daemon.sides[number], !connection.toServer.isEmpty
        else { return }
        let bytes = connection.toServer.removeFirst()
        note("server receives \(Self.name(ofClientMessage: bytes)) on \(number)")
        try perform(side.engine.received(bytes, now: serverClock), on: connection, side)
        maybeCut(connection)
    }

    func loginDone(_ number: Int, _ credentials: Credentials) throws {
        guard let connection = connections[number], let side = daemon.sides[number] else { return }
        let outcome: LoginOutcome =
            switch credentials {
            case .nickname(let name): .accepted(user: name, token: "token of \(name)")
            case .token(let token):
                .accepted(user: String(token.dropFirst("token of ".count)), token: nil)
            case .password:
                .refused(ProtocolError(.providerDisabled, "There are no passwords here."))
            }
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
        let engine = try openEngine(of: realm)
        side.realms[channel] = realm.place
        let session = session(connection, channel)
        realm.routes[session] = connection.number
        engine.open(session, by: visitor, request)
        planTurn(of: realm)
    }

    private func openEngine(of realm: HostedRealm) throws -> RealmEngine {
        if let engine = realm.engine { return engine }
        let recovered = try RealmRecovery.replay(daemon.log, of: realm.id, into: realm.store)
        note(
            "realm \(realm.place) opens at \(recovered), replayed to "
                + "\(realm.store.applied.version)")
        try realm.history.check(realm.store, after: "a replay")
        let salts = daemon.salts
        let engine = RealmEngine(
            id: realm.id, store: realm.store,
            environment: RealmEnvironment(sha256: Digest.digest, random: { salts.next() }))
        realm.engine = engine
        return engine
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
        daemon.realms[place].isTurnPlanned = false
        try perform(engine.turn(now: serverClock), of: daemon.realms[place])
    }

    private func perform(_ actions: [RealmAction], of realm: HostedRealm) throws {
        for action in actions {
            switch action {
            case .send(let session, let message):
                guard let number = realm.routes[session], let connection = connections[number]
                else { continue }
                try sendToClient(message, on: connection)
            case .closed(let session):
                guard let number = realm.routes.removeValue(forKey: session),
                    let side = daemon.sides[number]
                else { continue }
                side.realms[session.channel] = nil
                side.engine.channelEnded(session.channel)
            case .append(let records): try append(records, of: realm)
            }
        }
        if let engine = realm.engine, engine.isBroken, realm.underWay == nil {
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

    func logWrite(_ place: Int, _ life: Int) throws {
        let realm = daemon.realms[place]
        guard life == daemon.life, let records = realm.underWay else { return }
        var failure: StorageError?
        if failsToAppend() {
            failure = StorageError(.full, while: "writing to the commit log")
            note("the log has no room for \(records.count) of realm \(place)")
        } else {
            try daemon.log.append(records)
            note("the log has version \(try daemon.log.lastVersion(of: realm.id)) of \(place)")
            for record in records {
                note("version \(record.point.version) is \(record.origin.transaction)")
                try decided(record, in: realm)
            }
        }
        plan(.logAnswered(realm: place, life: life, failure), in: daemon.dice.roll(0...10))
    }

    private func failsToAppend() -> Bool {
        guard let count = daemon.appendsToFailure else { return false }
        daemon.appendsToFailure = count == 0 ? nil : count - 1
        return count == 0
    }

    private func decided(_ record: LogRecord, in realm: HostedRealm) throws {
        let transaction = try ledger.decided(record, in: realm.place)
        try realm.history.append(record)
        try DecisionCheck(
            record: record, transaction: transaction, after: realm.history.latest
        ).run()
    }

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
