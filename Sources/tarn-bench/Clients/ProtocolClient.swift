import CLinux
import TarnClient
import TarnModel
import TarnProtocol
import TarnTransport

/// One replica without a store: a connection that logs in, opens the realm, subscribes, and answers
/// groups as a client does. Thousands of them fit on a loop, so that a load measures the server.
///
/// It belongs to its loop's thread.
final class ProtocolClient: ConnectionHandler {
    /// How far a client goes.
    enum Depth {
        /// The connection is open, and nothing is said.
        case bare
        /// The realm is open, without a subscription.
        case opened
        case subscribed
    }

    private static let channel = Channel(1)

    let credentials: Credentials
    let depth: Depth
    /// Called once, when what `depth` asks for is there; groups that come later are told one by
    /// one.
    var whenReady: (ProtocolClient) -> Void = { _ in }
    var whenGroup: (ProtocolClient, Group) -> Void = { _, _ in }
    var whenEnded: (String) -> Void = { _ in }

    private(set) var token: String?
    private(set) var point = ResumePoint.zero
    private(set) var acknowledged: UInt64 = 0
    private(set) var receivedByteCount = 0
    private(set) var series: TransactionSeries
    /// Transactions that the server's credit has not let go out whole.
    private var outgoing: [Sealed] = []
    private var credit: UInt64 = 0
    private var connection: SecureConnection?
    private var assembler = PartAssembler(bytesMax: ProtocolLimits.groupBytesMax)
    private var duty = AnswerDuty()
    private var isReady = false
    private var isStopped = false

    init(credentials: Credentials, depth: Depth) {
        self.credentials = credentials
        self.depth = depth
        series = TransactionSeries(of: ReplicaID(UInt64.random(in: 1 ... .max)))
    }

    func connect(
        to endpoint: Endpoint, on loop: EventLoop, trust: TLSClientContext,
        limits: TransportLimits = TransportLimits()
    ) {
        Connector(to: endpoint, on: loop, trust: trust, limits: limits, handler: self)
    }

    func pauseReading() { connection?.pauseReading() }

    func resumeReading() { connection?.resumeReading() }

    func stop() {
        isStopped = true
        connection?.abort()
    }

    /// A transaction that is ready to be sent.
    struct Sealed {
        let sequence: UInt64
        var cutter: PartCutter
    }

    /// Writes on top of all that was received.
    func commit(_ changes: [Change]) { send(seal(changes)) }

    func seal(_ changes: [Change]) -> Sealed {
        let sealed = series.seal(changes, base: point)
        return Sealed(sequence: series.last.sequence, cutter: PartCutter(sealed.encoded()))
    }

    /// In the order in which they were sealed.
    func send(_ sealed: Sealed) {
        outgoing.append(sealed)
        sendParts()
    }

    private func sendParts() {
        while let first = outgoing.first {
            guard let part = outgoing[0].cutter.next(credit: Int(clamping: credit)) else { return }
            credit -= UInt64(part.bytes.count)
            say(.upload(Self.channel, sequence: first.sequence, part))
            if outgoing[0].cutter.isFinished { outgoing.removeFirst() }
        }
    }

    private func say(_ message: ClientMessage) { connection?.send(message.encoded()) }

    // MARK: From the connection

    func connectionOpened(_ connection: SecureConnection) {
        self.connection = connection
        guard depth != .bare else { return becomeReady() }
        let version = ProtocolLimits.version
        say(.hello(versions: [version], clock: WallTime.milliseconds, program: "tarn-bench"))
    }

    func connectionReceived(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
    ) {
        receivedByteCount += payload.byteCount
        do throws(FormatError) {
            try hear(try ServerMessage(decoding: Array(copying: payload)))
        } catch {
            fail("\(error)")
        }
    }

    // What it says is small and waits for answers, so that there is never anything held back.
    func connectionCaughtUp(_ connection: SecureConnection) {}

    func connectionDrained(_ connection: SecureConnection) {}

    func connectionEnded(_ end: ConnectionEnd) {
        connection = nil
        if !isStopped { whenEnded("\(end)") }
    }

    private func fail(_ sentence: String) {
        guard !isStopped else { return }
        whenEnded(sentence)
        stop()
    }

    // MARK: The protocol

    private func hear(_ message: ServerMessage) throws(FormatError) {
        switch message {
        case .welcome: say(.login(credentials))
        case .loggedIn(_, let token):
            self.token = token
            open()
        case .opened(_, let reply):
            credit = reply.credit
            begin()
        case .group(_, let part): try take(part)
        case .failed(_, let error): fail("\(error)")
        case .credit(_, let bytes):
            credit += bytes
            sendParts()
        case .loggedOut, .received, .compare, .historyPage: break
        }
    }

    private func open() {
        guard let realm = RealmName(owner: Workload.user, name: Workload.realm) else {
            return fail("the realm's name is none")
        }
        say(
            .open(
                Self.channel,
                OpenRequest(
                    realm: realm, replica: series.replica, acknowledgedSequence: 0,
                    acknowledgedHash: .zero, integrated: .zero,
                    credit: UInt64(ProtocolLimits.creditInitial))))
    }

    private func begin() {
        if depth == .subscribed {
            let request = SubscribeRequest(
                number: 1, query: Workload.query, arguments: [],
                depth: ProtocolLimits.depthDefault, isResumed: false)
            say(.subscribe(Self.channel, request))
        }
        say(.start(Self.channel))
    }

    private func take(_ part: Part) throws(FormatError) {
        let mustGrant = duty.took(UInt64(part.bytes.count))
        guard let bytes = try assembler.append(part) else {
            if mustGrant { say(.credit(Self.channel, bytes: duty.granted())) }
            return
        }
        let group = try Group(decoding: bytes)
        // A client would store it until the last of its series is here.
        guard group.progress == nil else {
            if mustGrant { say(.credit(Self.channel, bytes: duty.granted())) }
            return
        }
        point = group.to
        acknowledged = max(acknowledged, group.receipts.last?.sequence ?? 0)
        if let fault = group.faults.first { return fail(fault.sentence) }
        for receipt in group.receipts {
            guard case .refused(let refusal) = receipt.outcome else { continue }
            return fail("a transaction was refused: \(refusal.sentence)")
        }
        if isReady { whenGroup(self, group) } else { becomeReady() }
        let wasDue = duty.due
        if duty.applied(at: tarn_monotonic_nanoseconds() / 1_000_000) {
            answer()
        } else if wasDue == nil {
            connection?.loop.schedule(after: .milliseconds(AnswerDuty.delay)) { [self] in
                if duty.due != nil { answer() }
            }
        }
    }

    private func answer() {
        say(.integrated(Self.channel, point, acknowledgedSequence: acknowledged))
        say(.credit(Self.channel, bytes: duty.answered()))
    }

    private func becomeReady() {
        isReady = true
        whenReady(self)
    }
}
