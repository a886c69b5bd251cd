import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage
import TarnTesting
import Testing

struct SyncEngineTests {
    private var scene: ScriptedServer
    private let channel = ScriptedServer.channel

    init() throws { scene = try ScriptedServer() }

    @Test mutating func `a session says hello, logs in and states where it stands`() throws {
        #expect(scene.tell(.started).contains(.connect))
        scene.tell(.connected)
        #expect(try scene.sent == [.hello(versions: [1], clock: 1_000, program: "test")])
        scene.say(.welcome(version: 1, clock: 5_000))
        #expect(try scene.sent == [.login(.token("t"))])
        scene.say(.loggedIn(user: "alice", token: nil))

        let request = OpenRequest(
            realm: RealmName(owner: "alice", name: "todo")!,
            replica: scene.fixture.replica.identity.replica, acknowledgedSequence: 0,
            acknowledgedHash: .zero, integrated: .zero, credit: 4 << 20)
        #expect(try scene.sent == [.open(channel, request)])
    }

    @Test mutating func `subscriptions, then start, then the outbox go up`() throws {
        let added = try scene.fixture.replica.subscribe(to: "Task", name: "all")
        try scene.fixture.write { _ = try $0.create("Task", .int(1)) }
        try scene.fixture.write { _ = try $0.create("Task", .int(2)) }

        scene.open()

        let request = SubscribeRequest(
            number: added.number, query: "Task", arguments: [], depth: 3, isResumed: false)
        let uploads = try scene.fixture.pending.map { entry in
            let bytes = entry.sealed.encoded()
            return ClientMessage.upload(
                channel, sequence: entry.sequence,
                Part(total: UInt64(bytes.count), offset: 0, bytes: bytes))
        }
        #expect(
            try scene.sent == [.subscribe(channel, request), .start(channel)] + uploads)
        #expect(try scene.fixture.read { try $0.status().sync.connection } == .connected)
        #expect(try scene.fixture.read { $0.identity.realm } == ScriptedServer.realm)
    }

    @Test mutating func `what is written or subscribed to later goes up at once, and once`() throws
    {
        scene.open()
        try scene.fixture.write { _ = try $0.create("Task", .int(1)) }
        let added = try scene.fixture.replica.subscribe(to: "Task", name: "all")

        scene.tell(.localChange)
        #expect(try scene.sent.count == 2)
        scene.tell(.localChange)
        #expect(try scene.sent.isEmpty)

        #expect(try scene.fixture.replica.unsubscribe(named: "all"))
        scene.tell(.localChange)
        #expect(try scene.sent == [.unsubscribe(channel, number: added.number)])
    }

    @Test mutating func `an upload is cut as credit allows`() throws {
        let title = String(repeating: "x", count: 100_000)
        try scene.fixture.write {
            _ = try $0.create("Task", .int(1), [InitialValue("title", .string(title))])
        }
        let bytes = try #require(try scene.fixture.pending.first).sealed.encoded()

        scene.open(ScriptedServer.reply(credit: 10))
        var parts = try scene.sent
        scene.say(.credit(channel, bytes: 70_000))
        parts += try scene.sent
        scene.say(.credit(channel, bytes: .max))
        parts += try scene.sent

        var assembler = PartAssembler(bytesMax: 1 << 20)
        var whole: [UInt8]?
        var sizes: [Int] = []
        for case .upload(_, 1, let part) in parts {
            sizes.append(part.bytes.count)
            whole = try assembler.append(part)
        }
        #expect(whole == bytes)
        #expect(sizes == [10, 65_408, 4_592, bytes.count - 70_010])
    }

    @Test mutating func `a new session begins behind what the server has`() throws {
        for key in Int64(1)...3 {
            try scene.fixture.write { _ = try $0.create("Task", .int(key)) }
        }
        let hash = try scene.fixture.pending[1].sealed.hash

        scene.open(ScriptedServer.reply(sequence: 2, hash: hash))

        let sequences = try scene.sent.compactMap {
            if case .upload(_, let sequence, _) = $0 { sequence } else { nil }
        }
        #expect(sequences == [3])
    }

    @Test mutating func `a group in parts is applied and acknowledged when it is whole`() throws {
        var server = ModelServer()
        let added = try scene.fixture.replica.subscribe(to: "Task", name: "all")
        server.change { _ in .create(className: "Task", key: .int(1), values: []) }
        server.selectAll(added.number)
        scene.open()
        let group = server.group()

        try scene.send(group, partBytes: 100)

        #expect(scene.actions.contains(.replicaChanged))
        let size = UInt64(group.encoded().count)
        #expect(
            try scene.sent == [
                .integrated(channel, group.to, acknowledgedSequence: 0),
                .credit(channel, bytes: size),
            ])
        #expect(try scene.fixture.pictures().keys.sorted() == [.task(1)])
        let subscription = try scene.fixture.read { try $0.subscription(named: "all") }
        #expect(subscription?.state == .complete(Version(1), at: 1_000))
        #expect(try scene.fixture.read { try $0.status().sync.upToDate } == 1_000)
    }

    @Test mutating func `credit is given back while a long group is coming`() throws {
        scene.open()
        let total = UInt64(9 << 20)
        var given: UInt64 = 0

        for offset in stride(from: UInt64(0), to: 8 << 20, by: 32_768) {
            scene.say(
                .group(
                    channel,
                    Part(total: total, offset: offset, bytes: Array(repeating: 0, count: 32_768))))
            for case .credit(_, let bytes) in try scene.sent { given += bytes }
            #expect(scene.engine.isRunning)
        }

        #expect(given >= 7 << 20)
    }

    @Test mutating func `without subscriptions receipts come all the same`() throws {
        var server = ModelServer()
        try scene.fixture.write { _ = try $0.create("Task", .int(1)) }
        scene.open()
        try server.accept(try #require(try scene.fixture.pending.first).sealed)

        let group = server.group()
        try scene.send(group)

        #expect(
            try scene.sent.first == .integrated(channel, group.to, acknowledgedSequence: 1))
        #expect(try scene.fixture.read { try $0.status().unsentCount } == 0)
    }

    @Test mutating func `a group that comes twice ends the session, and nothing else`() throws {
        var server = ModelServer()
        scene.open()
        let group = server.group()
        try scene.send(group)

        try scene.send(group)

        #expect(scene.actions.contains(.disconnect))
        #expect(scene.stop == nil)
        #expect(try scene.fixture.read { try $0.status().resumePoint } == group.to)
    }

    @Test mutating func `what comes late, from a connection that was given up, is not heard`()
        throws
    {
        scene.open()
        scene.tell(.disconnected("gone"))

        scene.say(.credit(channel, bytes: 1))

        #expect(scene.actions.isEmpty)
    }

    @Test mutating func `an answer out of turn, or no message at all, ends the session`() throws {
        scene.tell(.started)
        scene.tell(.connected)
        scene.say(.loggedIn(user: "alice", token: nil))
        #expect(scene.actions.contains(.disconnect) && scene.stop == nil)

        scene.pass(2_000)
        #expect(scene.tell(.timer).contains(.connect))
        scene.tell(.connected)
        scene.tell(.received([0xFF, 0x00]))
        #expect(scene.actions.contains(.disconnect) && scene.stop == nil)
    }

    @Test mutating func `each failure doubles the wait up to a minute, and work resets it`() throws
    {
        func range(_ milliseconds: Int64) -> ClosedRange<Int64> {
            milliseconds * 3 / 4...milliseconds * 5 / 4
        }
        scene.tell(.started)
        for expected: Int64 in [1, 2, 4, 8, 16, 32, 60, 60] {
            scene.tell(.disconnected("refused"))
            let wake = try #require(scene.wake)
            #expect(range(expected * 1_000).contains(wake))
            scene.pass(wake - 1)
            #expect(!scene.tell(.timer).contains(.connect))
            scene.pass(1)
            #expect(scene.tell(.timer).contains(.connect))
        }

        scene.tell(.connected)
        scene.say(.welcome(version: 1, clock: 0))
        scene.say(.loggedIn(user: "alice", token: nil))
        scene.say(.opened(channel, ScriptedServer.reply()))
        var server = ModelServer()
        try scene.send(server.group())
        scene.tell(.disconnected("gone"))
        #expect(range(1_000).contains(try #require(scene.wake)))
    }

    @Test mutating func `a server that does not answer is given up`() throws {
        scene.tell(.started)
        scene.tell(.connected)
        let wake = try #require(scene.wake)

        scene.pass(wake)

        #expect(scene.tell(.timer).contains(.disconnect))
    }

    @Test mutating func `a password's login hands the token over`() throws {
        scene = try ScriptedServer(
            credentials: .password(name: "alice", password: "secret 9", register: false))
        scene.tell(.started)
        scene.tell(.connected)
        scene.say(.welcome(version: 1, clock: 0))

        scene.say(.loggedIn(user: "alice", token: "new"))

        #expect(scene.actions.contains(.loggedIn(user: "alice", token: "new")))
    }

    @Test mutating func `without credentials, or with refused ones, a login is asked for`() throws {
        scene = try ScriptedServer(credentials: nil)
        scene.tell(.started)
        scene.tell(.connected)
        scene.say(.welcome(version: 1, clock: 0))
        #expect(scene.actions.contains(.loginNeeded(nil)))

        #expect(scene.tell(.credentials(.token("old"))).contains(.connect))
        scene.tell(.connected)
        scene.say(.welcome(version: 1, clock: 0))
        let refusal = ProtocolError(.loginRefused, "no such session")
        scene.say(.failed(nil, refusal))
        #expect(scene.actions.contains(.loginNeeded(refusal)))
        #expect(scene.tell(.timer).isEmpty)
    }

    /// A fork or a rewind mends itself, by asking.
    @Test(arguments: ErrorCode.allCases.filter { $0 != .forked && $0 != .rewound })
    func `what waiting does not mend stops, and the rest is tried again`(code: ErrorCode) throws {
        var scene = scene
        scene.open()

        scene.say(.failed(channel, ProtocolError(code, "so it is")))

        let mends: Set<ErrorCode> = [
            .protocolViolation, .sequenceGap, .overloaded, .storageFailed, .shuttingDown,
            .channelInvalid,
        ]
        let needsLogin = code == .loginRefused || code == .notLoggedIn
        #expect(scene.stop == (mends.contains(code) || needsLogin ? nil : code))
        #expect(
            scene.actions.contains(.loginNeeded(ProtocolError(code, "so it is"))) == needsLogin)
        #expect((scene.wake != nil) == mends.contains(code))
        #expect(scene.actions.contains(.disconnect))
    }

    @Test(arguments: UInt64(1)...300)
    func `mutated bytes from the server never trap, and never harm`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var scene = scene
        var server = ModelServer()
        let added = try scene.fixture.replica.subscribe(to: "Task", name: "all")
        for key in Int64(0)..<3 {
            server.change { _ in .create(className: "Task", key: .int(key), values: []) }
            let name = server.name(.task(key))
            server.change {
                .insert(
                    name, property: "labels", slot: SlotID(transaction: $0, ordinal: 0),
                    place: .only, value: .string("label"))
            }
        }
        server.selectAll(added.number)
        try scene.fixture.write { _ = try $0.create("Task", .int(1)) }
        try server.accept(try #require(try scene.fixture.pending.first).sealed)
        let words: [ServerMessage] = [
            .welcome(version: 1, clock: 0), .loggedIn(user: "alice", token: "t"),
            .opened(channel, ScriptedServer.reply()), .received(channel, sequence: 1, offset: 9),
            .credit(channel, bytes: 100),
        ]
        let group = server.group().encoded()
        scene.tell(.started)
        scene.tell(.connected)

        for word in words {
            var bytes = word.encoded()
            if Int.random(in: 0..<8, using: &random) == 0 { Self.mutate(&bytes, &random) }
            scene.tell(.received(bytes))
        }
        var mutated = group
        for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&mutated, &random) }
        scene.say(
            .group(channel, Part(total: UInt64(mutated.count), offset: 0, bytes: mutated)))

        // The outbox is as it was, or its receipt has come.
        let unsent = try scene.fixture.read { try $0.status().unsentCount }
        let chain = try scene.fixture.read { try $0.status().chain }
        #expect(UInt64(unsent) == chain.sequence - chain.acknowledgedSequence)
        _ = try scene.fixture.pictures()
        try scene.fixture.write { _ = try $0.create("Task", .int(77)) }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: index)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        case 2: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
    }
}
