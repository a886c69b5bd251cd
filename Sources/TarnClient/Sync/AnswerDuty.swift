import TarnProtocol

/// When the server is told what a client has taken in: what is integrated, and which bytes may come
/// again.
///
/// Nobody waits for these answers as long as there is credit, and for a server with many listeners
/// they cost as much as the groups that they answer. So small groups are answered together: after
/// a second, or when they have become many.
package struct AnswerDuty: Sendable {
    /// Milliseconds that an answer may wait.
    package static let delay: Int64 = 1_000
    /// Groups, and so receipts that the server keeps longer than it needs to.
    package static let groupCountMax = 64
    /// Bytes: a quarter of the credit, so that the server never has to wait.
    package static let byteCountMax = UInt64(ProtocolLimits.creditInitial / 4)

    private var owed: UInt64 = 0
    private var groupCount = 0
    private var isFirst = true
    /// When the answer is due, by the steady clock; nil while nothing is owed.
    package private(set) var due: Int64?

    package init() {}

    /// A part has come.
    /// - Returns: whether credit is due already, since its group may be longer than all credit.
    package mutating func took(_ byteCount: UInt64) -> Bool {
        owed += byteCount
        return owed >= Self.byteCountMax
    }

    /// A group is applied.
    /// - Returns: whether the answer is due at once. A session's first group is answered so: one
    ///   that is over within the second confirms at least what those before it have received.
    package mutating func applied(at now: Int64) -> Bool {
        groupCount += 1
        if isFirst || groupCount >= Self.groupCountMax || owed >= Self.byteCountMax {
            isFirst = false
            return true
        }
        if due == nil { due = now + Self.delay }
        return false
    }

    /// The whole answer is given.
    /// - Returns: the bytes to be granted.
    package mutating func answered() -> UInt64 {
        groupCount = 0
        due = nil
        return granted()
    }

    /// Credit alone is given.
    package mutating func granted() -> UInt64 {
        defer { owed = 0 }
        return owed
    }
}
