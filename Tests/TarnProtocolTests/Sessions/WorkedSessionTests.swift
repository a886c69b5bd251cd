import Synchronization
import TarnCrypto
import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage
import Testing

/// The worked session of the specification, played to the server's engines: they answer it to the
/// byte, so that the page cannot say what the server does not do.
@Suite struct WorkedSessionTests {
    @Test func `the server answers the worked session to the byte`() throws {
        let file = try VectorFile("session").content
        var server = try WorkedServer(file)
        var answers: [[UInt8]] = []
        var steps = 0

        for step in try file["steps"].elements {
            let bytes = try step["hex"].bytes
            let kind = try step["meaning"]["kind"].text
            if try step["from"].text == "client" {
                #expect(answers.isEmpty, "unsaid before \(kind)")
                answers = server.receive(bytes, now: try step["now"].integer())
            } else {
                try #require(!answers.isEmpty, "the server does not say \(kind)")
                let answer = answers.removeFirst()
                if answer != bytes {
                    Issue.record("another \(kind): \(try ServerMessage(decoding: answer))")
                }
            }
            steps += 1
        }

        #expect(answers.isEmpty)
        #expect(steps > 20)
    }

    @Test func `what the steps hold is what the meanings say`() throws {
        for step in try VectorFile("session").content["steps"].elements {
            if let upload = step.member("upload") {
                let content = try step["meaning"]["bytes"].bytes
                let sealed = try SealedTransaction(decoding: content)
                #expect(try sealed == upload.sealed)
                let transaction = try TransactionDecoder.transaction(from: sealed.body)
                #expect(try transaction == step["transaction"].transaction)
            }
            if let group = step.member("group") {
                let content = try step["meaning"]["bytes"].bytes
                #expect(try Group(decoding: content) == group.group)
                let deltas = try group.group.views.map { try ViewDelta(decoding: $0.delta) }
                #expect(try deltas == step["deltas"].elements.map { try $0.delta })
            }
        }
    }
}

/// One connection's engine and one realm's, joined as a daemon joins them.
private struct WorkedServer {
    private let realm: RealmEngine
    private let token: String
    private var session = SessionEngine()

    init(_ file: JSON) throws {
        let salts = Mutex(try file["salts"].elements.map { try $0.bytes })
        token = try file["token"].text
        guard let id = RealmID(bytes: try file["realm"].bytes) else { throw JSON.Fault("no id") }
        realm = RealmEngine(
            id: id, store: MemoryRealmStore(),
            environment: RealmEnvironment(
                sha256: { SHA256.hash($0) },
                random: {
                    let salt = salts.withLock { $0.isEmpty ? [] : $0.removeFirst() }
                    return UInt64(bigEndianBytes: salt) ?? 0
                }))
    }

    /// What is sent back, in order.
    mutating func receive(_ bytes: [UInt8], now: Int64) -> [[UInt8]] {
        var sent: [ServerMessage] = []
        var waiting = session.received(bytes, now: now)
        while !waiting.isEmpty {
            switch waiting.removeFirst() {
            case .send(let message): sent.append(message)
            case .authenticate(.password(let name, _, _)):
                waiting += session.loginFinished(.accepted(user: name, token: token))
            case .openRealm(let channel, let visitor, let request):
                let id = RealmSessionID(connection: 1, channel: channel)
                realm.open(id, by: visitor, request)
                sent += turn(now)
            case .forward(let channel, let message):
                realm.receive(message, from: RealmSessionID(connection: 1, channel: channel))
                sent += turn(now)
            case .leaveRealm(let channel):
                realm.leave(RealmSessionID(connection: 1, channel: channel))
                sent += turn(now)
            case .authenticate, .revoke, .askHistory, .disconnect: break
            }
        }
        return sent.map { $0.encoded() }
    }

    /// Turns, with a log that is at once durable, until there is nothing left to do.
    private mutating func turn(_ now: Int64) -> [ServerMessage] {
        var sent: [ServerMessage] = []
        var actions = realm.turn(now: now)
        while !actions.isEmpty {
            switch actions.removeFirst() {
            case .send(_, let message): sent.append(message)
            case .append: actions += realm.logCompleted(now: now)
            case .closed(let id): session.channelEnded(id.channel)
            }
        }
        return sent
    }
}
