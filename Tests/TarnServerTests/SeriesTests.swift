import TarnModel
import TarnProtocol
import TarnStorage
import TarnTesting
import Testing

@testable import TarnServer

/// A large download comes as a series of small groups, and what a replica has already is not sent
/// again.
struct SeriesTests {
    private static let count = 200
    private static let pieces = PieceLimits(
        objectsAGroup: 10, bytesAGroup: 1 << 20, objectsATurn: 25, recentObjects: 20)

    private let stage: Stage
    private let writer: Client
    private let reader: Client
    private let made: TransactionID

    init() {
        var history = HistoryPolicy()
        history.versions = 60
        stage = Stage(history: history, pieces: Self.pieces)
        writer = Client(stage, 1)
        writer.resume()
        writer.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        made = writer.nextID
        let body = InitialValue("body", .string(Text(String(repeating: "x", count: 100))))
        writer.write((0..<Self.count).map { .createItem("i\($0)", body) })
        writer.upload()
        stage.settle()
        reader = Client(stage, 2)
        reader.isThrifty = true
    }

    private func edit(_ number: Int, _ text: Text) {
        writer.commit(
            .set(.item("i\(number)", made), property: "body", value: .string(text)))
    }

    private func firstDownload() throws {
        reader.resume()
        reader.subscribe(1, "Item", depth: 0)
        stage.settle()
        try reader.expectAgreement()
    }

    /// Takes groups until so many are staged.
    private func takeSome(_ count: Int) {
        reader.isPrompt = false
        while reader.model.staged.count < count {
            reader.deliver(atMost: 10)
            stage.turn()
        }
    }

    @Test func `each group says a few objects, and the progress grows to the whole`() throws {
        try firstDownload()

        let sizes = try reader.groups.flatMap(\.views).map {
            try ViewDelta(decoding: $0.delta).arrivals.count
        }
        #expect(sizes == Array(repeating: 10, count: Self.count / 10) || sizes.last == 0)
        let progress = reader.groups.compactMap(\.progress)
        #expect(progress.allSatisfy { $0.total == UInt64(Self.count) })
        #expect(progress.map(\.done) == progress.map(\.done).sorted())
        #expect(progress.count >= Self.count / 10 - 1)
        #expect(reader.groups.last?.progress == nil)
    }

    @Test func `bytes bound a group, too, and a large object goes by itself`() throws {
        let large = Text(String(repeating: "y", count: TransactionLimits.stringBytesMax))
        for number in 50..<53 { edit(number, large) }

        try firstDownload()

        let sizes = reader.groups.map { group in group.views.reduce(0) { $0 + $1.delta.count } }
        #expect(try #require(sizes.max()) < 3 << 20)
    }

    @Test func `a transaction that is more than a piece goes out at once to who listens`() throws {
        try firstDownload()
        let before = reader.groups.count

        writer.commit(
            .set(.item("i0", made), property: "body", value: .string("0")),
            .set(.item("i1", made), property: "body", value: .string("1")))
        writer.write(
            (0..<30).map { .set(.item("i\($0)", made), property: "body", value: .string("all")) })
        writer.upload()
        stage.settle()

        let groups = reader.groups.dropFirst(before)
        #expect(groups.allSatisfy { $0.progress == nil })
        #expect(groups.count == 2)
        try reader.expectAgreement()
    }

    @Test func `what happens meanwhile is told on the way, or met`() throws {
        reader.open()
        reader.subscribe(1, "Item", depth: 0)
        reader.say(.start(reader.channel))
        takeSome(5)
        for number in stride(from: 0, to: Self.count, by: 7) { edit(number, "changed") }
        writer.commit(
            .delete(.item("i3", made)), .delete(.item("i150", made)), .createItem("new"))

        reader.isPrompt = true
        stage.settle()

        try reader.expectAgreement()
        #expect(reader.groups.last?.progress == nil)
    }

    @Test func `a download that was cut goes on, after a restart of the server too`() throws {
        reader.open()
        reader.subscribe(1, "Item", depth: 0)
        reader.say(.start(reader.channel))
        takeSome(8)
        let cut = reader.model.staged.count
        reader.disconnect()
        edit(0, "changed")
        edit(Self.count - 1, "changed")
        stage.checkpoint()
        try stage.restart()

        reader.isPrompt = true
        reader.resume()

        #expect(reader.opened?.goesOn == true)
        #expect(reader.groups.count <= Self.count / 10 - cut + 2)
        try reader.expectAgreement()
    }

    @Test func `a number that means another question begins anew`() throws {
        reader.open()
        reader.subscribe(1, "Item", depth: 0)
        reader.say(.start(reader.channel))
        takeSome(8)
        reader.disconnect()

        reader.isPrompt = true
        reader.open()
        reader.subscribe(1, "Item WHERE body != 'none'", depth: 0)
        reader.say(.start(reader.channel))
        stage.settle()

        #expect(reader.opened?.goesOn == true)
        try reader.expectAgreement()
    }

    @Test func `where the floor has passed what is staged, it begins anew`() throws {
        reader.open()
        reader.subscribe(1, "Item", depth: 0)
        reader.say(.start(reader.channel))
        takeSome(8)
        reader.disconnect()
        for number in 0..<100 { edit(number, "changed") }

        writer.resume()
        reader.isPrompt = true
        reader.resume()

        #expect(reader.opened?.goesOn == false)
        try reader.expectAgreement()
    }

    @Test func `who comes from below the floor is sent what differs, and little more`() throws {
        try firstDownload()
        let whole = reader.bytesTaken
        reader.disconnect()
        for _ in 0..<30 { for number in 0..<3 { edit(number, "changed") } }
        writer.commit(.delete(.item("i100", made)), .createItem("new"))

        reader.resume()

        #expect(reader.toldDigests == 1)
        #expect(3 * (reader.bytesTaken - whole) < 2 * whole)
        try reader.expectAgreement()
    }

    @Test func `who has the same already is sent nothing of it`() throws {
        try firstDownload()
        let whole = reader.bytesTaken
        reader.disconnect()
        let other = writer.nextID
        for number in 0..<100 {
            writer.commit(
                number == 0
                    ? .createProject("p")
                    : .set(
                        .project("p", other), property: "name", value: .string("\(number)")))
        }

        reader.resume()

        #expect(reader.toldDigests == 1)
        #expect(reader.bytesTaken - whole < 1_000)
        try reader.expectAgreement()
    }

    @Test func `far behind but above the floor, the changed objects come in pieces`() throws {
        try firstDownload()
        let whole = reader.bytesTaken
        reader.disconnect()
        for number in 0..<50 { edit(number, "changed") }

        reader.resume()

        #expect(reader.groups.count >= 5)
        let arrivals = try reader.groups.flatMap(\.views).flatMap {
            try ViewDelta(decoding: $0.delta).arrivals
        }
        #expect(arrivals.isEmpty)
        #expect(reader.bytesTaken - whole < whole / 2)
        try reader.expectAgreement()
    }

    @Test func `who changes more than a piece in the time of one does not hold a download up`()
        throws
    {
        try firstDownload()
        reader.disconnect()
        for number in 0..<70 { edit(number, "changed") }
        reader.isPrompt = false
        reader.open()
        reader.askAgain()
        reader.say(.start(reader.channel))

        var rounds = 0
        while reader.lastGroup.map({ $0.progress != nil }) ?? true, rounds < 60 {
            writer.write(
                (0..<30).map {
                    .set(
                        .item("i\((rounds * 7 + $0) % Self.count)", made), property: "body",
                        value: .string("round \(rounds)"))
                })
            writer.uploadNext()
            stage.turn()
            reader.deliver(atMost: 10)
            _ = writer.deliver()
            rounds += 1
        }
        #expect(rounds < 60)
        reader.isPrompt = true
        stage.settle()
        try reader.expectAgreement()
    }

    /// Writes and uploads, for the next turn to decide.
    private func say(_ change: Change) {
        writer.write([change])
        writer.uploadNext()
        stage.turn()
        _ = writer.deliver()
    }

    @Test func `what came and went while it was compared does not stay`() throws {
        let last = ObjectName.item("i190", made)
        func mark(_ isDone: Bool) -> Change {
            .set(last, property: "isDone", value: .bool(isDone))
        }
        reader.resume()
        reader.subscribe(1, "Item WHERE isDone == false", depth: 0)
        stage.settle()
        reader.disconnect()
        writer.commit(mark(true))
        for number in 0..<80 { edit(number % 3, "changed") }
        reader.isPrompt = false
        reader.open()
        reader.askAgain()
        reader.say(.start(reader.channel))
        stage.turn()
        reader.deliver(atMost: 10)
        stage.turn()
        #expect(reader.toldDigests == 1)

        say(mark(false))
        while reader.groups.isEmpty { stage.turn() }
        say(mark(true))
        reader.isPrompt = true
        stage.settle()

        try reader.expectAgreement()
    }

    @Test func `two who download at once both get on`() {
        let other = Client(stage, 3)
        for client in [reader, other] {
            client.isPrompt = false
            client.open()
            client.subscribe(1, "Item", depth: 0)
            client.say(.start(client.channel))
        }

        for _ in 0..<12 {
            stage.turn()
            reader.deliver(atMost: 10)
            other.deliver(atMost: 10)
        }

        #expect(reader.stagedGroups >= 4)
        #expect(other.stagedGroups >= 4)
    }

    @Test func `an absence in which few large objects came is told in pieces, too`() throws {
        try firstDownload()
        reader.disconnect()
        for number in 0..<15 { edit(number, Text(String(repeating: "y", count: 300_000))) }

        reader.resume()

        let sizes = reader.groups.map { group in group.views.reduce(0) { $0 + $1.delta.count } }
        #expect(try #require(sizes.max()) < 2 << 20)
        #expect(sizes.reduce(0, +) > 4_000_000)
        try reader.expectAgreement()
    }

    @Test(arguments: [UInt64](1...50))
    func `a cursor that no server wrote does no harm`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var cursor = SeriesCursor()
        var segments: [ViewWalk.Segment] = []
        func place() -> ObjectID? {
            Bool.random(using: &random)
                ? nil
                : ObjectID(
                    classNumber: Int.random(in: 0...3, using: &random),
                    number: Int64.random(in: -1...250, using: &random))
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let version = Version(UInt64.random(in: 0...5, using: &random))
            let base: ViewWalk.Base =
                switch Int.random(in: 0..<3, using: &random) {
                case 0: .nothing
                case 1: .version(version)
                default: .compared(version, BucketSet(of: 8))
                }
            segments.append(ViewWalk.Segment(last: place(), base: base))
        }
        let request = SubscribeRequest(
            number: 1, query: "Item", arguments: [], depth: 0, isResumed: false)
        cursor.entries[1] = SeriesCursor.Entry(
            question: request.question(sha256: Digest.of),
            walk: ViewWalk(
                position: place(), segments: segments, isBegun: Bool.random(using: &random),
                done: 7, total: 9))
        var bytes = cursor.encoded()
        #expect(SeriesCursor(decoding: bytes) == cursor)
        if Bool.random(using: &random), let index = bytes.indices.randomElement(using: &random) {
            bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
        let id = stage.nextSession()
        stage.connect(reader, as: id)
        stage.engine.open(
            id, by: RealmVisitor(user: "alice", clockOffset: 0),
            OpenRequest(
                realm: try #require(RealmName("alice/todo")), replica: ReplicaID(77),
                acknowledgedSequence: 0, acknowledgedHash: .zero, integrated: .zero,
                credit: 1 << 30, staged: StagedPoint(point: stage.store.applied, cursor: bytes)))
        stage.engine.receive(.subscribe(id.channel, request), from: id)
        stage.engine.receive(.start(id.channel), from: id)
        stage.settle()
        stage.cut(id)

        // The realm is as well as before.
        let fresh = Client(stage, 3)
        fresh.resume()
        fresh.subscribe(1, "Item", depth: 0)
        stage.settle()
        try fresh.expectAgreement()
    }
}
