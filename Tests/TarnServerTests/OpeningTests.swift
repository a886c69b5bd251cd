import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage
import Testing

/// What a replica claims when it opens its realm is verified before anything is believed.
struct OpeningTests {
    let stage = Stage()

    private func writer(_ replica: UInt64 = 1) -> Client {
        let client = Client(stage, replica)
        client.resume()
        return client
    }

    @Test func `a new replica is told where the realm stands`() {
        let writer = writer()
        writer.commit(.addClass(ToDo.item))
        let client = Client(stage, 2)

        client.open()
        stage.settle()

        #expect(client.opened?.realm == Stage.realm)
        #expect(client.opened?.sequence == 0)
        #expect(client.opened?.hash == .zero)
        #expect(client.opened?.latest == stage.store.applied)
        #expect(client.opened?.credit == UInt64(ProtocolLimits.creditInitial))
    }

    @Test func `a known replica is told its last decided transaction`() {
        let client = writer()
        client.commit(.addClass(ToDo.item))
        client.disconnect()

        client.open()
        stage.settle()

        #expect(client.opened?.sequence == 1)
        #expect(client.opened?.hash == client.hash)
    }

    @Test func `an unknown replica with receipts is from before a restored backup`() {
        let client = Client(stage, 1)
        client.acknowledged = 3

        client.open()
        stage.settle()

        #expect(client.errors.map(\.code) == [.rewound])
        #expect(!client.isOpen)
    }

    @Test func `receipts above what the server knows are from before a restored backup`() {
        let client = writer()
        client.commit(.addClass(ToDo.item))
        client.disconnect()
        client.acknowledged = 2

        client.open()
        stage.settle()

        #expect(client.errors.map(\.code) == [.rewound])
    }

    @Test func `another hash at the same sequence is a fork`() {
        let client = writer()
        client.commit(.addClass(ToDo.item))
        client.disconnect()
        client.acknowledgedHash = .zero

        client.open()
        stage.settle()

        #expect(client.errors.map(\.code) == [.forked])
    }

    @Test func `a replica that is back before what it confirmed is a fork`() {
        let client = writer()
        client.commit(.addClass(ToDo.item))
        client.commit(.createItem("a"))
        client.commit(.createItem("b"))
        client.disconnect()
        client.acknowledged = 0
        client.acknowledgedHash = .zero

        client.open()
        stage.settle()

        #expect(client.errors.map(\.code) == [.forked])
    }

    @Test(arguments: [
        ResumePoint(version: Version(1), salt: Salt(99)),
        ResumePoint(version: Version(500), salt: Salt(1)),
        ResumePoint(version: Version(.max), salt: Salt(1)),
        ResumePoint(version: .zero, salt: Salt(1)),
    ])
    func `a version with another salt is of another history`(point: ResumePoint) {
        let client = writer()
        client.commit(.addClass(ToDo.item))
        client.disconnect()

        client.open(integrated: point)
        stage.settle()

        #expect(client.errors.map(\.code) == [.rewound])
    }

    @Test func `a replica id of another user is a fork`() {
        writer().commit(.addClass(ToDo.item))
        let other = Client(stage, 1, user: "bob")

        other.open()
        stage.settle()

        #expect(other.errors.map(\.code) == [.forked])
    }

    @Test func `a later session of a replica fences the earlier one`() {
        let earlier = writer()
        earlier.commit(.addClass(ToDo.item))
        let later = Client(stage, 1)
        later.acknowledged = 1
        later.acknowledgedHash = earlier.hash

        later.open()
        stage.settle()

        #expect(earlier.errors.map(\.code) == [.fenced])
        #expect(!earlier.isOpen)
        #expect(later.isOpen)
    }

    @Test func `a session that is refused fences nobody`() {
        let client = writer()
        client.commit(.addClass(ToDo.item))
        let copy = Client(stage, 1)
        copy.acknowledged = 1

        copy.open()
        stage.settle()

        #expect(copy.errors.map(\.code) == [.forked])
        #expect(client.isOpen)
        #expect(client.errors.isEmpty)
    }

    @Test func `what was acknowledged at opening is confirmed`() throws {
        let client = writer()
        stage.engine.receiptsKept = 0
        client.isPrompt = false
        client.commit(.addClass(ToDo.item))
        try #require(client.acknowledged == 1)
        client.disconnect()

        client.open()
        stage.settle()

        #expect(try stage.store.head(of: client.replica)?.confirmedSequence == 1)
        #expect(try stage.store.receipts(of: client.replica, after: 0).isEmpty)
    }

    @Test func `a realm that nobody has open is idle`() {
        let client = writer()
        #expect(!stage.engine.isIdle)

        client.disconnect()
        stage.settle()

        #expect(stage.engine.isIdle)
    }
}
