import TarnModel
import TarnProtocol
import TarnServer

/// Streams that keep their order and end anywhere.
extension World {
    func connect(_ process: SimulatedProcess) -> Connection {
        connectionCount += 1
        let machine = machines[process.machine]
        machine.connectionCount += 1
        let connection = Connection(
            number: connectionCount, process: process.number, machine: machine.number,
            delayMax: profile.delayMax,
            dice: Dice(seed, .connection(machine.connectionCount, machine: machine.number)))
        connections[connection.number] = connection
        accept(connection)
        return connection
    }

    func sendToServer(_ bytes: [UInt8], on connection: Connection) {
        guard !connection.isCut, connection.isOpenAtClient else { return }
        connection.toServer.append(bytes)
        plan(.deliverToServer(connection.number), in: delay(connection.delayMax.up, connection))
    }

    func sendToClient(_ message: ServerMessage, on connection: Connection) throws {
        try watch(message, on: connection)
        guard !connection.isCut, connection.isOpenAtServer else { return }
        // A part takes its room when it is made.
        let room = if case .group(_, let part) = message { part.bytes.count } else { 0 }
        connection.toClient.append((message.encoded(), room))
        plan(.deliverToClient(connection.number), in: delay(connection.delayMax.down, connection))
    }

    private func delay(_ most: Int, _ connection: Connection) -> Int {
        connection.dice.roll(1...(isCalm ? 20 : most))
    }

    /// The client has read what took so much of its connection's room.
    func giveBack(_ room: Int, of connection: Connection) {
        guard room > 0, connection.isOpenAtServer else { return }
        for session in connection.room.giveBack(room) {
            met(.roomRunsDry)
            roomCame(for: session, of: connection)
        }
    }

    /// The server takes a connection whose client has given up waiting for it.
    func acceptForNothing(_ process: SimulatedProcess) {
        met(.acceptedForNothing)
        endFromClient(connect(process))
    }

    /// A client stops reading for a time, or what it sends stands still.
    func stall(_ dice: Dice) {
        guard let number = dice.pick(connections.keys.sorted()),
            let connection = connections[number]
        else { return }
        let until = now + Int64(dice.roll(500...25_000))
        if dice.once(in: 2) { connection.readsAt = until } else { connection.writesAt = until }
        note("\(number) stands still until \(until)")
    }

    /// What leaves the server: nothing that is not in the log.
    private func watch(_ message: ServerMessage, on connection: Connection) throws {
        guard case .group(let channel, let part) = message,
            let side = daemon.sides[connection.number], let place = side.realms[channel],
            let bytes = try side.watch.append(part)
        else { return }
        let group = try Group(decoding: bytes)
        let realm = daemon.realms[place]
        note(
            "server sends \(group.from.version)..\(group.to.version) with \(group.views.count) "
                + "views, \(group.receipts.count) receipts on \(connection.number)")
        try realm.history.check(group.to, whose: "a group")
        meet(group)
        let session = RealmSessionID(connection: UInt64(connection.number), channel: channel)
        guard let replica = realm.requests[session]?.replica else { return }
        for receipt in group.receipts {
            let id = TransactionID(replica: replica, sequence: receipt.sequence)
            let known = realm.history.decision(of: id)
            guard known == receipt else {
                throw Violation(
                    known == nil ? .durability : .receipts,
                    "an outcome of \(id) is told that is not in the log",
                    "decided: \(String(describing: known))", "told: \(receipt)")
            }
        }
    }

    private func meet(_ group: Group) {
        if group.progress != nil { met(.downloadInPieces) }
        for case .buckets(let buckets) in group.views.map(\.replaced) {
            met(buckets.isEmpty ? .digestAgrees : .digestDiffers)
        }
    }

    func maybeCut(_ connection: Connection) {
        guard let count = connection.deliveriesToCut else { return }
        connection.deliveriesToCut = count - 1
        if count <= 0 { cut(connection) }
    }

    /// Some of what is under way still arrives on either side, and both notice some day.
    func cut(_ connection: Connection) {
        guard !connection.isCut else { return }
        note("\(connection.number) is cut")
        connection.isCut = true
        connection.toServer = Array(
            connection.toServer.prefix(connection.dice.roll(0...connection.toServer.count)))
        connection.toClient = Array(
            connection.toClient.prefix(connection.dice.roll(0...connection.toClient.count)))
        if connection.isOpenAtServer {
            plan(.serverNoticesEnd(connection.number), in: noticeDelay(of: connection))
        }
        if connection.isOpenAtClient {
            plan(.clientNoticesEnd(connection.number), in: noticeDelay(of: connection))
        }
    }

    private func noticeDelay(of connection: Connection) -> Int {
        let dice = connection.dice
        if isCalm || dice.once(in: 2) { return dice.roll(0...50) }
        return dice.once(in: 8) ? dice.roll(40_000...150_000) : dice.roll(100...40_000)
    }

    func endFromClient(_ connection: Connection) {
        guard connection.isOpenAtClient else { return }
        connection.isOpenAtClient = false
        connection.toClient = []
        if connection.isOpenAtServer {
            plan(.serverNoticesEnd(connection.number), in: noticeDelay(of: connection))
        }
        forget(connection)
    }

    func endFromServer(_ connection: Connection) {
        guard connection.isOpenAtServer else { return }
        connection.isOpenAtServer = false
        connection.toServer = []
        daemon.sides[connection.number] = nil
        plan(
            .clientNoticesEnd(connection.number),
            in: profile.delayMax + connection.dice.roll(0...500))
        forget(connection)
    }

    func forget(_ connection: Connection) {
        guard !connection.isOpenAtServer, !connection.isOpenAtClient else { return }
        connections[connection.number] = nil
    }

    static func name(ofClientMessage bytes: [UInt8]) -> String {
        guard let message = try? ClientMessage(decoding: bytes) else { return "what is no message" }
        switch message {
        case .hello: return "hello"
        case .login: return "login"
        case .logout: return "logout"
        case .open(_, let request):
            return "open at \(request.integrated.version), \(request.acknowledgedSequence)"
        case .subscribe(_, let request):
            return "subscribe \(request.number)\(request.isResumed ? " again" : "")"
        case .unsubscribe(_, let number): return "unsubscribe \(number)"
        case .start: return "start"
        case .upload(_, let sequence, let part): return "\(sequence), \(part.bytes.count) bytes"
        case .integrated(_, let point, let sequence):
            return "integrated \(point.version), \(sequence)"
        case .credit: return "credit"
        case .close: return "close"
        case .digest(_, let number, let digest):
            return "digest of \(number), \(digest.sums.count) buckets"
        case .history(_, let request): return "history of \(request.realm)"
        }
    }

    static func name(ofServerMessage bytes: [UInt8]) -> String {
        guard let message = try? ServerMessage(decoding: bytes) else { return "what is no message" }
        switch message {
        case .welcome: return "welcome"
        case .loggedIn: return "logged in"
        case .loggedOut: return "logged out"
        case .failed(_, let error): return "failed: \(error.code)"
        case .opened(_, let reply): return "opened at \(reply.sequence), \(reply.latest.version)"
        case .group(_, let part): return "group, \(part.bytes.count) bytes"
        case .received: return "received"
        case .credit: return "credit"
        case .compare(_, let number): return "compare \(number)"
        case .historyPage(_, let page): return "a history of \(page.entries.count)"
        }
    }
}
