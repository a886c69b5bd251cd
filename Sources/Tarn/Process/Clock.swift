import CLinux
import Glibc
package import TarnClient

/// The machine's clocks: products have them, and hand their readings to the engines.
package enum Clock {
    /// Milliseconds since 1970.
    package static func wall() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Milliseconds since the machine booted, the same in all processes. It stands while the
    /// machine sleeps, so that a lease is not stale on waking.
    package static func steady() -> Int64 { tarn_monotonic_nanoseconds() / 1_000_000 }

    package static func moment() -> Moment { Moment(wall: wall(), steady: steady()) }
}
