import TarnModel
import TarnStorage

/// When a realm forgets what of its past, by the policy: a little after each turn, so that nobody
/// waits for it.
struct HistoryKeeper {
    let policy: HistoryPolicy
    /// The store may have more to free.
    private(set) var isBehind = true
    /// When the policy was asked last, and how far the realm was then.
    private var asked: (milliseconds: Int64, version: Version)?
    /// Turns that were too busy since something was freed.
    private var busyTurns = 0

    init(policy: HistoryPolicy) { self.policy = policy }

    private static let secondMilliseconds: Int64 = 1_000
    private static let minuteMilliseconds: Int64 = 60_000
    private static let dayMilliseconds: Int64 = 86_400_000

    /// Whether there is anything to do after a turn.
    /// - Parameter isBusy: others wait for the next turn.
    mutating func isDue(now: Int64, applied: Version, isBusy: Bool) -> Bool {
        guard isBehind || isToAsk(now: now, applied: applied) else { return false }
        busyTurns += 1
        guard !isBusy || busyTurns >= ServerLimits.turnsAHistorySlice else { return false }
        busyTurns = 0
        return true
    }

    private func isToAsk(now: Int64, applied: Version) -> Bool {
        guard let asked else { return true }
        // A clock that was put back is no reason to wait.
        return now < asked.milliseconds || now - asked.milliseconds >= Self.secondMilliseconds
            || applied.number - min(applied.number, asked.version.number) >= versionsAStep
    }

    /// The floor moves by some versions at once, since each move costs a look at the views.
    private var versionsAStep: UInt64 { UInt64(max(1, policy.versions / 64)) }

    /// A slice of the work. In a storage transaction.
    /// - Parameter liveViews: the views that somebody listens to.
    mutating func work(
        on store: any RealmStore, now: Int64, liveViews: [Int64]
    ) throws(StorageError) {
        if isToAsk(now: now, applied: store.applied.version) {
            asked = (now, store.applied.version)
            try noteMoment(now, store)
            let floor = try wantedFloor(now, store)
            if floor > store.floor {
                // What is listened to is kept up, whatever the floor.
                for view in liveViews {
                    try store.setMaintained(store.applied.version, of: view)
                }
                try store.advanceFloor(to: floor)
                isBehind = true
            }
        }
        if isBehind { isBehind = try store.prune(limit: ServerLimits.rowsAHistorySlice) }
    }

    /// What is older than it may be, or beyond the number that may be.
    private func wantedFloor(_ now: Int64, _ store: any RealmStore) throws(StorageError) -> Version
    {
        let applied = store.applied.version
        let age = Int64(policy.days) * Self.dayMilliseconds
        let byAge =
            policy.days == 0
            ? applied : try store.version(at: now.subtractingReportingOverflow(age).partialValue)
        let kept = UInt64(clamping: policy.versions)
        let byCount = Version(applied.number - min(applied.number, kept))
        let step = byCount.number - min(byCount.number, store.floor.number)
        return min(step >= versionsAStep ? max(byAge, byCount) : byAge, applied)
    }

    /// Often enough that the age is told to a sixty-fourth.
    private func noteMoment(_ now: Int64, _ store: any RealmStore) throws(StorageError) {
        guard policy.days > 0 else { return }
        let interval = max(
            Self.minuteMilliseconds, Int64(policy.days) * Self.dayMilliseconds / 64)
        if let last = try store.lastMoment() {
            let (elapsed, isFar) = now.subtractingReportingOverflow(last.milliseconds)
            guard store.applied.version > last.version,
                isFar || elapsed < 0 || elapsed >= interval
            else { return }
        }
        try store.noteMoment(now)
    }
}
