/// Puts messages together from the fragments of data frames. The payload is unmasked on its way
/// into the message: it is copied once.
struct WebSocketMessageAssembler: Sendable {
    private let messageByteCountMax: Int
    private let fragmentCountMax: Int
    /// Of the message that was begun; nil between messages.
    private var kind: WebSocketMessage.Kind?
    private var payload: [UInt8] = []
    private var fragmentCount = 0
    private var validator = UTF8Validator()

    /// What is allocated for bytes that were announced but have not come.
    private static let promisedByteCountMax = 16_384

    init(limits: TransportLimits) {
        messageByteCountMax = limits.messageByteCountMax
        fragmentCountMax = limits.fragmentCountMax
    }

    /// Whether no message was begun.
    var isIdle: Bool { kind == nil }

    mutating func begin(_ header: WebSocketFrameHeader) throws(WebSocketViolation) {
        if header.opcode == .continuation {
            guard kind != nil else { throw .unexpectedContinuation }
            fragmentCount += 1
        } else {
            guard kind == nil else { throw .unfinishedMessage }
            kind = header.opcode == .text ? .text : .binary
            fragmentCount = 1
            validator = UTF8Validator()
        }
        guard fragmentCount <= fragmentCountMax else { throw .tooManyFragments }
        // Not by a sum, which might be more than there are numbers.
        guard Int(header.payloadCount) <= messageByteCountMax - payload.count
        else { throw .messageTooLong }
    }

    mutating func append(
        _ part: UnsafeRawBufferPointer, phase: Int, of header: WebSocketFrameHeader
    ) throws(WebSocketViolation) {
        guard part.count > 0 else { return }
        let start = payload.count
        if start == 0 {
            // A frame that is all here gets exact room; a promise of bytes gets some.
            let promised = min(Int(header.payloadCount), Self.promisedByteCountMax)
            payload = [UInt8](unsafeUninitializedCapacity: max(part.count, promised)) {
                room, count in
                WebSocketMask.copy(
                    part, to: UnsafeMutableRawBufferPointer(room), mask: header.mask, phase: phase)
                count = part.count
            }
        } else {
            grow(by: part.count, of: header, phase: phase)
            payload.append(contentsOf: part)
            payload.withUnsafeMutableBytes { bytes in
                let added = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
                WebSocketMask.copy(
                    UnsafeRawBufferPointer(added), to: added, mask: header.mask, phase: phase)
            }
        }
        guard kind == .text else { return }
        let isText = payload.withUnsafeBytes { bytes in
            validator.accept(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
        guard isText else { throw .invalidText }
    }

    /// Doubles the room when it is used up, so that a long message is copied about once; but not
    /// beyond the message's end, when that is known.
    private mutating func grow(by count: Int, of header: WebSocketFrameHeader, phase: Int) {
        let needed = payload.count + count
        guard needed > payload.capacity else { return }
        let end = payload.count - phase + Int(header.payloadCount)
        payload.reserveCapacity(header.isFinal ? min(needed * 2, end) : needed * 2)
    }

    /// The message, if this fragment was its last.
    mutating func end(
        _ header: WebSocketFrameHeader
    ) throws(WebSocketViolation) -> WebSocketMessage? {
        guard header.isFinal, let kind else { return nil }
        guard kind == .binary || validator.isComplete else { throw .invalidText }
        defer {
            self.kind = nil
            payload = []
        }
        return WebSocketMessage(kind, payload)
    }
}
