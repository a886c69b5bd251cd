import Glibc
import TarnCrypto
import TarnModel
import TarnProtocol
import TarnTesting
import TarnTransport

/// A client of a real daemon that keeps no objects: it logs in, opens realms, subscribes to all
/// that they have, counts groups, and may stop reading. The test's thread runs its loop.
final class SlowReplica: ConnectionHandler {
    static let note = ClassSchema(
        "Note", primaryKey: PropertySchema("_id", .int),
        properties: [PropertySchema("body", .string)])

    /// One realm of it.
    struct Opening {
        var assembler = PartAssembler(bytesMax: ProtocolLimits.groupBytesMax)
        var point = ResumePoint.zero
        var groupCount = 0
        var acknowledged: UInt64 = 0
        // What it writes.
        let replica = ReplicaID(UInt64.random(in: 1 ... .max))
        var sequence: UInt64 = 0
        var hash = ChainHash.zero
    }

    private let user: String
    private let realms: [String]
    private(set) var openings: [Channel: Opening] = [:]
    private(set) var problems: [String] = []
    private(set) var connection: SecureConnection?

    /// - Parameter realms: names, each opened on the channel of its place.
    init(
        user: String, realms: [String], port: UInt16, on loop: EventLoop, receiving byteCount: Int?
    ) throws {
        self.user = user
        self.realms = realms
        var limits = TransportLimits()
        limits.socketReceiveByteCount = byteCount
        Connector(
            to: Endpoint(host: "127.0.0.1", port: port), on: loop,
            trust: try TLSClientContext(trust: .authority(TestCertificates.shared.authority)),
            limits: limits, handler: self)
    }

    /// Everything is open, and its first group is here.
    var isReady: Bool {
        openings.count == realms.count && openings.values.allSatisfy { $0.groupCount > 0 }
    }

    func write(_ changes: [Change], on channel: Channel) {
        guard var opening = openings[channel] else { return }
        opening.sequence += 1
        let id = TransactionID(replica: opening.replica, sequence: opening.sequence)
        let body = TransactionEncoder.body(
            of: Transaction(id: id, base: opening.point, changes: changes))
        opening.hash = opening.hash.extended(by: body) { SHA256.hash($0) }
        let ticks = Stamp.ticks(milliseconds: Int64(time(nil)) * 1000)
        let whole = SealedTransaction(body: body, hash: opening.hash, clockTicks: ticks).encoded()
        openings[channel] = opening
        var cutter = PartCutter(whole)
        while let part = cutter.next(credit: .max) {
            say(.upload(channel, sequence: opening.sequence, part))
        }
    }

    private func say(_ message: ClientMessage) { connection?.send(message.encoded()) }

    // MARK: From the connection

    func connectionOpened(_ connection: SecureConnection) {
        self.connection = connection
        let clock = Int64(time(nil)) * 1000
        say(.hello(versions: [ProtocolLimits.version], clock: clock, program: "test"))
    }

    func connectionReceived(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
    ) {
        do throws(FormatError) {
            try hear(try ServerMessage(decoding: Array(copying: payload)))
        } catch {
            problems.append("\(error)")
        }
    }

    func connectionCaughtUp(_ connection: SecureConnection) {}
    func connectionDrained(_ connection: SecureConnection) {}
    func connectionEnded(_ end: ConnectionEnd) {
        connection = nil
        problems.append("\(end)")
    }

    private func hear(_ message: ServerMessage) throws(FormatError) {
        switch message {
        case .welcome: say(.login(.nickname(user)))
        case .loggedIn:
            for (index, realm) in realms.enumerated() { open(Channel(UInt64(index + 1)), realm) }
        case .opened(let channel, _):
            let request = SubscribeRequest(
                number: 1, query: "Note", arguments: [], depth: 0, isResumed: false)
            say(.subscribe(channel, request))
            say(.start(channel))
        case .group(let channel, let part): try take(part, on: channel)
        case .failed(_, let error): problems.append("\(error)")
        case .loggedOut, .received, .credit, .compare, .historyPage: break
        }
    }

    private func open(_ channel: Channel, _ realm: String) {
        guard let name = RealmName(owner: user, name: realm) else { return }
        let opening = Opening()
        openings[channel] = opening
        let request = OpenRequest(
            realm: name, replica: opening.replica, acknowledgedSequence: 0,
            acknowledgedHash: .zero, integrated: .zero, credit: 4 << 20)
        say(.open(channel, request))
    }

    private func take(_ part: Part, on channel: Channel) throws(FormatError) {
        say(.credit(channel, bytes: UInt64(part.bytes.count)))
        guard let whole = try openings[channel]?.assembler.append(part) else { return }
        let group = try Group(decoding: whole)
        openings[channel]?.point = group.to
        openings[channel]?.groupCount += 1
        for receipt in group.receipts {
            openings[channel]?.acknowledged = receipt.sequence
            if case .refused(let refusal) = receipt.outcome { problems.append(refusal.sentence) }
        }
        say(
            .integrated(
                channel, group.to,
                acknowledgedSequence: openings[channel]?.acknowledged ?? 0))
    }
}
