/// One end of a WebSocket after the HTTP upgrade (RFC 6455): bytes in, events and bytes out. It
/// has no socket and no clock.
///
///     open ── sendClose ──▶ closing ── peer's close ──▶ closed
///       └── peer's close (answered), or a violation (told) ──▶ closed
///
/// Received bytes give the same events however they were cut on their way.
package struct WebSocketConnection: Sendable {
    package enum Role: Sendable { case server, client }

    package enum State: Sendable {
        case open
        /// Our close is out; the peer's is awaited, and messages that come before it are dropped.
        case closing
        case closed
    }

    package private(set) var state = State.open

    /// Of a client's masking keys.
    private var generator: (any RandomNumberGenerator & Sendable)?
    private var reader: WebSocketFrameReader
    private var assembler: WebSocketMessageAssembler
    private var controlPayload: [UInt8] = []
    /// Only the last ping of a turn is answered, as section 5.5.3 allows: pings cannot flood us.
    private var pingToAnswer: [UInt8]?

    /// The generator makes masking keys, which must not be foreseen; tests give one with a seed.
    package init(
        role: Role, limits: TransportLimits = TransportLimits(),
        generator: (any RandomNumberGenerator & Sendable)? = nil
    ) {
        self.generator = role == .client ? generator ?? SecureGenerator() : nil
        reader = WebSocketFrameReader(role: role, frameByteCountMax: limits.frameByteCountMax)
        assembler = WebSocketMessageAssembler(limits: limits)
    }

    /// Appends a message of one frame. False if the connection is closing: then it is dropped.
    package mutating func send(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind = .binary, to output: inout ByteQueue
    ) -> Bool {
        guard state == .open else { return false }
        write(payload, opcode: kind == .binary ? .binary : .text, to: &output)
        return true
    }

    /// A payload over 125 bytes is our own mistake.
    package mutating func sendPing(_ payload: [UInt8] = [], to output: inout ByteQueue) {
        precondition(payload.count <= 125, "a ping holds 125 bytes")
        guard state == .open else { return }
        write(payload.span.bytes, opcode: .ping, to: &output)
    }

    /// Says goodbye; the connection is over when the peer has answered.
    package mutating func sendClose(_ close: WebSocketClose, to output: inout ByteQueue) {
        precondition(close.code?.isSendable ?? true, "a code that may stand in a frame")
        guard state == .open else { return }
        state = .closing
        write(close.payload.span.bytes, opcode: .close, to: &output)
    }

    /// Takes bytes as they came from the network. Pongs, the answer to a close, and the last words
    /// after a violation are appended to the output.
    package mutating func receive(
        _ bytes: RawSpan, events: inout [WebSocketEvent], output: inout ByteQueue
    ) {
        bytes.withUnsafeBytes { bytes in
            do throws(WebSocketViolation) {
                try read(bytes, events: &events, output: &output)
            } catch {
                sendClose(
                    WebSocketClose(error.closeCode, reason: error.description), to: &output)
                state = .closed
                events.append(.failed(error))
            }
        }
        if let payload = pingToAnswer {
            pingToAnswer = nil
            if state == .open { write(payload.span.bytes, opcode: .pong, to: &output) }
        }
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer, events: inout [WebSocketEvent], output: inout ByteQueue
    ) throws(WebSocketViolation) {
        var offset = 0
        while state != .closed, let step = try reader.step(bytes, offset: &offset) {
            switch step {
            case .begin(let header):
                if header.opcode.isControl {
                    controlPayload.removeAll(keepingCapacity: true)
                } else {
                    try assembler.begin(header)
                }
            case .payload(let part, let phase, let header, let isLast):
                if header.opcode.isControl {
                    appendControl(part, phase: phase, of: header)
                    if isLast { try endControl(header, events: &events, output: &output) }
                } else {
                    try assembler.append(part, phase: phase, of: header)
                    guard isLast, let message = try assembler.end(header) else { continue }
                    if state == .open { events.append(.message(message)) }
                }
            }
        }
    }

    private mutating func appendControl(
        _ part: UnsafeRawBufferPointer, phase: Int, of header: WebSocketFrameHeader
    ) {
        let start = controlPayload.count
        controlPayload.append(contentsOf: part)
        controlPayload.withUnsafeMutableBytes { bytes in
            let added = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            WebSocketMask.copy(
                UnsafeRawBufferPointer(added), to: added, mask: header.mask, phase: phase)
        }
    }

    private mutating func endControl(
        _ header: WebSocketFrameHeader, events: inout [WebSocketEvent], output: inout ByteQueue
    ) throws(WebSocketViolation) {
        switch header.opcode {
        case .ping:
            pingToAnswer = controlPayload
        case .pong:
            events.append(.pong(controlPayload))
        case .close:
            let close = try WebSocketClose(payload: controlPayload)
            // The peer's code is said back to it.
            sendClose(WebSocketClose(close.code), to: &output)
            state = .closed
            events.append(.closed(close))
        case .continuation, .text, .binary:
            break
        }
    }

    private mutating func write(
        _ payload: RawSpan, opcode: WebSocketOpcode, to output: inout ByteQueue
    ) {
        let mask = (generator?.next()).map { WebSocketMask(key: UInt32(truncatingIfNeeded: $0)) }
        let count = payload.byteCount
        WebSocketFrameHeader(
            isFinal: true, opcode: opcode, payloadCount: UInt64(count), mask: mask
        ).write(to: &output)
        guard let mask else { return output.append(payload) }
        guard count > 0 else { return }
        let room = output.reserve(count)
        payload.withUnsafeBytes { mask.copy($0, to: room, phase: 0) }
    }
}
