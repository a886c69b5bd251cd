import TarnModel
import TarnProtocol
import TarnStorage
import TarnTesting
import Testing

@testable import TarnClient

/// A download in several groups is shown when its last is here, and survives whatever happens
/// before that.
struct SeriesTests {
    private var scene: ScriptedServer
    private var server = ModelServer()
    private let number: Int64
    private let channel = ScriptedServer.channel

    init() throws {
        scene = try ScriptedServer()
        number = try scene.fixture.replica.subscribe(to: "Task", name: "all").number
        server.members[number] = []
    }

    /// A group with one more task, that others follow.
    private mutating func piece(_ key: Int64, isLast: Bool = false) -> Group {
        server.change { _ in .create(className: "Task", key: .int(key), values: []) }
        server.selectAll(number)
        let group = server.group()
        return Group(
            from: group.from, to: group.to, time: group.time, classes: group.classes,
            views: group.views, receipts: group.receipts, faults: group.faults,
            progress: isLast
                ? nil : SeriesProgress(cursor: [UInt8(key)], done: UInt64(key), total: 9))
    }

    private var shown: [Int64] {
        get throws {
            try scene.fixture.pictures().keys.compactMap {
                if case .int(let key) = $0.key { key } else { nil }
            }.sorted()
        }
    }

    private var status: SyncStatus {
        get throws { try scene.fixture.read { try $0.status().sync } }
    }

    @Test mutating func `nothing shows before the last group, and then all does`() throws {
        scene.open()
        for key in Int64(1)...3 {
            try scene.send(piece(key))
            #expect(try scene.sent == [])
            #expect(!scene.actions.contains(.replicaChanged))
            #expect(try shown == [])
            #expect(try status.progress == DownloadProgress(done: UInt64(key), total: 9))
        }

        let last = piece(4, isLast: true)
        try scene.send(last)

        #expect(scene.actions.contains(.replicaChanged))
        #expect(try shown == [1, 2, 3, 4])
        #expect(try status.progress == nil)
        guard case .integrated(channel, last.to, acknowledgedSequence: 0) = try scene.sent.first
        else {
            Issue.record("the last group is answered: \(try scene.sent)")
            return
        }
    }

    @Test mutating func `on another connection it goes on where it was`() throws {
        scene.open()
        try scene.send(piece(1))
        let cut = piece(2)
        try scene.send(cut)
        scene.tell(.disconnected("gone"))
        scene.pass(60_000)
        scene.logIn()
        guard case .open(_, let request) = try scene.sent.first else {
            Issue.record("it opens")
            return
        }
        #expect(request.staged == StagedPoint(point: cut.to, cursor: [2]))
        #expect(request.integrated == .zero)

        let reply = ScriptedServer.reply(latest: cut.to)
        scene.say(
            .opened(
                channel,
                OpenReply(
                    realm: reply.realm, sequence: 0, hash: .zero, latest: cut.to,
                    credit: reply.credit, goesOn: true)))
        // Numbers are those of this connection.
        server.forgetClasses()
        try scene.send(piece(3))
        try scene.send(piece(4, isLast: true))

        #expect(try shown == [1, 2, 3, 4])
    }

    @Test mutating func `what the server cannot go on from is thrown away`() throws {
        scene.open()
        try scene.send(piece(1))
        scene.tell(.disconnected("gone"))
        scene.pass(60_000)

        scene.open(ScriptedServer.reply(latest: server.sentPoint))

        #expect(try status.progress == nil)
        var whole = server
        whole.sentPoint = .zero
        try scene.send(whole.group(full: true))
        #expect(try shown == [1])
    }

    @Test mutating func `a series that makes no sense in the end is not kept`() throws {
        scene.open()
        try scene.send(piece(1))
        let last = piece(2, isLast: true)

        try scene.send(
            Group(
                from: last.from, to: last.to, time: last.time, classes: [],
                views: [GroupView(subscription: number, isFull: false, delta: [0xFF])],
                receipts: [], faults: []))

        #expect(scene.actions.contains(.disconnect))
        #expect(try shown == [])
        #expect(try scene.fixture.read { try $0.store.stagedSeries() } == nil)
    }

    @Test mutating func `a group that does not follow on the stored ones is refused`() throws {
        scene.open()
        try scene.send(piece(1))
        _ = piece(2)

        try scene.send(piece(3))

        #expect(scene.actions.contains(.disconnect))
        #expect(try shown == [])
    }

    @Test mutating func `a subscription that is given up meanwhile holds nothing`() throws {
        scene.open()
        try scene.send(piece(1))
        #expect(try scene.fixture.replica.unsubscribe(named: "all"))
        scene.tell(.localChange)

        try scene.send(piece(2, isLast: true))

        #expect(try shown == [])
    }

    @Test mutating func `a digest is of what the server has sent, whatever is pending`() throws {
        scene.open()
        try scene.send(piece(1, isLast: true))
        scene.say(.compare(channel, subscription: number))
        let before = try scene.sent
        guard case .digest(channel, number, let digest) = before.first else {
            Issue.record("it is told: \(before)")
            return
        }
        #expect(digest.sums.filter { $0 != 0 }.count == 1)

        let task = try #require(try scene.fixture.object(Ref(className: "Task", key: .int(1))))
        try scene.fixture.write { transaction in
            try transaction.set("title", of: task, to: .string("mine"))
            _ = try transaction.create("Task", .int(2))
        }
        scene.say(.compare(channel, subscription: number))
        #expect(try scene.sent == before)
        scene.say(.compare(channel, subscription: 99))
        #expect(try scene.sent == [])
    }

    @Test mutating func `replaced buckets lose what does not arrive again, and no others do`()
        throws
    {
        scene.open()
        for key in Int64(1)...40 { try scene.send(piece(key, isLast: true)) }
        var buckets = BucketSet(of: 8)
        buckets.insert(3)
        let inBucket = (Int64(1)...40).filter { key in
            HeldName(className: "Task", key: .int(key)).bucket(
                of: 8, sha256: ReplicaFixture.digest) == 3
        }
        #expect(!inBucket.isEmpty)

        let group = server.group()
        try scene.send(
            Group(
                from: group.from, to: group.to, time: group.time, classes: [],
                views: [
                    GroupView(
                        subscription: number, replaced: .buckets(buckets),
                        delta: ViewDelta().encoded())
                ], receipts: [], faults: []))

        #expect(try shown == (Int64(1)...40).filter { !inBucket.contains($0) })
    }
}
