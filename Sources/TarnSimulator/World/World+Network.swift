import TarnModel
import TarnProtocol

/// Streams that keep their order and end anywhere.
extension World {
    func connect(_ process: SimulatedProcess) -> Connection {
        connectionCount += 1
        let machine = machines[process.machine]
        machine.connectionCount += 1
        let connection = Connection(
            number: connectionCount, process: process.number, machine: machine.number,
            dice: Dice(seed, .connection(machine.connectionCount, machine: machine.number)))
        connections[connection.number] = connection
        accept(connection)
        return connection
    }

    func sendToServer(_ bytes: [UInt8], on connection: Connection) {
        guard !connection.isCut, connection.isOpenAtClient else { return }
        connection.toServer.append(bytes)
        plan(.deliverToServer(connection.number), in: delay(on: connection))
    }

    func sendToClient(_ message: ServerMessage, on connection: Connection) throws {
        try watch(message, on: connection)
        guard !connection.isCut, connection.isOpenAtServer else { return }
        connection.toClient.append(message.encoded())
        plan(.deliverToClient(connection.number), in: delay(on: connection))
    }

    private func delay(on connection: Connection) -> Int {
        connection.dice.roll(1...(isCalm ? 20 : profile.delayMax))
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
        guard let replica = machines[connection.machine].replica else { return }
        for receipt in group.receipts { try ledger.check(receipt, of: replica) }
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
        return isCalm || dice.once(in: 2) ? dice.roll(0...50) : dice.roll(100...40_000)
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
