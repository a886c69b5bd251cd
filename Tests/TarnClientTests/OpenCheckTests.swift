import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage
import Testing

/// What a replica makes of what the server remembers of it.
struct OpenCheckTests {
    private var scene: ScriptedServer

    init() throws {
        scene = try ScriptedServer()
        for key in Int64(1)...2 {
            try scene.fixture.write { _ = try $0.create("Task", .int(key)) }
        }
    }

    private mutating func stop(_ reply: OpenReply) -> ErrorCode? {
        scene.open(reply)
        return scene.stop
    }

    /// The server has decided the first transaction, and the replica knows it.
    private mutating func acknowledgeFirst() throws -> Group {
        var server = ModelServer()
        try server.accept(try scene.fixture.pending[0].sealed)
        let group = server.group()
        try scene.fixture.integrate(group)
        return group
    }

    /// What the server is asked then.
    private mutating func inquiry(_ reply: OpenReply) throws -> Inquiry? {
        #expect(stop(reply) == nil)
        let sent = try scene.sent
        #expect(sent.first == .close(ScriptedServer.channel))
        guard case .open(Channel(2), let request) = sent.last else { return nil }
        return request.inquiry
    }

    @Test mutating func `a head that this replica has never written is a fork`() throws {
        let inquiry = try inquiry(ScriptedServer.reply(sequence: 3))

        let pending = try scene.fixture.pending
        #expect(inquiry?.probes.map(\.sequence) == [1, 2])
        #expect(inquiry?.probes.map(\.hash) == pending.map(\.sealed.hash))
        #expect(inquiry?.points == [])
    }

    @Test mutating func `another hash at the head is a fork`() throws {
        let other = try scene.fixture.pending[1].sealed.hash

        #expect(try inquiry(ScriptedServer.reply(sequence: 1, hash: other)) != nil)
    }

    @Test mutating func `a head within the outbox is no fault`() throws {
        let hash = try scene.fixture.pending[0].sealed.hash

        #expect(stop(ScriptedServer.reply(sequence: 1, hash: hash)) == nil)
        #expect(scene.engine.isRunning)
    }

    @Test mutating func `a server that has forgotten a receipt was rewound`() throws {
        let group = try acknowledgeFirst()

        #expect(try inquiry(ScriptedServer.reply(latest: group.to)) != nil)
    }

    @Test mutating func `a server whose latest version is below ours was rewound`() throws {
        _ = try acknowledgeFirst()
        let chain = try scene.fixture.read { try $0.status().chain }

        #expect(
            try inquiry(
                ScriptedServer.reply(
                    sequence: 1, hash: chain.acknowledgedHash, latest: .zero)) != nil)
    }

    @Test mutating func `the same version with another salt was rewound`() throws {
        let group = try acknowledgeFirst()
        let chain = try scene.fixture.read { try $0.status().chain }
        let other = ResumePoint(version: group.to.version, salt: Salt(1))

        #expect(
            try inquiry(
                ScriptedServer.reply(
                    sequence: 1, hash: chain.acknowledgedHash, latest: other)) != nil)
    }

    @Test mutating func `another realm under the name is refused`() throws {
        scene.open()
        scene.tell(.disconnected("gone"))
        let other = RealmID(bytes: Array(repeating: 1, count: 16))!

        #expect(stop(ScriptedServer.reply(realm: other)) == .realmRefused)
    }
}
