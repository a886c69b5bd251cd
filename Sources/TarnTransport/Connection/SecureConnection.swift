internal import CLinux
internal import Glibc

/// A socket, TLS, the HTTP upgrade and a WebSocket, joined on one loop.
///
///     securing ──▶ upgrading ──▶ open ──▶ closing ──▶ finishing ──▶ over
///
/// In `closing` our close is sent and the peer's awaited. In `finishing` everything is said; what
/// is written has only to arrive before the descriptor is closed. A failure ends it at once.
///
/// Received bytes are handled at once, and messages shown where they were decrypted. What is sent
/// is gathered until the turn's end and then written once, in as few TLS records as it fits; it is
/// encrypted only when the socket can take it.
///
/// It belongs to its loop's thread; from others, use `loop.execute`. It is Sendable, without the
/// compiler's proof, only so that such a job can hold it: every entrance checks the thread.
package final class SecureConnection: @unchecked Sendable {
    enum Phase: Equatable {
        case securing
        case upgrading
        case open
        case closing
        case finishing
        case over
    }

    /// How it becomes a WebSocket, and who it is then.
    enum Upgrade {
        case server(ServerUpgrade, makeHandler: (SecureConnection) -> (any ConnectionHandler)?)
        case client(ClientUpgrade, any ConnectionHandler)
    }

    package let loop: EventLoop
    package let peer: SocketAddress
    /// For whom the peer speaks, if it is a trusted proxy that has told.
    package internal(set) var forwardedFor: NetworkAddress?
    /// What both sides agreed to speak; empty until the connection is open.
    package internal(set) var subprotocol = ""

    let shared: SharedLimits
    let descriptor: Int32
    let session: TLSSession
    // What is unchecked here is touched with every message or turn; `ConnectionTraffic` says why.
    @exclusivity(unchecked) var traffic: ConnectionTraffic
    /// Until it is open.
    var upgrading: Upgrading?
    @exclusivity(unchecked) var watch: DescriptorWatch?
    /// What it counts as among a server's connections.
    var place: ConnectionPlace?
    /// Called once, when the descriptor is closed.
    var released: (() -> Void)?

    // Input.
    @exclusivity(unchecked) var isReading = true
    @exclusivity(unchecked) var isHandshakePlanned = false
    /// How the WebSocket ended, until what came before it is told.
    @exclusivity(unchecked) var lastWords: ConnectionEnd?

    /// What the loop counts as waiting here.
    @exclusivity(unchecked) var countedQueue = 0

    // The end.
    var end: ConnectionEnd? {
        didSet { traffic.hasEnded = end != nil }
    }
    var isEndTold = false
    /// Set with `end` when there is nobody to say goodbye to.
    var isBroken = false
    var isGoodbyeWritten = false
    @exclusivity(unchecked) var isStreamEnded = false

    // Time.
    var timer: LoopTimer?
    var startedAt: MonotonicTime
    @exclusivity(unchecked) var lastReceivedAt: MonotonicTime
    @exclusivity(unchecked) var stalledSince: MonotonicTime?
    var closeDeadline: MonotonicTime?
    /// For a server that has answered a request and waits for another.
    var requestDeadline: MonotonicTime?
    @exclusivity(unchecked) var unansweredPingCount = 0

    init(
        loop: EventLoop, descriptor: Int32, peer: SocketAddress, session: consuming TLSSession,
        upgrade: Upgrade, limits: SharedLimits
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.peer = peer
        self.session = session
        shared = limits
        startedAt = loop.now
        lastReceivedAt = loop.now
        let role: WebSocketConnection.Role
        switch upgrade {
        case .server(let upgrade, let makeHandler):
            role = .server
            upgrading = Upgrading(server: upgrade, makeHandler: makeHandler)
        case .client(let upgrade, _):
            role = .client
            upgrading = Upgrading(client: upgrade)
        }
        traffic = ConnectionTraffic(
            webSocket: WebSocketConnection(role: role, limits: limits.values),
            outgoing: ByteQueue(pool: loop.buffers), lastMessageAt: loop.now)
        if case .client(_, let handler) = upgrade { self.handler = handler }
    }

    /// Begins; from here on the connection lives until it is over, whoever holds it.
    func start() {
        loop.preconditionOnThread()
        loop.counters.connections.add(1)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        if let count = limits.socketUnsentByteCountMax {
            var count = Int32(clamping: count)
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &count, 4)
        }
        do throws(TransportError) {
            watch = try loop.watch(descriptor, .readable) { [self] in ready($0) }
        } catch {
            fail(error)
        }
        if upgrading?.client != nil { take(UnsafeRawBufferPointer(start: nil, count: 0)) }
        armTimer()
    }

    // MARK: - Verbs of the owner

    /// Sends one message; one of more than `messageByteCountMax` bytes ends the connection. False
    /// if the connection is no longer open: the message is dropped, and `connectionEnded` has come
    /// or will.
    @discardableResult
    package func send(_ payload: RawSpan, as kind: WebSocketMessage.Kind = .binary) -> Bool {
        loop.preconditionOnThread()
        guard phase == .open, !traffic.hasEnded else { return false }
        guard payload.byteCount <= limits.messageByteCountMax else {
            fail(
                TransportError(
                    .messageTooLong,
                    "A message of \(payload.byteCount) bytes was to be sent; it may have "
                        + "\(limits.messageByteCountMax)."))
            return false
        }
        guard queuedByteCount + payload.byteCount <= limits.outgoingByteCountMax else {
            fail(TransportError(.peerTooSlow, "\(peer) does not take what is sent to it."))
            return false
        }
        guard traffic.webSocket.send(payload, as: kind, to: &traffic.outgoing)
        else { return false }
        traffic.uncountedCount += 1
        if queuedByteCount > limits.outgoingHighWater { traffic.mustTellDrained = true }
        if !traffic.isFlushPlanned { planFlush() }
        return true
    }

    @discardableResult
    package func send(_ payload: [UInt8], as kind: WebSocketMessage.Kind = .binary) -> Bool {
        send(payload.span.bytes, as: kind)
    }

    /// False while more waits than the high-water mark; `connectionDrained` says when it is true
    /// again. Sending is still possible, up to `outgoingByteCountMax`.
    package var isWritable: Bool {
        phase == .open && !traffic.hasEnded && queuedByteCount <= limits.outgoingHighWater
    }

    /// Says goodbye after all that was sent. `connectionEnded` comes when the peer has answered, or
    /// has not in `closeTimeout` after the last byte was written.
    package func close(_ code: WebSocketCloseCode = .normal, reason: String = "") {
        loop.preconditionOnThread()
        guard end == nil else { return }
        switch phase {
        case .open:
            traffic.webSocket.sendClose(
                WebSocketClose(code, reason: reason), to: &traffic.outgoing)
            phase = .closing
            // The peer's answer is behind what was left in the socket.
            isReading = true
            planFlush()
        case .securing, .upgrading:
            fail(TransportError(.cancelled, "The connection was given up."))
        case .closing, .finishing, .over:
            break
        }
    }

    /// Ends it without a word. `connectionEnded` comes at the end of the turn.
    package func abort() {
        loop.preconditionOnThread()
        fail(TransportError(.cancelled, "The connection was given up."))
    }

    /// Leaves what comes in the socket, until reading is resumed: then the peer has to wait. Pings
    /// and their answers wait as well, so pause briefly.
    package func pauseReading() {
        loop.preconditionOnThread()
        isReading = false
        updateInterest()
    }

    package func resumeReading() {
        loop.preconditionOnThread()
        isReading = true
        lastReceivedAt = loop.now
        updateInterest()
    }

    /// Of the certificate that a server showed to us; nil before it did.
    package var peerFingerprint: CertificateFingerprint? { session.peerFingerprint }

    /// Whether TLS goes on from an earlier session, by a ticket.
    package var isResumed: Bool { session.isResumed }
}
