import TarnModel
import TarnProtocol
import TarnStorage
import Testing

@testable import TarnServer

/// Who is served when: nobody waits for more than one large transaction.
struct TurnTests {
    private let stage = Stage()
    private let bulk: [Client]
    private let small: Client

    init() {
        bulk = [Client(stage, 1), Client(stage, 2)]
        small = Client(stage, 3)
        for client in bulk + [small] { client.resume() }
        bulk[0].commit(.addClass(ToDo.project), .addClass(ToDo.item))
        stage.holdsLog = true
    }

    private func large(_ key: String) -> [Change] {
        let text = String(repeating: "x", count: ServerLimits.smallBodyBytesMax)
        return [.createItem(key, InitialValue("body", .string(Text(text))))]
    }

    /// The keys of the replicas whose transactions a turn decides.
    private func decided() -> [UInt64] {
        stage.turn()
        let replicas = stage.waiting?.map { $0.origin.transaction.replica.rawValue } ?? []
        stage.completeLog()
        return replicas
    }

    @Test func `small transactions have a turn between two large ones`() {
        for number in 0..<2 {
            for (place, client) in bulk.enumerated() {
                client.write(large("\(place).\(number)"))
            }
        }
        for client in bulk { client.upload() }
        small.write([.createItem("a")])
        small.write([.createItem("b")])
        small.upload()

        #expect(decided() == [3, 3])
        #expect(decided() == [1])
        small.write([.createItem("c")])
        small.uploadNew()
        #expect(decided() == [3])
        // Large ones take turns, and have the realm for themselves where nobody else writes.
        #expect(decided() == [2])
        #expect(decided() == [1])
        #expect(decided() == [2])
        #expect(decided() == [])
    }

    @Test func `a replica's transactions stay in their order, large or small`() {
        bulk[0].write([.createItem("a")])
        bulk[0].write(large("b"))
        bulk[0].write([.createItem("c")])
        bulk[0].upload()

        #expect(decided() == [1])
        #expect(decided() == [1])
        #expect(decided() == [1])
        #expect(bulk[0].receipts.map(\.sequence).suffix(3) == [2, 3, 4])
    }

    @Test func `what was decided before takes nobody's turn`() {
        bulk[0].write(large("a"))
        let sent = bulk[0].unacknowledged
        bulk[0].upload()
        #expect(decided() == [1])
        // Sent once more, as after a cut, beside one that is new.
        bulk[1].write(large("b"))
        bulk[1].upload()
        for (sequence, sealed) in sent { bulk[0].upload(sealed, sequence) }
        bulk[0].write(large("c"))
        bulk[0].uploadNew()

        let turns = [decided(), decided()]

        #expect(Set(turns) == [[1], [2]])
        #expect(!stage.engine.needsTurn)
    }
}

extension Client {
    /// Sends the last transaction that was written.
    fileprivate func uploadNew() {
        if let last = unacknowledged.last { upload(last.sealed, last.sequence) }
    }
}
