/// A point in time: seconds and nanoseconds since 1970, exact from Swift's `distantPast` to its
/// `distantFuture`, which do not fit 64 bits of nanoseconds.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Rounded down, so that nanoseconds always count forward.
    package let seconds: Int64
    /// 0 to 999,999,999.
    package let nanoseconds: Int32

    /// Nil where the nanoseconds are not below a second.
    package init?(seconds: Int64, nanoseconds: Int32) {
        guard (0..<1_000_000_000).contains(nanoseconds) else { return nil }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package init(milliseconds: Int64) {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        seconds = remainder < 0 ? quotient - 1 : quotient
        nanoseconds = Int32(remainder < 0 ? remainder + 1000 : remainder) * 1_000_000
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
