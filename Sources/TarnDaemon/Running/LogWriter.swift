import Synchronization
import TarnModel
import TarnSQLite
import TarnStorage
import TarnTransport

/// A commit log as the daemon has it.
protocol DurableLog: CommitLog {
    /// Writes what changes nothing, durably: whether it could.
    func probe() throws(StorageError)
    /// Tidies up after appends, if it is time, and somewhat later while others wait.
    func checkpointIfDue(othersWait: Bool)
    func close()
}

extension SQLiteCommitLog: DurableLog {}

/// The thread that makes records durable. What realms hand in while one sync runs goes into the
/// next one together.
///
/// It crosses threads: `queue` and `isHealthy` are guarded by their own means; the log itself is
/// touched on the writer's loop only. That is why it is Sendable without the compiler's proof.
final class LogWriter: @unchecked Sendable {
    typealias Completion = @Sendable (Result<Void, StorageError>) -> Void

    private struct Job {
        let records: [LogRecord]
        let completion: Completion
        let since: MonotonicTime
    }

    private struct Queue {
        var jobs: [Job] = []
        /// Since when the oldest of what is being written waits.
        var underWaySince: MonotonicTime?
    }

    private let loop: EventLoop
    private let log: any DurableLog
    private let metrics: DaemonMetrics
    private let probeInterval: Duration
    private let queue = Mutex(Queue())
    private let healthy = Atomic(true)
    private var isClosed = false

    init(
        log: any DurableLog, on loop: EventLoop, metrics: DaemonMetrics,
        probeInterval: Duration = .seconds(5)
    ) {
        self.log = log
        self.loop = loop
        self.metrics = metrics
        self.probeInterval = probeInterval
    }

    /// Whether the last append succeeded. After one that did not the log is tried from time to
    /// time: who sends no more clients to an unhealthy daemon would never see it recover otherwise.
    var isHealthy: Bool { healthy.load(ordering: .relaxed) }

    /// Of the records that are not durable yet; nil where there are none. At once, whatever the
    /// disk does.
    var oldestWaitingSince: MonotonicTime? {
        queue.withLock { $0.underWaySince ?? $0.jobs.first?.since }
    }

    /// The completion is called on the writer's thread.
    func append(_ records: [LogRecord], completion: @escaping Completion) {
        let job = Job(records: records, completion: completion, since: .now())
        let isFirst = queue.withLock { queue in
            queue.jobs.append(job)
            return queue.jobs.count == 1
        }
        if isFirst { loop.execute { [self] in write() } }
    }

    /// Forgets slice by slice, so that records that come meanwhile do not wait for all of it.
    func trim(_ realm: RealmID, by rule: LogTrim) {
        loop.execute { [self] in
            guard !isClosed else { return }
            // What could not be trimmed is trimmed the next time.
            guard let isMore = try? log.trim(realm, by: rule, limit: Self.recordsASlice) else {
                return
            }
            checkpointIfDue()
            if isMore { trim(realm, by: rule) }
        }
    }

    private func checkpointIfDue() {
        log.checkpointIfDue(othersWait: queue.withLock { !$0.jobs.isEmpty })
    }

    /// Records that are forgotten at once: a few milliseconds.
    private static let recordsASlice = 50

    /// Calls back once everything handed in before is written, and the log is closed.
    func close(then done: @escaping @Sendable () -> Void) {
        loop.execute { [self] in
            write()
            log.close()
            isClosed = true
            done()
        }
    }

    private func write() {
        let jobs = queue.withLock { queue in
            let jobs = queue.jobs
            queue.jobs = []
            queue.underWaySince = jobs.first?.since
            return jobs
        }
        guard !jobs.isEmpty else { return }
        let records = jobs.flatMap(\.records)
        let start = MonotonicTime.now()
        let result: Result<Void, StorageError>
        do throws(StorageError) {
            try log.append(records)
            metrics.logSyncTime.observe(.now() - start)
            metrics.commits.add(records.count, ordering: .relaxed)
            healthy.store(true, ordering: .relaxed)
            result = .success(())
        } catch {
            result = .failure(error)
            if healthy.exchange(false, ordering: .relaxed) { planProbe() }
        }
        queue.withLock { $0.underWaySince = nil }
        for job in jobs { job.completion(result) }
        checkpointIfDue()
    }

    private func planProbe() {
        loop.schedule(after: probeInterval) { [self] in
            guard !isHealthy, !isClosed else { return }
            do throws(StorageError) {
                try log.probe()
                healthy.store(true, ordering: .relaxed)
            } catch {
                planProbe()
            }
        }
    }
}
