import TarnClient
import TarnModel
import TarnProtocol
import TarnTesting
import Testing

/// A sync engine on one side, and on the other the words of a server that the test says itself.
struct ScriptedServer {
    static let channel = Channel(1)
    static let realm = RealmID(bytes: Array(repeating: 9, count: 16))!
    var fixture: ReplicaFixture
    var engine: SyncEngine
    var now = Moment(wall: 1_000, steady: 0)
    private(set) var actions: [SyncAction] = []
    private var random = SeededGenerator(seed: 1)

    init(credentials: Credentials? = .token("t"), schema: Bool = true) throws {
        fixture = try ReplicaFixture(schema: schema)
        engine = SyncEngine(fixture.replica, credentials: credentials, program: "test")
    }

    /// Tells the engine, and keeps what it answered.
    @discardableResult
    mutating func tell(_ event: SyncEvent) -> [SyncAction] {
        actions = engine.handle(event, at: now, random: &random)
        return actions
    }

    @discardableResult
    mutating func say(_ message: ServerMessage) -> [SyncAction] {
        tell(.received(message.encoded()))
    }

    mutating func pass(_ milliseconds: Int64) {
        now = Moment(wall: now.wall + milliseconds, steady: now.steady + milliseconds)
    }

    /// What the engine sent last.
    var sent: [ClientMessage] {
        get throws {
            try actions.compactMap {
                if case .send(let bytes) = $0 { try ClientMessage(decoding: bytes) } else { nil }
            }
        }
    }

    var stop: ErrorCode? {
        actions.lazy.compactMap { if case .stopped(let error) = $0 { error.code } else { nil } }
            .first
    }

    var wake: Int64? {
        actions.lazy.compactMap { if case .wake(let delay) = $0 { delay } else { nil } }.first
    }

    /// Up to the opening.
    mutating func logIn() {
        tell(.started)
        tell(.connected)
        say(.welcome(version: 1, clock: 5_000))
        say(.loggedIn(user: "alice", token: nil))
    }

    static func reply(
        sequence: UInt64 = 0, hash: ChainHash = .zero, latest: ResumePoint = .zero,
        credit: UInt64 = 1 << 20, realm: RealmID = realm
    ) -> OpenReply {
        OpenReply(realm: realm, sequence: sequence, hash: hash, latest: latest, credit: credit)
    }

    mutating func open(_ reply: OpenReply = reply()) {
        logIn()
        say(.opened(Self.channel, reply))
    }

    /// Sends a group in parts of that size.
    mutating func send(_ group: Group, partBytes: Int = 60_000) throws {
        let bytes = group.encoded()
        var offset = 0
        while offset < bytes.count {
            let end = min(offset + partBytes, bytes.count)
            say(
                .group(
                    Self.channel,
                    Part(
                        total: UInt64(bytes.count), offset: UInt64(offset),
                        bytes: Array(bytes[offset..<end]))))
            offset = end
        }
    }
}
