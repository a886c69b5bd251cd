import Synchronization
import TarnModel
import TarnSQLite
import TarnStorage
import TarnTransport

/// The thread that makes records durable. What realms hand in while one sync runs goes into the
/// next one together.
///
/// It crosses threads: `waiting` and `isHealthy` are guarded by their own means; the log itself is
/// touched on the writer's loop only. That is why it is Sendable without the compiler's proof.
final class LogWriter: @unchecked Sendable {
    typealias Completion = @Sendable (Result<Void, StorageError>) -> Void

    private struct Job {
        let records: [LogRecord]
        let completion: Completion
    }

    private let loop: EventLoop
    private let log: SQLiteCommitLog
    private let waiting = Mutex<[Job]>([])
    private let healthy = Atomic(true)

    init(log: SQLiteCommitLog, on loop: EventLoop) {
        self.log = log
        self.loop = loop
    }

    /// Whether the last append succeeded.
    var isHealthy: Bool { healthy.load(ordering: .relaxed) }

    /// The completion is called on the writer's thread.
    func append(_ records: [LogRecord], completion: @escaping Completion) {
        let isFirst = waiting.withLock { jobs in
            jobs.append(Job(records: records, completion: completion))
            return jobs.count == 1
        }
        if isFirst { loop.execute { [self] in write() } }
    }

    func trim(_ realm: RealmID, through version: Version) {
        loop.execute { [self] in
            // What could not be trimmed is trimmed the next time.
            try? log.trim(realm, through: version)
        }
    }

    /// Calls back once everything handed in before is written, and the log is closed.
    func close(then done: @escaping @Sendable () -> Void) {
        loop.execute { [self] in
            write()
            log.close()
            done()
        }
    }

    private func write() {
        let jobs = waiting.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        guard !jobs.isEmpty else { return }
        let result: Result<Void, StorageError>
        do throws(StorageError) {
            try log.append(jobs.flatMap(\.records))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        if case .success = result {
            healthy.store(true, ordering: .relaxed)
        } else {
            healthy.store(false, ordering: .relaxed)
        }
        for job in jobs { job.completion(result) }
    }
}
