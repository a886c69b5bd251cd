internal import CLinux
internal import Glibc

/// Wakes a loop at a time: a descriptor that is readable from then on. To wait with a limit would
/// have the kernel set up a timer for every turn, and this one is set only when a deadline comes
/// that is earlier than all that were there.
///
/// It belongs to its loop's thread.
struct LoopAlarm: ~Copyable {
    /// -1 if it could not be made.
    let descriptor: Int32
    /// When it rings, and nobody has heard it yet.
    private(set) var time: MonotonicTime?

    init() {
        descriptor = timerfd_create(
            __clockid_t(CLOCK_MONOTONIC), Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes sure that it rings at this time, or earlier. False if it cannot.
    mutating func set(at time: MonotonicTime, now: MonotonicTime) -> Bool {
        if let earlier = self.time, earlier <= time { return true }
        // Zero would be never.
        let nanoseconds = max(time.nanoseconds - now.nanoseconds, 1)
        var setting = itimerspec()
        setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        guard timerfd_settime(descriptor, 0, &setting, nil) == 0 else { return false }
        self.time = time
        return true
    }

    /// It has rung.
    mutating func hear() {
        var count: UInt64 = 0
        read(descriptor, &count, 8)
        time = nil
    }
}
