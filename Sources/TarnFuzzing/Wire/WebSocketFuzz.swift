import TarnTransport

/// A stream of frames. The first byte says which role reads it, and within which limits; two more
/// say where the stream is cut.
enum WebSocketFuzz {
    @Sendable static func run(_ bytes: [UInt8]) throws(BrokenLaw) {
        var input = FuzzInput(bytes)
        let flags = input.byte()
        var cutter = StreamCutter(seed: input.short())
        let stream = input.rest()
        let role: WebSocketConnection.Role = flags & 1 == 0 ? .server : .client
        let limits = flags & 2 == 0 ? TransportLimits() : smallLimits

        var whole = WebSocketEnd(role, limits)
        whole.receive(stream[...])
        var cut = WebSocketEnd(role, limits)
        for piece in cutter.pieces(of: stream) { cut.receive(piece) }
        try require(cut.events == whole.events, "cutting a stream changes its events")
        try require(cut.lastWords() == whole.lastWords(), "cutting a stream changes the last words")

        try checkEnd(&whole)
        try checkAnswers(whole)
        for case .message(let message) in whole.events { try checkRepetition(message, role) }
    }

    private static let smallLimits: TransportLimits = {
        var limits = TransportLimits()
        limits.messageByteCountMax = 64
        limits.frameByteCountMax = 48
        limits.fragmentCountMax = 4
        return limits
    }()

    /// Nothing comes after the end, and nothing comes of what is received then.
    private static func checkEnd(_ end: inout WebSocketEnd) throws(BrokenLaw) {
        let ends = end.events.indices.filter { end.events[$0].isEnd }
        try require(ends.count <= 1, "a connection ends \(ends.count) times")
        guard let last = ends.first else { return }
        try require(last == end.events.count - 1, "something comes after the end")
        let before = (end.events, end.output)
        end.receive([0x89, 0x00, 0x89, 0x80, 0, 0, 0, 0])
        try require((end.events, end.output) == before, "an ended connection goes on")
    }

    /// Whatever comes in, what goes out is what the other side can read.
    private static func checkAnswers(_ end: WebSocketEnd) throws(BrokenLaw) {
        var other = WebSocketEnd(end.other, TransportLimits())
        other.receive(end.output[...])
        for (index, event) in other.events.enumerated() {
            switch event {
            case .pong: continue
            case .closed:
                try require(index == other.events.count - 1, "something is said after a close")
                try require(end.events.last?.isEnd == true, "a close is sent without a cause")
            case .message, .failed:
                throw BrokenLaw(sentence: "the answer is no pong and no close: \(event)")
            }
        }
        guard end.events.last?.isEnd == true else { return }
        try require(other.events.last?.isEnd == true, "a connection ends without last words")
    }

    /// What was read is read again when it is sent on.
    private static func checkRepetition(
        _ message: WebSocketMessage, _ role: WebSocketConnection.Role
    ) throws(BrokenLaw) {
        if message.kind == .text {
            let text = String(validating: message.payload, as: UTF8.self)
            try require(text != nil, "text is not UTF-8")
        }
        var reader = WebSocketEnd(role, TransportLimits())
        var writer = WebSocketEnd(reader.other, TransportLimits())
        writer.send(message)
        reader.receive(writer.output[...])
        try require(reader.events == [.message(message)], "a message is not read as it was sent")
    }
}

/// One end of a WebSocket, with all that came of what it was given.
private struct WebSocketEnd {
    let role: WebSocketConnection.Role
    private var connection: WebSocketConnection
    private(set) var events: [WebSocketEvent] = []
    private(set) var output: [UInt8] = []

    init(_ role: WebSocketConnection.Role, _ limits: TransportLimits) {
        self.role = role
        connection = WebSocketConnection(
            role: role, limits: limits, generator: FuzzGenerator(seed: 1))
    }

    var other: WebSocketConnection.Role { role == .server ? .client : .server }

    mutating func receive(_ bytes: ArraySlice<UInt8>) {
        var queue = ByteQueue()
        connection.receive(bytes.span.bytes, events: &events, output: &queue)
        connection.sendLastWords(to: &queue)
        output += queue.takeAll()
    }

    mutating func send(_ message: WebSocketMessage) {
        var queue = ByteQueue()
        _ = connection.send(message.payload.span.bytes, as: message.kind, to: &queue)
        output += queue.takeAll()
    }

    /// The close that was sent. How many pongs come before it depends on where the stream was cut.
    func lastWords() -> WebSocketEvent? {
        var reader = WebSocketEnd(other, TransportLimits())
        reader.receive(output[...])
        return reader.events.last.flatMap { $0.isEnd ? $0 : nil }
    }
}

extension WebSocketEvent {
    fileprivate var isEnd: Bool {
        switch self {
        case .closed, .failed: true
        case .message, .pong: false
        }
    }
}
