/// Collects the bytes of a head until its empty line has come.
struct HTTPHeadCollector: Sendable {
    private var bytes: [UInt8] = []
    private let limits: TransportLimits

    init(limits: TransportLimits) {
        self.limits = limits
    }

    /// The head and what came after it, or nil while the empty line has not come.
    mutating func receive(
        _ more: RawSpan
    ) throws(HTTPHead.Fault) -> (head: HTTPHead, rest: [UInt8])? {
        // The empty line may have begun in what came before.
        let start = max(0, bytes.count - 3)
        more.withUnsafeBytes { bytes.append(contentsOf: $0) }
        guard let end = Self.endOfHead(bytes, from: start) else {
            guard bytes.count <= limits.httpHeadByteCountMax else { throw .tooLong }
            return nil
        }
        guard end <= limits.httpHeadByteCountMax else { throw .tooLong }
        let head = try HTTPHead(
            bytes[..<(end - 2)], headerCountMax: limits.httpHeaderCountMax)
        return (head, Array(bytes[end...]))
    }

    private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + 4 <= bytes.count {
            if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13,
                bytes[index + 3] == 10
            {
                return index + 4
            }
            index += 1
        }
        return nil
    }
}
