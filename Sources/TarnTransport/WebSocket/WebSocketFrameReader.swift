/// Cuts a stream of bytes into frames, whose payload it passes on as it comes: a long frame is
/// never collected here.
struct WebSocketFrameReader: Sendable {
    /// A part of a frame's payload, still masked.
    struct Part {
        let bytes: UnsafeMutableRawBufferPointer
        /// How many bytes of the payload came before.
        let phase: Int
        /// Every frame has a last part, which may be empty.
        let isLast: Bool
    }

    let role: WebSocketConnection.Role
    private let frameByteCountMax: Int
    /// The beginning of a header whose end has not come.
    private var partialHeader: [UInt8] = []
    /// The frame whose payload is not all there.
    private(set) var current: WebSocketFrameHeader?
    private var receivedCount = 0

    /// Whether the next byte begins a frame.
    var isBetweenFrames: Bool { current == nil && partialHeader.isEmpty }

    init(role: WebSocketConnection.Role, frameByteCountMax: Int) {
        self.role = role
        self.frameByteCountMax = frameByteCountMax
    }

    /// The header that begins at `bytes[offset]`, which is then the current one, or nil when more
    /// bytes must come first.
    mutating func takeHeader(
        _ bytes: UnsafeMutableRawBufferPointer, offset: inout Int
    ) throws(WebSocketViolation) -> WebSocketFrameHeader? {
        guard offset < bytes.count else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        guard let (header, taken) = try readHeader(rest) else { return nil }
        offset += taken
        try check(header)
        current = header
        receivedCount = 0
        return header
    }

    /// What is there of the current frame's payload, or nil when more bytes must come first.
    mutating func takePart(
        of header: WebSocketFrameHeader, _ bytes: UnsafeMutableRawBufferPointer, offset: inout Int
    ) -> Part? {
        // The count was checked against the limit, so it is small.
        let missing = Int(header.payloadCount) - receivedCount
        let taken = min(missing, bytes.count - offset)
        guard taken > 0 || missing == 0 else { return nil }
        let part = Part(
            bytes: UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + taken)]),
            phase: receivedCount, isLast: taken == missing)
        offset += taken
        receivedCount += taken
        if part.isLast { current = nil }
        return part
    }

    private mutating func readHeader(
        _ bytes: UnsafeRawBufferPointer
    ) throws(WebSocketViolation) -> (WebSocketFrameHeader, Int)? {
        if partialHeader.isEmpty {
            if let (header, count) = try WebSocketFrameHeader.read(bytes.bytes) {
                return (header, count)
            }
            partialHeader.append(contentsOf: bytes)
            return nil
        }
        let before = partialHeader.count
        partialHeader.append(contentsOf: bytes.prefix(WebSocketFrameHeader.byteCountMax - before))
        guard let (header, count) = try WebSocketFrameHeader.read(partialHeader.span.bytes)
        else { return nil }
        partialHeader.removeAll(keepingCapacity: true)
        return (header, count - before)
    }

    private func check(_ header: WebSocketFrameHeader) throws(WebSocketViolation) {
        switch role {
        case .server: guard header.mask != nil else { throw .unmaskedClient }
        case .client: guard header.mask == nil else { throw .maskedServer }
        }
        guard header.payloadCount <= UInt64(frameByteCountMax) else { throw .frameTooLong }
    }
}
