import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage
import Testing

@testable import TarnServer

/// What is forgotten, and what that means for who comes late: at the floor, below it and above.
struct FloorTests {
    private static let day: Int64 = 86_400_000

    private func policy(days: Int = 36_500, versions: Int = 1_000_000) -> HistoryPolicy {
        var policy = HistoryPolicy()
        policy.days = days
        policy.versions = versions
        return policy
    }

    /// A realm with a project and two items, whose writer goes on as it likes.
    private func stage(_ policy: HistoryPolicy) -> (Stage, Client, TransactionID) {
        let stage = Stage(history: policy)
        let writer = Client(stage, 1)
        writer.resume()
        writer.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        let made = writer.commit(
            .createProject("p"), .createItem("a"), .createItem("b"),
            .insert(
                .item("a", TransactionID(replica: writer.replica, sequence: 2)),
                into: .project("p", TransactionID(replica: writer.replica, sequence: 2)),
                writer.nextID.slot(0)))
        return (stage, writer, made)
    }

    private func rename(_ writer: Client, _ made: TransactionID, _ name: String) {
        writer.commit(
            .set(.project("p", made), property: "name", value: .string(Text(name))))
    }

    // MARK: Where the floor stands

    @Test(arguments: [0, 1, 5, 63])
    func `of more versions than may be the oldest are forgotten`(versions: Int) {
        let (stage, writer, made) = stage(policy(versions: versions))

        for round in 0..<100 {
            rename(writer, made, "\(round)")
            #expect(
                stage.version.number - stage.store.floor.number
                    == min(
                        UInt64(versions), stage.version.number))
        }
    }

    @Test func `what is older than it may be is forgotten, to a sixty-fourth`() {
        let (stage, writer, made) = stage(policy(days: 30))

        for day in 0..<100 {
            stage.now += Self.day
            rename(writer, made, "\(day)")
            let kept = stage.version.number - stage.store.floor.number
            // Two are of the first moment, which is told from others to half a day.
            #expect(day < 30 ? kept == stage.version.number : (30...31).contains(kept))
        }
    }

    @Test func `what was written long ago and has just come is kept`() {
        let (stage, writer, made) = stage(policy(days: 30))
        stage.now += 100 * Self.day
        writer.clockAhead = -90 * Self.day
        rename(writer, made, "long ago")
        let version = stage.version

        for _ in 0..<20 {
            stage.now += Self.day
            rename(writer, made, "later")
        }

        #expect(stage.store.floor < version)
    }

    @Test func `a clock that is put back neither stops the floor nor lowers it`() {
        let (stage, writer, made) = stage(policy(days: 30))
        stage.now += 400 * Self.day
        rename(writer, made, "ahead")
        let floor = stage.store.floor

        stage.now -= 400 * Self.day
        for _ in 0..<100 {
            stage.now += Self.day
            rename(writer, made, "right")
        }

        #expect(stage.store.floor > floor)
        #expect(stage.version.number - stage.store.floor.number <= 32)
    }

    // MARK: What comes late

    /// Deletes at one version; a transaction from a base that is at, below or above the floor.
    private func late(
        base: UInt64, floor: UInt64, _ changes: (TransactionID) -> [Change]
    ) throws -> (outcome: Outcome?, stage: Stage) {
        let kept = 100
        let (stage, writer, made) = stage(policy(versions: kept))
        let late = Client(stage, 2)
        late.resume()
        late.subscribe(1, "Item")
        stage.settle()
        late.disconnect()
        // At version 3, with nothing between that the author could see.
        writer.commit(.delete(.item("b", made)))
        while stage.version.number < floor + UInt64(kept) { rename(writer, made, "on") }
        #expect(stage.store.floor == Version(floor))
        let salt = try stage.store.salt(of: Version(base)) ?? Salt(0xBAD)
        let id = late.write(
            changes(made), base: ResumePoint(version: Version(base), salt: salt))
        late.resume()
        try late.expectAgreement()
        return (late.outcome(id), stage)
    }

    @Test(arguments: [(2, 2), (2, 1)])
    func `a creation from before a delete that is remembered is overridden`(
        base: UInt64, floor: UInt64
    ) throws {
        let (outcome, _) = try late(base: base, floor: floor) { _ in [.createItem("b")] }

        guard case .overridden = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
    }

    @Test(arguments: [(2, 3), (2, 9), (3, 3), (3, 2), (8, 9)])
    func `a creation from below the floor, or that saw the delete, creates`(
        base: UInt64, floor: UInt64
    ) throws {
        let (outcome, stage) = try late(base: base, floor: floor) { _ in [.createItem("b")] }

        #expect(outcome == .accepted)
        #expect(try stage.store.object(.string("b"), in: 1) != nil)
    }

    @Test(arguments: [(2, 1), (2, 2), (2, 3), (2, 9)])
    func `a change to what is gone is overridden, be the delete remembered or not`(
        base: UInt64, floor: UInt64
    ) throws {
        let (outcome, stage) = try late(base: base, floor: floor) { made in
            [.set(.item("b", made), property: "body", value: .string("late"))]
        }

        guard case .overridden = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(try stage.store.object(.string("b"), in: 1) == nil)
    }

    @Test(arguments: [(2, 1), (2, 9)])
    func `what lives is merged by its stamp, however old that is`(
        base: UInt64, floor: UInt64
    ) throws {
        let (outcome, stage) = try late(base: base, floor: floor) { made in
            [.set(.project("p", made), property: "name", value: .string("late"))]
        }

        // The last rename and this one have the same time; what was there has the higher counter.
        guard case .overridden = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        let project = try #require(try stage.store.object(.string("p"), in: 0))
        #expect(try stage.store.value(1, of: project) == .string("on"))
    }

    // MARK: What is told

    @Test(arguments: [UInt64](0...6))
    func `who is at the floor gets the difference, who is below it the whole`(
        versions: UInt64
    ) throws {
        let (stage, writer, made) = stage(policy(versions: 3))
        let reader = Client(stage, 2)
        reader.resume()
        reader.subscribe(1, "Item")
        stage.settle()
        reader.disconnect()

        writer.commit(.delete(.item("b", made)))
        for _ in 1..<max(1, versions) { rename(writer, made, "on") }
        reader.resume()

        let isTold = max(1, versions) <= 3
        #expect(reader.lastGroup?.views.map(\.isFull) == [!isTold])
        try reader.expectAgreement()
    }

    @Test func `who asks is told of no point that the server has forgotten, be it true or not`()
        throws
    {
        let (stage, writer, made) = stage(policy(versions: 3))
        let early = stage.store.applied
        for _ in 0..<10 { rename(writer, made, "on") }
        let late = stage.store.applied
        func point(_ point: ResumePoint, salt: UInt64) -> ResumePoint {
            ResumePoint(version: point.version, salt: Salt(salt))
        }
        func common(_ points: [ResumePoint]) -> ResumePoint? {
            let asker = Client(stage, 9)
            asker.ask(Inquiry(points: points, probes: [], receiptsAfter: 0))
            stage.settle()
            return asker.opened?.findings?.common
        }

        #expect(common([early, late]) == late)
        #expect(common([early, point(late, salt: 1)]) == .zero)
        #expect(common([point(early, salt: 1)]) == .zero)
        #expect(common([early]) == .zero)
    }

    @Test func `a session without credit that the floor passes gets the whole when it may go on`()
        throws
    {
        let (stage, writer, made) = stage(policy(versions: 3))
        let reader = Client(stage, 2)
        reader.resume()
        reader.subscribe(1, "Item", depth: 0)
        stage.settle()
        reader.disconnect()
        reader.open(credit: 0)
        reader.askAgain()
        reader.say(.start(reader.channel))
        stage.settle()

        writer.commit(.delete(.item("b", made)))
        for _ in 0..<10 { rename(writer, made, "on") }
        reader.say(.credit(reader.channel, bytes: 1 << 20))
        stage.settle()

        #expect(reader.groups.flatMap(\.views).map(\.isFull) == [true])
        try reader.expectAgreement()
    }

    @Test func `a view is kept while somebody listens, and goes when nobody did for long`() throws {
        let (stage, writer, made) = stage(policy(versions: 3))
        let reader = Client(stage, 2)
        reader.resume()
        reader.subscribe(1, "Item", depth: 0)
        stage.settle()
        for _ in 0..<20 { rename(writer, made, "on") }
        func views() throws -> [ViewRecord?] {
            try [0].map { depth in
                try stage.store.view(
                    ViewKey(query: "Item", arguments: [], user: "alice", depth: depth))
            }
        }

        #expect(try views() != [nil])
        reader.disconnect()
        for _ in 0..<20 { rename(writer, made, "on") }
        #expect(try views() == [nil])
        reader.resume()
        writer.commit(.createItem("c"))
        #expect(try views() != [nil])
        try reader.expectAgreement()
    }

    @Test func `a claim to stand where nobody could have stood does no harm`() throws {
        let (stage, writer, made) = stage(policy(versions: 4))
        let reader = Client(stage, 2)
        reader.resume()
        reader.subscribe(1, "Item", depth: 0)
        stage.settle()
        reader.disconnect()
        stage.settle()
        writer.commit(.delete(.item("b", made)))
        for _ in 0..<2 { rename(writer, made, "on") }
        let between = stage.store.applied
        for _ in 0..<2 { rename(writer, made, "on") }

        // The view was taken up after the delete, which the floor has passed meanwhile.
        let other = Client(stage, 3)
        other.resume()
        other.subscribe(1, "Item", depth: 0)
        stage.settle()
        let liar = Client(stage, 4)
        liar.open(integrated: between)
        liar.subscribe(1, "Item", depth: 0, isResumed: true)
        liar.say(.start(liar.channel))
        stage.settle()

        #expect(!stage.engine.isBroken)
        #expect(liar.errors.isEmpty)
    }

    @Test func `a floor that a crash takes back is raised again, and nobody is told anything else`()
        throws
    {
        let (stage, writer, made) = stage(policy(versions: 3))
        let reader = Client(stage, 2)
        reader.resume()
        reader.subscribe(1, "Item")
        stage.settle()
        stage.checkpoint()
        for key in ["c", "d", "e", "f"] { writer.commit(.createItem(key)) }
        writer.commit(.delete(.item("b", made)))
        let floor = stage.store.floor

        try stage.restart(losing: 8)
        #expect(stage.store.floor < floor)
        reader.resume()
        writer.resume()
        writer.commit(.createItem("g"))

        #expect(stage.store.floor >= floor)
        try reader.expectAgreement()
    }
}
