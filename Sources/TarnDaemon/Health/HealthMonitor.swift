import Synchronization
import TarnTransport

/// Answers whether the daemon is well, from what others have noted: it waits for no disk and for no
/// other thread's work.
final class HealthMonitor: Sendable {
    private let writer: LogWriter
    private let disk: DiskWatch
    private let limits: HealthLimits
    private let shuttingDown = Atomic(false)
    /// The problems that the log was told of last.
    private let told = Mutex<[String]>([])

    init(writer: LogWriter, disk: DiskWatch, limits: HealthLimits) {
        self.writer = writer
        self.disk = disk
        self.limits = limits
    }

    /// From now on it is not healthy, so that nobody sends more clients here.
    func noteShutdown() { shuttingDown.store(true, ordering: .relaxed) }

    /// Tells the log from time to time of what has changed, also if nobody asks; on the thread of a
    /// loop that waits for no disk.
    func report(to log: DaemonLog, on loop: EventLoop, every interval: Duration = .seconds(5)) {
        let problems = self.problems
        let hasChanged = told.withLock { told in
            defer { told = problems }
            return told != problems
        }
        if hasChanged, problems.isEmpty {
            log.info("healthy")
        } else if hasChanged {
            log.warning("unhealthy", ["problem": problems.joined(separator: "; ")])
        }
        loop.schedule(after: interval) { [self] in report(to: log, on: loop, every: interval) }
    }

    var freeBytes: Int? { disk.lastLook(now: .now()).freeBytes }

    var problems: [String] {
        let now = MonotonicTime.now()
        let look = disk.lastLook(now: now)
        return HealthSigns(
            isShuttingDown: shuttingDown.load(ordering: .relaxed),
            isLogWritable: writer.isHealthy, logWait: writer.oldestWaitingSince.map { now - $0 },
            freeBytes: look.freeBytes, diskSilence: look.age
        ).problems(limits)
    }

    /// `{"healthy":true}`, or 503 with the problem. The sentences are our own, and have nothing
    /// that JSON would write otherwise.
    func answer() -> HTTPAnswer {
        let problems = self.problems
        guard !problems.isEmpty else { return .json(#"{"healthy":true}"#) }
        let sentence = problems.joined(separator: "; ")
        return .json(status: 503, #"{"healthy":false,"problem":"\#(sentence)"}"#)
    }
}
