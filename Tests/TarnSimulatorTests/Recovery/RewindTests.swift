import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage
import Testing

/// A server that was restored from an older backup: everybody brings back what they did, and
/// nothing comes back twice.
struct RewindTests {
    private let scene = Scene()

    /// A machine with the class, one note, and all of it at the server.
    private func machine(_ seed: UInt64 = 1) throws -> Machine {
        let machine = try Machine(in: scene, seed: seed)
        try machine.begin()
        try machine.create(1, "one")
        machine.goOnline()
        scene.run()
        return machine
    }

    /// Another user's machine with all that there is.
    private func other(_ seed: UInt64) throws -> Machine {
        let machine = try Machine(in: scene, seed: seed)
        try machine.begin()
        machine.goOnline()
        scene.run()
        return machine
    }

    private func expectAgreement(
        _ labels: [String]?, _ machines: Machine...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let history = try scene.log.lastVersion(of: scene.realm)
        for machine in machines {
            #expect(machine.stopped == nil, sourceLocation: sourceLocation)
            #expect(try machine.unsent == 0, sourceLocation: sourceLocation)
            #expect(try machine.point == scene.store.applied, sourceLocation: sourceLocation)
            let note = try machine.notes()[1]?.dropFirst()
            #expect(note?.sorted() == labels?.sorted(), sourceLocation: sourceLocation)
            #expect(try machine.notes() == machines[0].notes(), sourceLocation: sourceLocation)
        }
        #expect(history == scene.store.applied.version, sourceLocation: sourceLocation)
    }

    @Test func `what one machine did comes back, as it was`() throws {
        let machine = try machine()
        let backup = scene.backup()
        try machine.set(1, "two")
        try machine.label(1, "a")
        scene.run()
        let receipts = try scene.store.receipts(of: machine.id, after: 0)
        let id = try machine.id

        try scene.restore(backup)
        #expect(try machine.notes()[1] == ["two", "a"])
        scene.run()

        try expectAgreement(["a"], machine)
        #expect(try machine.notes()[1] == ["two", "a"])
        #expect(try machine.id == id)
        let again = try scene.store.receipts(of: id, after: 0)
        #expect(again.map(\.ticks) == receipts.map(\.ticks))
        #expect(again.map(\.hash) == receipts.map(\.hash))
        #expect(try machine.drawer.isEmpty)
    }

    @Test func `a server that has lost everything but the realm's name gets all of it`() throws {
        let machine = try machine()
        try machine.label(1, "a")
        scene.run()

        try scene.restore(.zero)
        scene.run()

        try expectAgreement(["a"], machine)
    }

    @Test func `work that was not sent yet comes behind what comes back`() throws {
        let machine = try machine()
        let backup = scene.backup()
        try machine.label(1, "a")
        scene.run()
        machine.goOffline()
        try machine.label(1, "b")

        try scene.restore(backup)
        try machine.label(1, "c")
        machine.goOnline()
        scene.run()

        try expectAgreement(["a", "b", "c"], machine)
        #expect(try machine.notes()[1] == ["one", "a", "b", "c"])
        #expect(try machine.replica.read { $0.identity.common } == nil)
    }

    @Test func `the server may have gone on with others meanwhile`() throws {
        let machine = try machine()
        let backup = scene.backup()
        try machine.label(1, "a")
        scene.run()
        machine.goOffline()
        try scene.restore(backup)
        let other = try other(2)
        try other.label(1, "b")
        for number in 0..<10 { try other.set(1, "\(number)") }
        scene.run()

        machine.goOnline()
        scene.run()

        try expectAgreement(["a", "b"], machine, other)
    }

    @Test func `each brings back its own, whoever comes first`() throws {
        for isFirst in [true, false] {
            let trial = RewindTests()
            let (first, second) = (try trial.machine(), try trial.other(2))
            let backup = trial.scene.backup()
            try first.label(1, "a")
            try second.label(1, "b")
            trial.scene.run()
            first.goOffline()
            second.goOffline()
            try trial.scene.restore(backup)

            for machine in isFirst ? [first, second] : [second, first] {
                machine.goOnline()
                trial.scene.run()
            }

            try trial.expectAgreement(["a", "b"], first, second)
            #expect(try first.drawer.isEmpty && second.drawer.isEmpty)
        }
    }

    @Test func `a change to what has not come back is parked, with all that goes with it`() throws {
        let first = try machine()
        let backup = scene.backup()
        let second = try other(2)
        try first.create(2, "two")
        scene.run()
        try second.write { transaction in
            _ = try transaction.create("Note", .int(3))
            let note = try transaction.reader.find("Note", .int(2))
            try transaction.append(.string("b"), to: "labels", of: try #require(note))
        }
        try second.label(3, "c")
        try second.label(1, "d")
        scene.run()
        first.goOffline()
        second.goOffline()
        try scene.restore(backup)

        second.goOnline()
        scene.run()

        let drawer = try second.drawer
        let parked = drawer.compactMap { kept -> TransactionID? in
            if case .parked(let parking) = kept.receipt.outcome { parking.creator } else { nil }
        }
        #expect(parked.map(\.replica) == [try first.id, try first.id])
        #expect(drawer.allSatisfy { $0.body != nil })
        #expect(try second.notes().keys.sorted() == [1])
        #expect(try second.notes()[1] == ["one", "d"])

        first.goOnline()
        scene.run()

        try expectAgreement(["d"], first, second)
        #expect(try second.notes()[2] == ["two"])
    }

    /// Two machines of one replica, of which one has a change to what will not come back.
    private func copies() throws -> (backup: Version, Machine, Machine) {
        let first = try machine()
        let backup = scene.backup()
        let second = try other(2)
        try first.create(2, "two")
        scene.run()
        try second.label(2, "b")
        scene.run()
        first.goOffline()
        second.goOffline()
        return (backup, second, try Machine(in: scene, seed: 3, copying: second.disk))
    }

    @Test func `what a copy brought back and was not taken is told here, too`() throws {
        let (backup, first, second) = try copies()
        try scene.restore(backup)

        for machine in [first, second] {
            machine.goOnline()
            scene.run()
            machine.goOffline()
        }

        #expect(try first.drawer.map(\.receipt.outcome.isUndone) == [true])
        #expect(try second.drawer.map(\.receipt) == first.drawer.map(\.receipt))
        #expect(try second.drawer.allSatisfy { $0.body != nil })
    }

    @Test func `what goes up under a former id and is not taken is told`() throws {
        let (backup, first, second) = try copies()
        try first.label(1, "c")
        try second.label(1, "d")
        for machine in [first, second] {
            machine.goOnline()
            scene.run()
            machine.goOffline()
        }
        #expect(try first.id != second.id)
        try scene.restore(backup)

        second.goOnline()
        scene.run()

        #expect(try second.drawer.map(\.receipt.outcome.isUndone) == [true])
        #expect(try second.drawer.allSatisfy { $0.body != nil })
        #expect(try second.notes() == [1: ["one", "d"]])
    }

    @Test func `what was refused stays refused, and is not told again`() throws {
        let machine = try machine()
        let backup = scene.backup()
        let other = try other(2)
        machine.goOffline()
        try other.create(5, code: "x")
        scene.run()
        try machine.create(6, code: "x")
        try machine.label(1, "a")
        machine.goOnline()
        scene.run()
        let drawer = try machine.drawer
        #expect(drawer.count == 1)
        other.goOffline()

        try scene.restore(backup)
        scene.run()

        // It would be accepted now.
        #expect(try machine.drawer == drawer)
        #expect(try machine.notes() == [1: ["one", "a"]])
    }

    @Test func `deletes come back, and take with them what links to the object`() throws {
        let machine = try machine()
        try machine.create(2, "two")
        try machine.write { transaction in
            let note = try #require(try transaction.reader.find("Note", .int(2)))
            let target = try #require(try transaction.reader.find("Note", .int(1)))
            try transaction.set("about", of: note, to: try transaction.link(to: target))
        }
        scene.run()
        let backup = scene.backup()
        try machine.write { transaction in
            try transaction.delete(try #require(try transaction.reader.find("Note", .int(1))))
        }
        scene.run()

        try scene.restore(backup)
        scene.run(steps: 12)
        #expect(try machine.notes().keys.sorted() == [2])
        scene.run()

        try expectAgreement(nil, machine)
        #expect(try machine.notes().keys.sorted() == [2])
    }

    @Test func `where the archive does not reach back, the rest goes on under another id`() throws {
        let machine = try Machine(
            in: scene, seed: 1, archiving: ArchiveBounds(age: 1 << 40, byteCount: 0))
        try machine.begin()
        try machine.create(1, "one")
        machine.goOnline()
        scene.run()
        let backup = scene.backup()
        try machine.label(1, "lost")
        scene.run()
        machine.goOffline()
        try machine.label(1, "kept")
        let id = try machine.id

        try scene.restore(backup)
        machine.goOnline()
        scene.run()

        #expect(try machine.id != id)
        try expectAgreement(["kept"], machine)
    }

    @Test func `two rewinds one behind the other are no worse`() throws {
        let machine = try machine()
        let backup = scene.backup()
        try machine.label(1, "a")
        scene.run()
        try scene.restore(backup)
        try machine.label(1, "b")
        scene.run(steps: 9)
        try scene.restore(backup)
        scene.run()
        try machine.label(1, "c")
        scene.run()
        try scene.restore(backup)
        scene.run()

        try expectAgreement(["a", "b", "c"], machine)
    }

    @Test func `copies of one folder bring their common work back once`() throws {
        let first = try machine()
        let backup = scene.backup()
        try first.label(1, "a")
        try first.label(1, "b")
        scene.run()
        first.goOffline()
        let second = try Machine(in: scene, seed: 2, copying: first.disk)
        try first.label(1, "c")
        try second.label(1, "d")
        try scene.restore(backup)

        first.goOnline()
        scene.run()
        second.goOnline()
        scene.run()

        try expectAgreement(["a", "b", "c", "d"], first, second)
        #expect(try first.id != second.id)
    }

    @Test(arguments: [true, false])
    func `a fork and then a rewind past it bring everything back once`(firstComesFirst: Bool)
        throws
    {
        let first = try machine()
        let backup = scene.backup()
        try first.label(1, "a")
        try first.label(1, "b")
        scene.run()
        first.goOffline()
        let second = try Machine(in: scene, seed: 2, copying: first.disk)
        try first.label(1, "c")
        try second.label(1, "d")
        first.goOnline()
        scene.run()
        second.goOnline()
        scene.run()
        try expectAgreement(["a", "b", "c", "d"], first, second)
        first.goOffline()
        second.goOffline()
        try scene.restore(backup)

        for machine in firstComesFirst ? [first, second] : [second, first] {
            machine.goOnline()
            scene.run()
        }

        try expectAgreement(["a", "b", "c", "d"], first, second)
    }

    @Test(arguments: [false, true])
    func `restored, copied and cut off at once, at any moment`(losesPower: Bool) throws {
        for step in 0..<90 {
            let trial = RewindTests()
            let first = try trial.machine()
            let backup = trial.scene.backup()
            try first.label(1, "a")
            try first.label(1, "b")
            trial.scene.run()
            first.goOffline()
            let second = try Machine(in: trial.scene, seed: 2, copying: first.disk)
            try first.label(1, "c")
            try second.label(1, "d")
            first.goOnline()
            trial.scene.run()
            try trial.scene.restore(backup)

            second.goOnline()
            trial.scene.run(steps: step)
            try second.crash(losingPower: losesPower)
            try first.crash(losingPower: losesPower)
            try second.label(1, "e")
            trial.scene.run()

            try trial.expectAgreement(["a", "b", "c", "d", "e"], first, second)
        }
    }
}
