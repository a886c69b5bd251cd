import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage
import Testing

/// A leader that slept until another process had taken over, and hears something before it looks at
/// its lease.
struct LateLeaderTests {
    private var scene: ScriptedServer

    init() throws { scene = try ScriptedServer() }

    /// All that a leader writes, but for groups (see `IntegrationTests`).
    private struct Written: Equatable {
        let status: SyncStatus
        let lease: Lease
        let identity: ReplicaIdentity
        let note: Int64
    }

    private var written: Written {
        get throws {
            try scene.fixture.read { reader in
                Written(
                    status: try reader.store.syncStatus(), lease: try reader.store.lease(),
                    identity: reader.identity, note: try reader.store.lastNote())
            }
        }
    }

    private mutating func lead() throws {
        let own = LeaseHolder(process: 1, started: 1, boot: "b")
        _ = try scene.fixture.replica.claimLease(by: own, holding: nil, now: 0) { _ in true }
        scene.engine.epoch = 1
    }

    /// What stands in the store after that is the other's.
    private mutating func loseLease() throws {
        let other = LeaseHolder(process: 2, started: 1, boot: "b")
        _ = try scene.fixture.replica.claimLease(by: other, holding: nil, now: 9_000) { _ in true }
        try scene.fixture.replica.setSyncStatus(.connected, problem: nil, epoch: 2)
        try scene.fixture.replica.setSyncStatus(.offline, problem: "the other's", epoch: 2)
    }

    @Test(arguments: [
        SyncEvent.disconnected("it slept"), .timer, .localChange, .started,
        .received(
            ServerMessage.failed(nil, ProtocolError(.fenced, "another session.")).encoded()),
        .received(
            ServerMessage.failed(nil, ProtocolError(.shuttingDown, "a restart.")).encoded()),
        .received([0]),
    ])
    mutating func `a leader that is late writes nothing, whatever it hears`(
        event: SyncEvent
    ) throws {
        try lead()
        scene.open()
        try loseLease()
        let before = try written
        scene.pass(60_000)

        scene.tell(event)

        #expect(try written == before)
    }

    @Test mutating func `a realm that opens for a late leader is not the replica's`() throws {
        try lead()
        scene.logIn()
        try loseLease()
        let before = try written

        scene.say(.opened(ScriptedServer.channel, ScriptedServer.reply()))

        #expect(try written == before)
        #expect(scene.stop == .fenced)
    }

    /// Minutes between the two endings.
    @Test(arguments: [(1, true), (9, true), (11, false)])
    mutating func `who is ended once has met a late leader, and twice soon after each other a copy`(
        minutes: Int64, isCopy: Bool
    ) throws {
        try lead()
        scene.open()
        #expect(endByOther() == false)
        scene.pass(minutes * 60_000)
        scene.tell(.timer)
        scene.tell(.connected)
        scene.say(.welcome(version: 1, clock: 5_000))
        scene.say(.loggedIn(user: "alice", token: nil))

        #expect(endByOther() == isCopy)
        #expect(scene.stop == nil)
    }

    /// Whether the engine speaks of a copy then.
    private mutating func endByOther() -> Bool {
        scene.say(.failed(nil, ProtocolError(.fenced, "another session.")))
        return scene.actions.contains { action in
            guard case .statusChanged(let status) = action else { return false }
            return status.problem?.contains("a copy of this replica") == true
        }
    }
}
