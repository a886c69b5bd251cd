/// What every message of a connection touches.
///
/// Access to it is not checked for overlapping another, as it is for other fields of a class: these
/// checks were a third of what an echo of a hundred bytes cost. What they would find is kept out by
/// the order of things instead: `WebSocketConnection` and `ByteQueue` call nobody.
struct ConnectionTraffic: ~Copyable {
    var phase = SecureConnection.Phase.securing
    var webSocket: WebSocketConnection
    /// Plain bytes wait here and are encrypted piece by piece, as the socket takes them.
    var outgoing: ByteQueue
    var handler: (any ConnectionHandler)?
    /// Nothing more is sent, and it is known how it ended.
    var hasEnded = false
    /// It was the owner who ended it, and wants to hear no more.
    var isGivenUp = false
    /// Messages since the handler was last told that it has caught up.
    var untoldCount = 0
    /// Messages sent in this turn.
    var uncountedCount = 0
    var mustTellDrained = false
    var isFlushPlanned = false
    var lastMessageAt: MonotonicTime

    init(
        webSocket: consuming WebSocketConnection, outgoing: consuming ByteQueue,
        lastMessageAt: MonotonicTime
    ) {
        self.webSocket = webSocket
        self.outgoing = outgoing
        self.lastMessageAt = lastMessageAt
    }

    mutating func sendPing(_ payload: [UInt8] = []) {
        webSocket.sendPing(payload, to: &outgoing)
    }
}

extension SecureConnection {
    var phase: Phase {
        get { traffic.phase }
        set { traffic.phase = newValue }
    }

    var handler: (any ConnectionHandler)? {
        get { traffic.handler }
        set { traffic.handler = newValue }
    }

    var lastMessageAt: MonotonicTime {
        get { traffic.lastMessageAt }
        set { traffic.lastMessageAt = newValue }
    }

    /// What waits for the network, encrypted or not.
    package var queuedByteCount: Int { traffic.outgoing.count + session.outputCount }
}
