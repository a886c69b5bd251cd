/// One end of a WebSocket after the HTTP upgrade (RFC 6455): bytes in, events and bytes out. It
/// has no socket and no clock.
///
///     open ── sendClose ──▶ closing ── peer's close, or a violation ──▶ closed
///       └── peer's close, or a violation ──▶ parting ── sendLastWords ──▶ closed
///
/// Received bytes give the same events however they were cut on their way.
package struct WebSocketConnection: Sendable {
    package enum Role: Sendable { case server, client }

    package enum State: Sendable {
        case open
        /// Our close is out; the peer's is awaited, and messages that come before it are dropped.
        case closing
        /// The peer has said its last words or broken the rules. Nothing more is read, and ours are
        /// owed: after the answers to the messages that came before.
        case parting
        case closed
    }

    package private(set) var state = State.open

    /// Of a client's masking keys.
    private var generator: (any RandomNumberGenerator & Sendable)?
    private var reader: WebSocketFrameReader
    private var assembler: WebSocketMessageAssembler
    /// Of a message of one frame.
    private let wholeByteCountMax: Int
    private var controlPayload: [UInt8] = []
    /// A ping for whose answer there was no room yet.
    private var pingToAnswer: [UInt8]?
    /// What `parting` owes to the peer.
    private var lastWords: WebSocketClose?

    /// Every ping is answered while less than this waits to be sent; of those that come to more the
    /// last one is, as section 5.5.3 allows. So pings cannot flood us.
    private static let pongRoom = 65_536

    /// The generator makes masking keys, which must not be foreseen; tests give one with a seed.
    package init(
        role: Role, limits: TransportLimits = TransportLimits(),
        generator: (any RandomNumberGenerator & Sendable)? = nil
    ) {
        self.generator = role == .client ? generator ?? SecureGenerator() : nil
        reader = WebSocketFrameReader(role: role, frameByteCountMax: limits.frameByteCountMax)
        assembler = WebSocketMessageAssembler(limits: limits)
        wholeByteCountMax = min(limits.frameByteCountMax, limits.messageByteCountMax)
    }

    /// Whether more bytes of the peer mean anything.
    package var isReading: Bool { state == .open || state == .closing }

    private var maySend: Bool { state == .open || state == .parting }

    /// Appends a message of one frame. False if our close is out: then it is dropped.
    @inline(__always)
    package mutating func send(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind = .binary, to output: inout ByteQueue
    ) -> Bool {
        guard maySend else { return false }
        write(payload, opcode: kind == .binary ? .binary : .text, to: &output)
        return true
    }

    /// A payload over 125 bytes is our own mistake.
    package mutating func sendPing(_ payload: [UInt8] = [], to output: inout ByteQueue) {
        precondition(payload.count <= 125, "a ping holds 125 bytes")
        guard state == .open else { return }
        write(payload.span.bytes, opcode: .ping, to: &output)
    }

    /// Says goodbye; the connection is over when the peer has answered, or had said it before.
    package mutating func sendClose(_ close: WebSocketClose, to output: inout ByteQueue) {
        precondition(close.code?.isSendable ?? true, "a code that may stand in a frame")
        guard maySend else { return }
        state = state == .open ? .closing : .closed
        write(close.payload.span.bytes, opcode: .close, to: &output)
    }

    /// Answers the peer's close, or tells it what it did wrong. The owner calls it when it has done
    /// with what came before, so that answers to messages still go out.
    package mutating func sendLastWords(to output: inout ByteQueue) {
        guard state == .parting, let lastWords else { return }
        sendClose(lastWords, to: &output)
    }

    private mutating func part(with words: WebSocketClose) {
        if state == .open { lastWords = words }
        state = state == .open ? .parting : .closed
    }

    /// What the bytes at `offset` mean, and moves it past them; nil when more must come first.
    /// Whoever calls goes on until then, and has nothing else to look at the bytes for: a message
    /// that is all here is unmasked where it lies, and shown there. Pongs are appended to the
    /// output.
    ///
    /// Inlined into the loop over what has come: a frame then takes a sixth less.
    @inline(__always)
    mutating func next(
        _ bytes: UnsafeMutableRawBufferPointer, offset: inout Int, output: inout ByteQueue
    ) -> WebSocketInput? {
        do throws(WebSocketViolation) {
            return try read(bytes, offset: &offset, output: &output)
        } catch {
            part(with: WebSocketClose(error.closeCode, reason: error.description))
            return .failed(error)
        }
    }

    /// Answers a ping that had to wait, if there is room by now. True if it did.
    mutating func answerPing(to output: inout ByteQueue) -> Bool {
        guard let payload = pingToAnswer, output.count < Self.pongRoom else { return false }
        pingToAnswer = nil
        guard maySend else { return false }
        write(payload.span.bytes, opcode: .pong, to: &output)
        return true
    }

    @inline(__always)
    private mutating func read(
        _ bytes: UnsafeMutableRawBufferPointer, offset: inout Int, output: inout ByteQueue
    ) throws(WebSocketViolation) -> WebSocketInput? {
        while isReading {
            guard let header = reader.current else {
                if reader.isBetweenFrames, assembler.isIdle,
                    let frame = WholeFrame(
                        bytes, at: offset, isMasked: reader.role == .server,
                        byteCountMax: wholeByteCountMax)
                {
                    offset = frame.range.upperBound
                    if let input = try take(frame, of: bytes) { return input }
                    continue
                }
                guard let header = try reader.takeHeader(bytes, offset: &offset) else { break }
                if header.opcode.isControl {
                    controlPayload.removeAll(keepingCapacity: true)
                } else {
                    try assembler.begin(header)
                }
                continue
            }
            guard let part = reader.takePart(of: header, bytes, offset: &offset) else { break }
            let payload = UnsafeRawBufferPointer(part.bytes)
            if header.opcode.isControl {
                appendControl(payload, phase: part.phase, of: header)
                if header.opcode == .close {
                    try WebSocketClose.check(controlPayload, ofByteCount: header.payloadCount)
                }
                guard part.isLast else { continue }
                if let input = try endControl(header, output: &output) { return input }
            } else {
                try assembler.append(payload, phase: part.phase, of: header)
                guard part.isLast, let message = try assembler.end(header) else { continue }
                if state == .open { return .assembled(message) }
            }
        }
        return nil
    }

    /// A message of one frame that is all here: it is never copied. Nil if it is not wanted.
    @inline(__always)
    private func take(
        _ frame: WholeFrame, of bytes: UnsafeMutableRawBufferPointer
    ) throws(WebSocketViolation) -> WebSocketInput? {
        let room = UnsafeMutableRawBufferPointer(rebasing: bytes[frame.range])
        let payload = UnsafeRawBufferPointer(room)
        WebSocketMask.copy(payload, to: room, mask: frame.mask, phase: 0)
        if frame.kind == .text {
            var validator = UTF8Validator()
            guard validator.accept(payload), validator.isComplete else { throw .invalidText }
        }
        return state == .open ? .message(frame.kind, payload) : nil
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
        _ header: WebSocketFrameHeader, output: inout ByteQueue
    ) throws(WebSocketViolation) -> WebSocketInput? {
        switch header.opcode {
        case .ping:
            pingToAnswer = controlPayload
            _ = answerPing(to: &output)
            return nil
        case .pong:
            return .pong(controlPayload)
        case .close:
            let close = try WebSocketClose(payload: controlPayload)
            // The peer's code is said back to it.
            part(with: WebSocketClose(close.code))
            return .closed(close)
        case .continuation, .text, .binary:
            return nil
        }
    }

    @inline(__always)
    private mutating func write(
        _ payload: RawSpan, opcode: WebSocketOpcode, to output: inout ByteQueue
    ) {
        let mask = (generator?.next()).map { WebSocketMask(key: UInt32(truncatingIfNeeded: $0)) }
        let header = WebSocketFrameHeader(
            isFinal: true, opcode: opcode, payloadCount: UInt64(payload.byteCount), mask: mask)
        let headerCount = header.byteCount
        let room = output.reserve(headerCount + payload.byteCount)
        header.write(to: room)
        payload.withUnsafeBytes { bytes in
            let target = room + headerCount
            if let mask {
                mask.copy(bytes, to: target, phase: 0)
            } else if let start = bytes.baseAddress {
                target.copyMemory(from: start, byteCount: bytes.count)
            }
        }
    }
}
