import TarnTransport

/// A WebSocket that is fed pieces, with all that came of them.
struct WebSocketProbe {
    var connection: WebSocketConnection
    var events: [WebSocketEvent] = []
    var output: [UInt8] = []

    init(_ role: WebSocketConnection.Role = .server, limits: TransportLimits = TransportLimits()) {
        connection = WebSocketConnection(role: role, limits: limits)
    }

    mutating func receive(_ bytes: some Sequence<UInt8>) {
        var queue = ByteQueue()
        let bytes = Array(bytes)
        connection.receive(bytes.span.bytes, events: &events, output: &queue)
        connection.sendLastWords(to: &queue)
        output += queue.takeAll()
    }

    mutating func receive(_ frames: TestFrame...) {
        receive(frames.flatMap(\.bytes))
    }

    var violation: WebSocketViolation? {
        if case .failed(let violation) = events.last { return violation }
        return nil
    }

    mutating func send(_ payload: [UInt8]) -> [UInt8] {
        var queue = ByteQueue()
        _ = connection.send(payload.span.bytes, to: &queue)
        return queue.takeAll()
    }

    mutating func close(_ close: WebSocketClose) -> [UInt8] {
        var queue = ByteQueue()
        connection.sendClose(close, to: &queue)
        return queue.takeAll()
    }
}
