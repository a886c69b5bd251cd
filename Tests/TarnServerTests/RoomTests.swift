import TarnModel
import TarnProtocol
import TarnStorage
import Testing

@testable import TarnServer

/// What a session is sent when its connection has no room.
struct RoomTests {
    private let stage = Stage()
    private let writer: Client
    private let reader: Client
    private let made: TransactionID

    init() {
        writer = Client(stage, 1)
        reader = Client(stage, 2)
        writer.resume()
        writer.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        made = writer.commit(.createItem("x"))
        reader.subscribe(1, "Item")
    }

    private func edit(_ number: Int) {
        writer.commit(.set(.item("x", made), property: "body", value: .string(Text("\(number)"))))
    }

    @Test func `a session without room gets one difference when there is some`() throws {
        let room = ScarceRoom(1)
        reader.resume(room: room)
        let count = reader.groups.count
        for number in 0..<50 { edit(number) }
        #expect(reader.groups.count == count)
        #expect(room.waiting.count == 1)

        for session in room.give(1) { stage.engine.roomCame(for: session) }
        stage.settle()

        #expect(reader.groups.count == count + 1)
        #expect(reader.lastGroup?.to == stage.store.applied)
        try reader.expectAgreement()
    }

    @Test func `of a group as much is made as there is room for`() throws {
        let room = ScarceRoom(1)
        for number in 2..<200 {
            let text = Value.string(Text(String(repeating: "x", count: 2_000)))
            writer.commit(.createItem("\(number)", InitialValue("body", text)))
        }
        reader.resume(room: room)
        #expect(room.taken == ProtocolLimits.partBytesMax)
        #expect(reader.groups.isEmpty)

        while case let sessions = room.give(ProtocolLimits.partBytesMax), !sessions.isEmpty {
            let before = room.taken
            for session in sessions { stage.engine.roomCame(for: session) }
            stage.settle()
            #expect(room.taken - before <= 2 * ProtocolLimits.partBytesMax)
        }

        try reader.expectAgreement()
    }

    @Test func `room that comes for a session that is over is nobody's`() {
        let room = ScarceRoom(0)
        reader.resume(room: room)
        let waiting = room.waiting
        reader.disconnect()
        stage.settle()

        for session in waiting { stage.engine.roomCame(for: session) }
        stage.settle()

        #expect(waiting.count == 1)
        #expect(room.taken == 0)
    }

    /// Below, at and above what is counted.
    @Test(arguments: [(-1, -1), (0, 0), (1, 0)])
    func `credit is counted up to its limit`(more: Int, counted: Int) {
        let limit = ProtocolLimits.creditMax
        let asked = UInt64(Int(limit) + more)
        func session(_ credit: UInt64) -> RealmSession {
            let request = OpenRequest(
                realm: Self.name, replica: ReplicaID(1), acknowledgedSequence: 0,
                acknowledgedHash: .zero, integrated: .zero, credit: credit)
            return RealmSession(
                id: RealmSessionID(connection: 1, channel: Channel(1)),
                visitor: RealmVisitor(user: "alice", clockOffset: 0), request: request,
                head: ReplicaHead(user: "alice"), refused: [:], parked: [:], cursor: nil,
                room: EndlessRoom())
        }

        let opened = session(asked)
        let granted = session(1)
        granted.grant(asked - 1)

        #expect(opened.credit == UInt64(Int(limit) + counted))
        #expect(granted.credit == UInt64(Int(limit) + counted))
        granted.grant(.max)
        #expect(granted.credit == limit)
    }

    private static let name: RealmName = {
        guard let name = RealmName(owner: "alice", name: "todo") else {
            preconditionFailure("a valid name")
        }
        return name
    }()
}
