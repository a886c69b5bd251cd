/// When a transaction was written: 48 bits of milliseconds since 1970 and 16 of counter, then the
/// replica. Totally ordered, and never equal for two transactions.
package struct Stamp: Hashable, Comparable, Sendable {
    /// Milliseconds in the upper 48 bits, the counter in the lower 16.
    package let ticks: UInt64
    package let replica: ReplicaID

    package init(ticks: UInt64, replica: ReplicaID) {
        self.ticks = ticks
        self.replica = replica
    }

    package var milliseconds: UInt64 { ticks >> 16 }

    /// The ticks of a millisecond's first instant; a time past the year 10889 is that year.
    package static func ticks(milliseconds: Int64) -> UInt64 {
        UInt64(min(max(milliseconds, 0), (1 << 48) - 1)) << 16
    }

    package static func < (left: Stamp, right: Stamp) -> Bool {
        (left.ticks, left.replica) < (right.ticks, right.replica)
    }
}
