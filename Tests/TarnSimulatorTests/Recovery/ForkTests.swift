import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage
import Testing

/// One replica in two places: each goes on by itself, and nothing is lost or done twice.
struct ForkTests {
    private let scene: Scene
    private let first: Machine

    init() throws {
        scene = Scene()
        first = try Machine(in: scene, seed: 1)
        try first.begin()
        try first.create(1, "one")
        first.goOnline()
        scene.run()
        first.goOffline()
    }

    private func copy(_ seed: UInt64 = 2) throws -> Machine {
        try Machine(in: scene, seed: seed, copying: first.disk)
    }

    private func expectAgreement(
        _ labels: [String], _ machines: Machine...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for machine in machines {
            #expect(machine.stopped == nil, sourceLocation: sourceLocation)
            #expect(try machine.unsent == 0, sourceLocation: sourceLocation)
            let note = try machine.notes()[1] ?? []
            #expect(note.dropFirst().sorted() == labels.sorted(), sourceLocation: sourceLocation)
            #expect(try machine.notes() == machines[0].notes(), sourceLocation: sourceLocation)
        }
    }

    @Test func `a copied folder takes another id, and both go on`() throws {
        let second = try copy()
        try first.label(1, "a")
        try second.label(1, "b")
        let id = try first.id

        first.goOnline()
        scene.run()
        second.goOnline()
        scene.run()

        #expect(try first.id == id)
        #expect(try second.id != id)
        #expect(try second.replica.read { $0.identity.formerReplicas } == [id])
        try expectAgreement(["a", "b"], first, second)
    }

    @Test func `what the other copy has sent is not sent again`() throws {
        try first.label(1, "a")
        try first.label(1, "b")
        let second = try copy()
        try first.label(1, "c")
        try second.label(1, "d")

        first.goOnline()
        scene.run()
        second.goOnline()
        scene.run()

        try expectAgreement(["a", "b", "c", "d"], first, second)
        #expect(try second.chain.sequence == 1)
    }

    @Test func `it is not sent again long after it was confirmed`() throws {
        try first.label(1, "a")
        let second = try copy()
        first.goOnline()
        scene.run()
        for number in 0..<300 { try first.set(1, "text \(number)") }
        scene.run()
        first.goOffline()
        first.goOnline()
        scene.run()

        try second.label(1, "b")
        second.goOnline()
        scene.run()

        try expectAgreement(["a", "b"], first, second)
    }

    @Test func `two copies of what a third one overtook do it once`() throws {
        let bare = try copy(5)
        try first.label(1, "a")
        try first.label(1, "b")
        let second = try copy(2)
        try bare.label(1, "x")
        bare.goOnline()
        scene.run()
        // Now neither of the two is what the server knows, and both hold the same work.
        try first.label(1, "c")
        try second.label(1, "d")

        first.goOnline()
        scene.run()
        second.goOnline()
        scene.run()

        try expectAgreement(["x", "a", "b", "c", "d"], bare, first, second)
        #expect(Set([try bare.id, try first.id, try second.id]).count == 3)
    }

    @Test func `a restored disk goes on, and what was lost with it comes back from the server`()
        throws
    {
        let backup = first.disk.copied()
        try first.label(1, "lost here")
        first.goOnline()
        scene.run()
        first.goOffline()

        try first.restore(backup)
        try first.label(1, "later")
        first.goOnline()
        scene.run()

        try expectAgreement(["lost here", "later"], first)
    }

    @Test func `a disk restored with the very work that was sent keeps its id`() throws {
        try first.label(1, "a")
        let backup = first.disk.copied()
        let id = try first.id
        first.goOnline()
        scene.run()
        first.goOffline()
        first.goOnline()
        scene.run()
        first.goOffline()

        try first.restore(backup)
        first.goOnline()
        scene.run()
        try first.label(1, "b")
        scene.run()

        #expect(try first.id == id)
        try expectAgreement(["a", "b"], first)
    }

    @Test func `what is written while the server is asked is done once, copied or not`() throws {
        for step in 0..<30 {
            let trial = try ForkTests()
            let backup = trial.first.disk.copied()
            try trial.first.label(1, "a")
            trial.first.goOnline()
            trial.scene.run()
            trial.first.goOffline()
            // Nothing is undecided here, so that any other id will do.
            try trial.first.restore(backup)
            trial.first.goOnline()
            trial.scene.run(steps: step)
            try trial.first.label(1, "b")
            let second = try trial.copy()
            trial.scene.run()

            second.goOnline()
            trial.scene.run()

            try trial.expectAgreement(["a", "b"], trial.first, second)
        }
    }

    @Test func `copies that are in use at the same time part without anybody's help`() throws {
        let second = try copy()
        first.goOnline()
        second.goOnline()
        scene.run()
        try first.label(1, "a")
        try second.label(1, "b")
        scene.run()
        try first.label(1, "c")
        try second.label(1, "d")
        scene.run()

        #expect(try first.id != second.id)
        try expectAgreement(["a", "b", "c", "d"], first, second)
    }

    @Test func `an id that somebody else has by chance is given up`() throws {
        let other = try Machine(in: scene, seed: 1, user: "bob")
        try #require(try other.id == first.id)
        try other.write { try $0.addClass(Machine.note) }
        try other.create(2, "two")
        other.goOnline()
        scene.run()

        #expect(try other.id != first.id)
        #expect(try other.unsent == 0)
        first.goOnline()
        scene.run()
        #expect(try first.notes()[2] == ["two"])
    }

    @Test func `what is written meanwhile goes with the rest`() throws {
        let second = try copy()
        try first.label(1, "a")
        try second.label(1, "b")
        first.goOnline()
        scene.run()
        second.goOnline()
        for number in 0..<30 {
            scene.run(steps: 1)
            try second.label(1, "\(number)")
        }
        scene.run()

        try expectAgreement(["a", "b"] + (0..<30).map { "\($0)" }, first, second)
    }

    @Test func `what the other copy was refused is in the drawer, with its body`() throws {
        try first.create(6, code: "x")
        try first.label(6, "depends")
        let second = try copy()
        try second.label(1, "b")
        let stranger = try Machine(in: scene, seed: 9)
        try stranger.begin()
        try stranger.create(5, code: "x")
        stranger.goOnline()
        scene.run()
        first.goOnline()
        scene.run()

        second.goOnline()
        scene.run()

        let drawer = try second.drawer
        #expect(drawer.map(\.receipt.sequence) == [3, 4])
        #expect(drawer.allSatisfy { $0.body != nil })
        try expectAgreement(["b"], first, second, stranger)
    }

    @Test(arguments: [false, true])
    func `it comes out right wherever a program or its machine dies`(losesPower: Bool) throws {
        for step in 0..<60 {
            let trial = try ForkTests()
            try trial.first.label(1, "a")
            let second = try trial.copy()
            try trial.first.label(1, "b")
            try second.label(1, "c")
            trial.first.goOnline()
            trial.scene.run()

            second.goOnline()
            trial.scene.run(steps: step)
            try second.crash(losingPower: losesPower)
            try second.label(1, "d")
            trial.scene.run()

            try trial.expectAgreement(["a", "b", "c", "d"], trial.first, second)
        }
    }
}
