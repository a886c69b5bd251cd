import TarnClient
import TarnModel
import TarnProtocol
import Testing

struct HistoryExchangeTests {
    private let now = Moment(wall: 9, steady: 0)

    private func request(limit: UInt64) throws -> HistoryRequest {
        HistoryRequest(realm: try #require(RealmName("alice/todo")), object: nil, limit: limit)
    }

    private func entry(_ version: UInt64) -> HistoryEntry {
        HistoryEntry(
            at: HistoryPlace(version: Version(version), index: 0), ticks: 0,
            by: TransactionID(replica: ReplicaID(1), sequence: 1), user: "alice", .created)
    }

    private func message(_ step: HistoryExchange.Step) throws -> ClientMessage? {
        if case .send(let bytes) = step { try ClientMessage(decoding: bytes) } else { nil }
    }

    /// An exchange that has asked, and what it asked.
    private func asked(
        limit: UInt64
    ) throws -> (exchange: HistoryExchange, question: ClientMessage?) {
        var exchange = HistoryExchange(try request(limit: limit), token: "t")
        _ = exchange.connected(program: "tarn", at: now)
        let login = try message(
            exchange.received(ServerMessage.welcome(version: 1, clock: 0).encoded()))
        #expect(login == .login(.token("t")))
        let step = exchange.received(ServerMessage.loggedIn(user: "alice", token: nil).encoded())
        return (exchange, try message(step))
    }

    private func answer(_ versions: [UInt64], next: UInt64?) -> [UInt8] {
        let page = HistoryPage(
            entries: versions.map(entry),
            next: next.map { HistoryPlace(version: Version($0), index: 0) }, floor: Version(1))
        return ServerMessage.historyPage(Channel(1), page).encoded()
    }

    @Test func `it asks until it has what was wanted`() throws {
        var (exchange, question) = try asked(limit: 3)
        #expect(question == .history(Channel(1), try request(limit: 3)))

        let second = try message(exchange.received(answer([9, 8], next: 8)))
        let found = exchange.received(answer([7], next: 7))

        guard case .history(_, let rest) = second, case .found(let page) = found else {
            Issue.record("\(String(describing: second)), \(found)")
            return
        }
        #expect(rest.before.version == Version(8) && rest.limit == 1)
        #expect(page.entries.map(\.place.version.number) == [9, 8, 7])
        #expect(page.next?.version == Version(7) && page.floor == Version(1))
    }

    @Test func `it ends where nothing more is kept`() throws {
        var (exchange, _) = try asked(limit: 30)

        let found = exchange.received(answer([9, 8], next: nil))

        guard case .found(let page) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(page.entries.count == 2 && page.next == nil)
    }

    @Test(arguments: [[UInt64](), [9, 8, 7, 6]])
    func `a server that goes in circles, or tells too much, is not followed`(
        versions: [UInt64]
    ) throws {
        var (exchange, _) = try asked(limit: 3)

        let step = exchange.received(answer(versions, next: .max))

        guard case .failed(let error) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(error.code == .protocolViolation)
    }

    @Test func `what the server refuses is what it comes to`() throws {
        var (exchange, _) = try asked(limit: 3)
        let refusal = ProtocolError(.realmRefused, "alice may not open bob/x.")

        let step = exchange.received(ServerMessage.failed(Channel(1), refusal).encoded())

        #expect(step == .failed(refusal))
    }
}
