import TarnCrypto
import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage
import Testing

/// What a channel may send is bounded by what was granted, and that by what was taken in.
@Suite struct CreditTests {
    private static let session = RealmSessionID(connection: 1, channel: Channel(1))
    private static let replica = ReplicaID(7)

    private func openRealm() -> RealmEngine {
        let realm = RealmEngine(
            id: RealmID(bytes: [UInt8](repeating: 1, count: 16))!, store: MemoryRealmStore(),
            environment: RealmEnvironment(sha256: { SHA256.hash($0) }, random: { 9 }))
        let request = OpenRequest(
            realm: RealmName("alice/todo")!, replica: Self.replica, acknowledgedSequence: 0,
            acknowledgedHash: .zero, integrated: .zero, credit: 1 << 20)
        realm.open(Self.session, by: RealmVisitor(user: "alice", clockOffset: 0), request)
        _ = realm.turn(now: 0)
        return realm
    }

    /// Empty transactions, each padded with names that nothing uses.
    private func uploads(_ count: Int) -> [ClientMessage] {
        var hash = ChainHash.zero
        return (1...count).map { index in
            let sequence = UInt64(index)
            // As the encoder writes an empty transaction, with one long name in its table.
            var body = TransactionEncoder.body(
                of: Transaction(
                    id: TransactionID(replica: Self.replica, sequence: sequence), base: .zero,
                    changes: []))
            body.removeLast(2)
            let padding = [UInt8](repeating: UInt8(ascii: "x"), count: 60_000)
            body += [0x81, 0x79, 0xEA, 0x60] + padding + [0x80]
            hash = hash.extended(by: body, sha256: { SHA256.hash($0) })
            let whole = SealedTransaction(body: body, hash: hash, clockTicks: 0).encoded()
            return .upload(
                Self.session.channel, sequence: sequence,
                Part(total: UInt64(whole.count), offset: 0, bytes: whole))
        }
    }

    /// All that is said until nothing is left to do.
    private func work(_ realm: RealmEngine) -> [ServerMessage] {
        var said: [ServerMessage] = []
        var actions = realm.turn(now: 0)
        while !actions.isEmpty {
            switch actions.removeFirst() {
            case .send(_, let message): said.append(message)
            case .append: actions += realm.logCompleted(now: 0)
            case .closed: break
            }
        }
        return said
    }

    @Test func `just what was used is granted again, once it is decided`() {
        let realm = openRealm()
        let uploads = uploads(60)
        for upload in uploads { realm.receive(upload, from: Self.session) }

        let said = work(realm)

        var granted: UInt64 = 0
        for case .credit(_, let bytes) in said { granted += bytes }
        var used: UInt64 = 0
        for case .upload(_, _, let part) in uploads { used += UInt64(part.bytes.count) }
        #expect(used < UInt64(ProtocolLimits.creditInitial))
        #expect(granted == used)
    }

    @Test func `who sends more than was granted is cut off, and keeps nothing waiting`() throws {
        let realm = openRealm()
        for upload in uploads(80) { realm.receive(upload, from: Self.session) }

        let said = work(realm)

        #expect(said.count == 1)
        guard case .failed(Self.session.channel, let error) = try #require(said.first) else {
            Issue.record("\(said)")
            return
        }
        #expect(error.code == .protocolViolation)
        #expect(realm.isIdle)
    }

    @Test func `who sends without end while nothing is decided is cut off`() throws {
        let realm = openRealm()
        let message = ClientMessage.unsubscribe(Self.session.channel, number: 1)
        for _ in 0..<200_000 { realm.receive(message, from: Self.session) }

        let said = work(realm)

        #expect(said.count == 1)
        guard case .failed(_, let error) = try #require(said.first) else {
            Issue.record("\(said)")
            return
        }
        #expect(error.code == .overloaded && error.code.isTransient)
        #expect(realm.isIdle)
    }

    @Test func `credit that is granted above all bounds stays there`() {
        let realm = openRealm()
        realm.receive(.credit(Self.session.channel, bytes: .max), from: Self.session)
        realm.receive(.credit(Self.session.channel, bytes: .max), from: Self.session)
        realm.receive(.start(Self.session.channel), from: Self.session)

        let groups = work(realm).filter { if case .group = $0 { true } else { false } }

        #expect(groups.count == 1)
    }
}
