import Glibc
import Synchronization
import TarnModel
import TarnSQLite
import TarnStorage
import TarnTesting
import TarnTransport
import Testing

@testable import TarnDaemon

/// When a daemon says that it is not well.
struct HealthTests {
    private static let well = HealthSigns(freeBytes: 1 << 40)

    private static func sick(_ change: (inout HealthSigns) -> Void) -> HealthSigns {
        var signs = well
        change(&signs)
        return signs
    }

    @Test
    func `a daemon that can write and has room is well`() {
        #expect(Self.well.problems(HealthLimits()) == [])
        let busy = Self.sick { $0.logWait = .milliseconds(900) }
        #expect(busy.problems(HealthLimits()) == [])
    }

    @Test(arguments: [
        (sick { $0.isShuttingDown = true }, "shutting down"),
        (sick { $0.isLogWritable = false }, "cannot be written"),
        (sick { $0.logWait = .seconds(5) }, "stuck"),
        (sick { $0.freeBytes = (256 << 20) - 1 }, "full"),
        (sick { $0.freeBytes = 0 }, "full"),
        (sick { $0.freeBytes = nil }, "cannot be looked at"),
        (sick { $0.diskSilence = .seconds(15) }, "does not answer"),
    ])
    func `each trouble is told`(signs: HealthSigns, word: String) {
        let problems = signs.problems(HealthLimits())

        #expect(problems.count == 1)
        #expect(problems.first?.contains(word) == true)
    }

    @Test
    func `without a least free space a full disk alone is no trouble`() {
        var limits = HealthLimits()
        limits.freeBytesMin = 0

        #expect(Self.sick { $0.freeBytes = 0 }.problems(limits) == [])
    }

    /// A daemon's log, disk and judgement without the daemon.
    private final class Ward {
        let log = MoodyLog()
        let loops: [EventLoop]
        let writer: LogWriter
        let disk: DiskWatch
        let monitor: HealthMonitor

        init() throws {
            loops = try ["log", "disk"].map { try EventLoop(name: $0) }
            writer = LogWriter(
                log: log, on: loops[0], metrics: DaemonMetrics(), probeInterval: .milliseconds(5))
            let mood = log
            disk = DiskWatch(on: loops[1], every: .milliseconds(5)) { mood.freeBytes }
            var limits = HealthLimits()
            limits.logWaitMax = .milliseconds(100)
            limits.diskSilenceMax = .milliseconds(100)
            monitor = HealthMonitor(writer: writer, disk: disk, limits: limits)
            try loops[0].startThread()
            try disk.start()
        }

        deinit {
            log.mood.withLock { $0 = .good }
            for loop in loops { loop.stop() }
        }

        func append() { writer.append([]) { _ in } }

        func says(_ text: String?) -> Bool {
            Deadline(seconds: 20).wait {
                let problems = monitor.problems
                guard let text else { return problems.isEmpty }
                return problems.contains { $0.contains(text) }
            }
        }
    }

    @Test
    func `a log that does not come back is told while it is stuck, and forgotten after`() throws {
        let ward = try Ward()
        ward.append()
        #expect(ward.says(nil))

        ward.log.mood.withLock { $0 = .stuck }
        ward.append()

        #expect(ward.says("stuck"))
        #expect(ward.monitor.answer().status == 503)
        ward.log.mood.withLock { $0 = .good }
        #expect(ward.says(nil))
        #expect(ward.monitor.answer() == .json(#"{"healthy":true}"#))
    }

    @Test
    func `a log that could not be written is tried until it can, though nobody writes`() throws {
        let ward = try Ward()
        ward.log.mood.withLock { $0 = .full }
        ward.append()

        #expect(ward.says("cannot be written"))
        ward.log.mood.withLock { $0 = .good }
        #expect(ward.says(nil))
    }

    @Test
    func `a disk that fills up is told, and one that does not answer`() throws {
        let ward = try Ward()
        ward.log.free.store(1 << 20, ordering: .relaxed)
        #expect(ward.says("full"))
        ward.log.free.store(1 << 40, ordering: .relaxed)
        #expect(ward.says(nil))

        ward.log.mood.withLock { $0 = .stuck }
        #expect(ward.says("does not answer"))
        ward.log.mood.withLock { $0 = .good }
        #expect(ward.says(nil))
    }

    @Test
    func `a daemon that shuts down is not well`() throws {
        let ward = try Ward()

        ward.monitor.noteShutdown()

        #expect(
            ward.monitor.answer()
                == .json(
                    status: 503,
                    #"{"healthy":false,"problem":"the daemon is shutting down"}"#))
    }

    @Test
    func `a real log is probed without a change to it`() throws {
        let folder = TemporaryFolder("tarn-probe")
        let log = try SQLiteCommitLog(path: folder.file("commits.tarnlog"))

        try log.probe()
        try log.probe()
        log.close()

        let again = try SQLiteCommitLog(path: folder.file("commits.tarnlog"))
        try again.probe()
        again.close()
        #expect(throws: StorageError.self) { try again.probe() }
    }
}

/// A log, and the disk that it is on, in whatever mood a test wants.
private final class MoodyLog: DurableLog, Sendable {
    enum Mood { case good, full, stuck }

    let mood = Mutex(Mood.good)
    let free = Atomic(1 << 40)

    private func write() throws(StorageError) {
        _ = Deadline(seconds: 60).wait { mood.withLock { $0 } != .stuck }
        guard mood.withLock({ $0 }) == .good else {
            throw StorageError(.unavailable, while: "a test")
        }
    }

    /// Looking at a stuck disk does not come back either.
    var freeBytes: Int? {
        _ = Deadline(seconds: 60).wait { mood.withLock { $0 } != .stuck }
        return free.load(ordering: .relaxed)
    }

    func append(_ batch: [LogRecord]) throws(StorageError) { try write() }
    func probe() throws(StorageError) { try write() }
    func checkpointIfDue(othersWait: Bool) {}
    func records(
        of realm: RealmID, after version: Version, limit: Int
    ) throws(StorageError) -> [LogRecord] { [] }
    func lastVersion(of realm: RealmID) throws(StorageError) -> Version { .zero }
    func record(
        of transaction: TransactionID, in realm: RealmID
    ) throws(StorageError) -> LogRecord? { nil }
    func extent(of realm: RealmID) throws(StorageError) -> LogExtent { .empty }
    func trim(
        _ realm: RealmID, by rule: LogTrim, limit: Int
    ) throws(StorageError) -> Bool { false }
    func close() {}
}
