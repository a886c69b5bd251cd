internal import CLinux

/// A moment of the machine's steady clock, which neither stands still nor jumps while it is awake.
package struct MonotonicTime: Comparable, Hashable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func now() -> MonotonicTime {
        MonotonicTime(nanoseconds: tarn_monotonic_nanoseconds())
    }

    package static func < (one: MonotonicTime, other: MonotonicTime) -> Bool {
        one.nanoseconds < other.nanoseconds
    }

    /// Durations too long to count end in a far future.
    package static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, tooLong) = whole.addingReportingOverflow(
            time.nanoseconds &+ attoseconds / 1_000_000_000)
        let far: Int64 = seconds < 0 ? .min : .max
        return MonotonicTime(nanoseconds: overflowed || tooLong ? far : sum)
    }

    package static func - (one: MonotonicTime, other: MonotonicTime) -> Duration {
        .nanoseconds(one.nanoseconds &- other.nanoseconds)
    }
}
