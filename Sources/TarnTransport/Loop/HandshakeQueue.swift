/// Connections whose TLS handshake has something to go on with, first come first served.
///
/// A step of a handshake signs or multiplies, and takes longer than everything else of a turn
/// together: a third of a millisecond for a server's first. So they wait in a row, and a turn takes
/// a few when it has done all else; who is connected already never waits for more than those.
struct HandshakeQueue {
    /// About one and a half milliseconds.
    static let countPerTurn = 4

    private var waiting: [(any HandshakeHandler)?] = []
    private var first = 0

    var isEmpty: Bool { first == waiting.count }

    mutating func append(_ handler: any HandshakeHandler) {
        waiting.append(handler)
    }

    mutating func take() -> (any HandshakeHandler)? {
        guard first < waiting.count else { return nil }
        defer {
            waiting[first] = nil
            first += 1
            if first == waiting.count {
                waiting.removeAll(keepingCapacity: waiting.count <= 64)
                first = 0
            } else if first >= 1024 {
                waiting.removeFirst(first)
                first = 0
            }
        }
        return waiting[first]
    }
}

/// What has a handshake to go on with.
protocol HandshakeHandler: AnyObject {
    func continueHandshake()
}
