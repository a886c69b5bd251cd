/// Collects the bytes of heads until their empty line has come; what comes behind one waits here.
struct HTTPHeadCollector: Sendable {
    private var bytes: [UInt8] = []
    /// Up to here no empty line ends.
    private var searched = 0
    private let limits: TransportLimits

    init(limits: TransportLimits) {
        self.limits = limits
    }

    /// The head and what came after it, or nil while the empty line has not come.
    mutating func receive(
        _ more: RawSpan
    ) throws(HTTPHead.Fault) -> (head: HTTPHead, rest: [UInt8])? {
        append(more)
        guard let head = try takeHead() else { return nil }
        return (head, takeRest())
    }

    mutating func append(_ more: RawSpan) {
        more.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// The first head, which is then gone from here; nil while it is not all there.
    mutating func takeHead() throws(HTTPHead.Fault) -> HTTPHead? {
        guard let end = endOfHead() else {
            guard bytes.count <= limits.httpHeadByteCountMax else { throw .tooLong }
            return nil
        }
        guard end <= limits.httpHeadByteCountMax else { throw .tooLong }
        let head = try HTTPHead(
            bytes[..<(end - 2)], headerCountMax: limits.httpHeaderCountMax)
        removeFirst(end)
        return head
    }

    /// All that came after the heads that were taken.
    mutating func takeRest() -> [UInt8] {
        let rest = bytes
        removeFirst(bytes.count)
        return rest
    }

    var isEmpty: Bool { bytes.isEmpty }

    func begins(with text: String) -> Bool { bytes.starts(with: text.utf8) }

    /// Drops an empty line before a head.
    mutating func skipEmptyLine() -> Bool {
        guard begins(with: "\r\n") else { return false }
        removeFirst(2)
        return true
    }

    private mutating func removeFirst(_ count: Int) {
        // A new array, since what waits between two requests should cost no memory.
        bytes = count == bytes.count ? [] : Array(bytes[count...])
        searched = 0
    }

    private mutating func endOfHead() -> Int? {
        var index = searched
        while index + 4 <= bytes.count {
            if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13,
                bytes[index + 3] == 10
            {
                return index + 4
            }
            index += 1
        }
        searched = index
        return nil
    }
}
