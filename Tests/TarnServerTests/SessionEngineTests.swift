import TarnModel
import TarnProtocol
import Testing

@testable import TarnServer

/// One connection, from its greeting to its end.
struct SessionEngineTests {
    private var engine = SessionEngine()
    private let now: Int64 = 1_700_000_000_000

    private mutating func hear(_ message: ClientMessage) -> [SessionAction] {
        engine.received(message.encoded(), now: now)
    }

    private mutating func greet(clock: Int64 = 1_700_000_000_000) -> [SessionAction] {
        hear(.hello(versions: [1], clock: clock, program: "test"))
    }

    private mutating func logIn(_ user: String = "alice") {
        _ = greet()
        _ = hear(.login(.nickname(user)))
        _ = engine.loginFinished(.accepted(user: user, token: "secret"))
    }

    private func request(_ realm: String) throws -> OpenRequest {
        OpenRequest(
            realm: try #require(RealmName(realm)), replica: ReplicaID(1), acknowledgedSequence: 0,
            acknowledgedHash: .zero, integrated: .zero, credit: 100)
    }

    /// The code that the connection ends with.
    private func end(_ actions: [SessionAction]) -> ErrorCode? {
        guard actions.last == .disconnect,
            case .send(.failed(nil, let error))? = actions.dropLast().last
        else { return nil }
        return error.code
    }

    @Test mutating func `a greeting is answered with the version and the clock`() {
        #expect(greet() == [.send(.welcome(version: 1, clock: now))])
    }

    @Test mutating func `a client of another age is sent away`() {
        let actions = hear(.hello(versions: [7, 9], clock: now, program: "test"))

        #expect(end(actions) == .versionUnsupported)
        #expect(engine.received([0], now: now).isEmpty)
    }

    @Test mutating func `the first message is a greeting, and there is one`() {
        #expect(end(hear(.login(.nickname("alice")))) == .protocolViolation)
        engine = SessionEngine()
        _ = greet()
        #expect(end(greet()) == .protocolViolation)
    }

    @Test mutating func `bytes that are no message end the connection`() {
        #expect(end(engine.received([0xFF, 0x00], now: now)) == .protocolViolation)
    }

    @Test mutating func `nothing but a login is heard before one`() throws {
        _ = greet()
        #expect(end(hear(.open(Channel(1), try request("alice/todo")))) == .notLoggedIn)
        engine = SessionEngine()
        _ = greet()
        _ = hear(.login(.nickname("alice")))
        #expect(end(hear(.logout)) == .notLoggedIn)
    }

    @Test mutating func `a login is asked for outside, and its outcome told`() {
        _ = greet()

        #expect(hear(.login(.nickname("alice"))) == [.authenticate(.nickname("alice"))])
        #expect(
            engine.loginFinished(.accepted(user: "alice", token: "t"))
                == [.send(.loggedIn(user: "alice", token: "t"))])
        #expect(engine.user == "alice")
    }

    @Test mutating func `after a refused login there may be another`() {
        let refusal = ProtocolError(.loginRefused, "No.")
        _ = greet()
        _ = hear(.login(.nickname("alice")))

        #expect(engine.loginFinished(.refused(refusal)) == [.send(.failed(nil, refusal))])
        #expect(hear(.login(.nickname("bob"))) == [.authenticate(.nickname("bob"))])
    }

    @Test mutating func `an outcome that nobody waits for says nothing`() {
        #expect(engine.loginFinished(.accepted(user: "alice", token: nil)).isEmpty)
        logIn()
        #expect(engine.loginFinished(.accepted(user: "bob", token: nil)).isEmpty)
        #expect(engine.user == "alice")
        _ = engine.disconnected()
        #expect(engine.loginFinished(.accepted(user: "bob", token: nil)).isEmpty)
    }

    @Test mutating func `a realm of one's own is opened, with the clock's offset`() throws {
        _ = greet(clock: now - 5000)
        _ = hear(.login(.nickname("alice")))
        _ = engine.loginFinished(.accepted(user: "alice", token: "t"))

        let actions = hear(.open(Channel(4), try request("alice/todo")))

        #expect(
            actions == [
                .openRealm(
                    Channel(4), RealmVisitor(user: "alice", clockOffset: 5000),
                    try request("alice/todo"))
            ])
    }

    @Test(arguments: [Int64.min, .max])
    mutating func `an impossible clock does no harm`(clock: Int64) {
        #expect(greet(clock: clock).count == 1)
    }

    @Test mutating func `another's realm is refused, and the connection goes on`() throws {
        logIn()

        let actions = hear(.open(Channel(1), try request("bob/todo")))

        guard case .send(.failed(Channel(1), let error))? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(error.code == .realmRefused)
        #expect(hear(.open(Channel(1), try request("alice/todo"))).count == 1)
    }

    @Test mutating func `a channel is open once, until its end is told`() throws {
        logIn()
        let open = ClientMessage.open(Channel(1), try request("alice/todo"))
        _ = hear(open)
        engine.channelEnded(Channel(1))
        #expect(hear(open).count == 1)

        #expect(end(hear(open)) == .channelInvalid)
    }

    @Test mutating func `a connection has so many realms open and no more`() throws {
        logIn()
        for number in 0..<UInt64(ProtocolLimits.channelsMax) {
            _ = hear(.open(Channel(number), try request("alice/r\(number)")))
        }

        let actions = hear(.open(Channel(999), try request("alice/todo")))

        guard case .send(.failed(Channel(999), let error))? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(error.code == .tooLarge)
    }

    @Test mutating func `what belongs to a channel goes to its realm, and to no other`() throws {
        logIn()
        _ = hear(.open(Channel(1), try request("alice/todo")))

        #expect(hear(.start(Channel(1))) == [.forward(Channel(1), .start(Channel(1)))])
        #expect(hear(.start(Channel(2))).isEmpty)
    }

    @Test mutating func `logging out leaves the realms and revokes the token`() throws {
        logIn()
        _ = hear(.open(Channel(2), try request("alice/b")))
        _ = hear(.open(Channel(1), try request("alice/a")))

        #expect(
            hear(.logout) == [
                .leaveRealm(Channel(1)), .leaveRealm(Channel(2)), .revoke(token: "secret"),
                .send(.loggedOut),
            ])
        #expect(engine.user == nil)
    }

    @Test mutating func `the token that somebody came with is the one revoked`() {
        _ = greet()
        _ = hear(.login(.token("old")))
        _ = engine.loginFinished(.accepted(user: "alice", token: nil))

        #expect(hear(.logout).first == .revoke(token: "old"))
    }

    private func question(_ realm: String) throws -> HistoryRequest {
        HistoryRequest(realm: try #require(RealmName(realm)), object: nil, limit: 9)
    }

    @Test mutating func `a history is asked for one at a time, and its channel is free again`()
        throws
    {
        logIn()
        let page = HistoryPage(entries: [], next: nil, floor: Version(3))

        let asked = hear(.history(Channel(4), try question("alice/todo")))
        let second = hear(.history(Channel(5), try question("alice/todo")))
        let answered = engine.historyFound(.success(page), question: 1)

        #expect(asked == [.askHistory(try question("alice/todo"), question: 1)])
        guard case .send(.failed(Channel(5), let error))? = second.first else {
            Issue.record("\(second)")
            return
        }
        #expect(error.code == .overloaded && second.count == 1)
        #expect(answered == [.send(.historyPage(Channel(4), page))])
        #expect(
            hear(.history(Channel(4), try question("alice/a")))
                == [.askHistory(try question("alice/a"), question: 2)])
    }

    @Test mutating func `a history of another's realm is refused as opening it is`() throws {
        logIn()

        let asked = hear(.history(Channel(4), try question("bob/todo")))
        let opened = hear(.open(Channel(4), try request("bob/todo")))

        #expect(asked == opened)
        guard case .send(.failed(Channel(4), let error))? = asked.first else {
            Issue.record("\(asked)")
            return
        }
        #expect(error.code == .realmRefused)
    }

    @Test mutating func `an answer for who has logged out meanwhile reaches nobody`() throws {
        logIn()
        _ = hear(.history(Channel(4), try question("alice/todo")))
        _ = hear(.logout)
        _ = hear(.login(.nickname("bob")))
        _ = engine.loginFinished(.accepted(user: "bob", token: "other"))
        _ = hear(.history(Channel(4), try question("bob/todo")))
        let page = HistoryPage(entries: [], next: nil, floor: .zero)

        #expect(engine.historyFound(.success(page), question: 1).isEmpty)
        #expect(!engine.historyFound(.success(page), question: 2).isEmpty)
    }

    @Test mutating func `a history on a channel that is open ends the connection`() throws {
        logIn()
        _ = hear(.open(Channel(1), try request("alice/todo")))

        #expect(end(hear(.history(Channel(1), try question("alice/todo")))) == .channelInvalid)
    }

    @Test mutating func `a lost connection leaves its realms, once`() throws {
        logIn()
        _ = hear(.open(Channel(1), try request("alice/todo")))

        #expect(engine.disconnected() == [.leaveRealm(Channel(1))])
        #expect(engine.disconnected().isEmpty)
        #expect(hear(.logout).isEmpty)
    }
}
