/// A server's side of HTTP/1.1 on one connection (RFC 9112): one request after the other, also of
/// those that come at once, each answered before the next is looked at. It has no socket.
struct HTTPConversation: Sendable {
    /// The last answer was given; what comes now is not looked at.
    private(set) var isOver = false

    private var collector: HTTPHeadCollector
    private var answeredCount = 0
    private var hasSkippedLine = false
    private var lastMethodIsHead = false
    private let limits: TransportLimits
    private let now: @Sendable () -> HTTPDate

    init(limits: TransportLimits, now: @escaping @Sendable () -> HTTPDate = HTTPDate.now) {
        collector = HTTPHeadCollector(limits: limits)
        self.limits = limits
        self.now = now
    }

    mutating func receive(_ bytes: RawSpan) {
        if !isOver { collector.append(bytes) }
    }

    /// The next request that is all there. One that makes no sense is answered here.
    mutating func nextRequest(output: inout [UInt8]) -> HTTPRequest? {
        guard !isOver else { return nil }
        do throws(HTTPAnswer) {
            guard let head = try nextHead() else { return nil }
            return try HTTPRequest(head)
        } catch {
            finish(error, isHead: lastMethodIsHead, isLast: true, output: &output)
            return nil
        }
    }

    /// Answers the request that was asked for last.
    mutating func answer(_ request: HTTPRequest, _ answer: HTTPAnswer, output: inout [UInt8]) {
        answeredCount += 1
        hasSkippedLine = false
        let isLast =
            request.isLast || answer.mustBeLast || answeredCount >= limits.httpRequestCountMax
        finish(answer, isHead: request.isHead, isLast: isLast, output: &output)
    }

    /// What came after the last request: the first bytes of another protocol.
    mutating func takeRest() -> [UInt8] { collector.takeRest() }

    private mutating func nextHead() throws(HTTPAnswer) -> HTTPHead? {
        // One empty line too many is forgiven (RFC 9112, section 2.2).
        if !hasSkippedLine { hasSkippedLine = collector.skipEmptyLine() }
        // What cannot be read may still be a HEAD, whose answer has no body. It is looked at before
        // the head is taken: what then comes first is another request.
        lastMethodIsHead = collector.begins(with: "HEAD ")
        guard !collector.begins(with: "\r\n") else {
            throw .refusal(400, "The request has no request line.")
        }
        do throws(HTTPHead.Fault) {
            return try collector.takeHead()
        } catch {
            switch error {
            case .tooLong: throw .refusal(431, "The request's head is too long.")
            case .malformed(let why): throw .refusal(400, "The request is malformed: \(why).")
            }
        }
    }

    private mutating func finish(
        _ answer: HTTPAnswer, isHead: Bool, isLast: Bool, output: inout [UInt8]
    ) {
        output += answer.bytes(isHead: isHead, isLast: isLast, date: now())
        guard isLast else { return }
        isOver = true
        _ = collector.takeRest()
    }
}
