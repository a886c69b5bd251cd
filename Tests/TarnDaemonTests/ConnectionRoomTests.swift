import Synchronization
import TarnModel
import TarnProtocol
import TarnServer
import TarnTesting
import Testing

@testable import TarnDaemon

struct ConnectionRoomTests {
    private static let part = ProtocolLimits.partBytesMax

    private final class Told: Sendable {
        let sessions = Mutex<[RealmSessionID]>([])

        func takeAll() -> [RealmSessionID] {
            sessions.withLock { sessions in
                defer { sessions = [] }
                return sessions
            }
        }
    }

    private let told = Told()
    private let room: ConnectionRoom
    private let sessions: [RealmSessionID]

    init() throws {
        room = ConnectionRoom { [told] session, _ in
            told.sessions.withLock { $0.append(session) }
        }
        let realm = try #require(RealmID(bytes: [UInt8](repeating: 1, count: 16)))
        sessions = (1...4).map { RealmSessionID(connection: 1, channel: Channel($0)) }
        for session in sessions { room.belongs(session, to: realm) }
    }

    @Test func `who is alone takes what there is, and no more than one part above`() {
        var taken = 0
        while room.take(Self.part, for: sessions[0]) { taken += Self.part }

        #expect(taken >= ConnectionRoom.byteCountMax)
        #expect(taken < ConnectionRoom.byteCountMax + Self.part)
        #expect(!room.isThere(for: sessions[1]))

        room.handedOver(taken, isWritten: true)
        #expect(told.takeAll() == [sessions[0], sessions[1]])
    }

    @Test func `what the connection holds back is room again only when it is written`() {
        #expect(room.take(100, for: sessions[0]))
        room.handedOver(100, isWritten: false)

        #expect(!room.isThere(for: sessions[0]))
        room.handedOver(0, isWritten: true)
        #expect(told.takeAll().isEmpty)
        room.drained()

        #expect(told.takeAll() == [sessions[0]])
        #expect(room.take(100, for: sessions[0]))
    }

    @Test func `who comes is told at once where there is room beside what is promised`() {
        #expect(room.take(100, for: sessions[0]))
        room.handedOver(100, isWritten: false)
        #expect(!room.isThere(for: sessions[1]))
        room.drained()
        // Its realm is slow to come.
        #expect(told.takeAll() == [sessions[1]])

        #expect(!room.isThere(for: sessions[2]))
        #expect(told.takeAll() == [sessions[2]])
        #expect(!room.take(100, for: sessions[3]))
        #expect(told.takeAll() == [sessions[3]])

        #expect(room.take(100, for: sessions[2]))
        #expect(room.isThere(for: sessions[1]))
    }

    @Test func `who passes his turn or is over leaves it to the next`() {
        #expect(room.take(100, for: sessions[0]))
        room.handedOver(100, isWritten: false)
        for session in sessions { #expect(!room.isThere(for: session)) }
        room.forget(sessions[1])
        room.drained()
        #expect(told.takeAll() == [sessions[0], sessions[2], sessions[3]])

        // As long as anybody is told and has not had his turn, others wait.
        #expect(!room.isThere(for: sessions[1]))
        for session in [sessions[0], sessions[2], sessions[3]] { room.pass(by: session) }

        #expect(room.isThere(for: sessions[0]))
    }

    /// Sessions with much to send, and threads of any speed: while one waits, each other gets one
    /// part at most; what is taken is bounded; and everything is sent in the end.
    @Test(arguments: [UInt64](1...30))
    func `all have their turns, whoever is faster`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var left = sessions.map { _ in 40 }
        /// By session that waits, what the others have got since.
        var gotten: [Int: [Int]] = [:]
        var underWay = 0
        var isHeldBack = false
        while left.contains(where: { $0 > 0 }) {
            // The first session's thread is the fastest.
            let who = Bool.random(using: &random) ? 0 : Int.random(in: 0..<4, using: &random)
            if gotten[who] == nil, left[who] > 0 {
                if room.take(Self.part, for: sessions[who]) {
                    left[who] -= 1
                    underWay += Self.part
                    for waiting in gotten.keys { gotten[waiting]?[who] += 1 }
                } else {
                    gotten[who] = sessions.map { _ in 0 }
                }
            }
            #expect(underWay < ConnectionRoom.byteCountMax + Self.part)
            let isStuck = sessions.indices.allSatisfy { left[$0] == 0 || gotten[$0] != nil }
            if isStuck || Int.random(in: 0..<6, using: &random) == 0 {
                if isHeldBack {
                    room.drained()
                } else {
                    isHeldBack = Bool.random(using: &random)
                    room.handedOver(underWay, isWritten: !isHeldBack)
                    if isHeldBack { continue }
                }
                isHeldBack = false
                underWay = 0
            }
            for session in told.takeAll() {
                guard let index = sessions.firstIndex(of: session) else { continue }
                #expect(gotten.removeValue(forKey: index)?.allSatisfy { $0 <= 1 } == true)
                if left[index] == 0 { room.pass(by: session) }
            }
        }
    }
}
