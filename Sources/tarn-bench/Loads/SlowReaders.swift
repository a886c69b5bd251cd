import CLinux
import Glibc
import TarnModel
import TarnProtocol
import TarnTransport

/// What subscribers that do not read their socket cost one that does, and the daemon.
///
/// Of two daemons one has a writer and a watcher, the other a thousand more who are subscribed and
/// read nothing. Rounds of commits alternate between them, so that both meet the same machine; who
/// has no round has nothing to do.
struct SlowReaders {
    private let stage: Stage
    private let readers: Int
    private let commits: Int
    private static let rounds = 6
    private static let window = 8
    /// Commits of all tasks, one by one so that none is put together with another: they are more
    /// than a connection holds, in the daemon and in the kernel.
    private static let filling = 60

    init(_ stage: Stage, _ options: Options) {
        self.stage = stage
        readers = options.connections ?? 1_000
        commits = max((options.commits ?? 3_000) / Self.rounds, Self.window)
    }

    func measure(into report: Report) throws(BenchError) {
        let run = try LoopRun()
        let without = try Side(stage, run, name: "without")
        let with = try Side(stage, run, name: "with")
        let resident = ProcessUsage.residentKilobytes(of: with.daemon.process)
        let kernel = KernelMemory.ofSockets
        try with.add(readers, run)
        // Of them, too: what is made once is made.
        for side in [without, with] {
            try side.commit(Self.filling, window: 1, Workload.editAll, run)
        }
        try run.settle()
        for _ in 0..<Self.rounds {
            for side in [without, with] { try side.round(commits, run) }
        }
        let grown = ProcessUsage.residentKilobytes(of: with.daemon.process) - resident
        let kernelGrown = KernelMemory.ofSockets - kernel

        report.add("deliveries-without", without.rate, "1/s")
        report.add("deliveries-with", with.rate, "1/s")
        report.add("change", (with.rate / without.rate - 1) * 100, "%")
        report.add("server-cpu-without", without.cost, "us/commit")
        report.add("server-cpu-with", with.cost, "us/commit")
        report.add("daemon-memory", Double(grown) / Double(readers), "KB/slow connection")
        report.add("kernel-memory", Double(kernelGrown) / Double(readers), "KB/slow connection")
        report.add("commits-behind", Double(with.committed), "commits")
        report.add("groups-to-catch-up", Double(try with.catchUp(run)), "groups")
        for side in [without, with] { try side.stop(run) }
    }

    /// A daemon with a writer and a watcher.
    private final class Side {
        let daemon: DaemonProcess
        private let crowd: Crowd
        private let writer: ProtocolClient
        private let watcher: ProtocolClient
        private let life: TransactionID
        private var slow: [ProtocolClient] = []
        private var number = 0
        /// Since those who do not read stopped reading.
        var committed: Int { number }
        private var delivery: Delivery?
        private var times: [Double] = []
        private var used: Int64 = 0
        private var measured = 0

        init(_ stage: Stage, _ run: LoopRun, name: String) throws(BenchError) {
            daemon = try DaemonProcess(on: stage, name: name)
            crowd = Crowd(run, to: daemon.endpoint, trust: try LoopRun.trust(stage.authority))
            writer = try crowd.founder()
            life = writer.series.last
            let credentials = Credentials.token(writer.token ?? "")
            let watchers = try crowd.add(1, .subscribed, credentials: credentials)
            watcher = watchers[0]
            // Each commit is the realm's next version, so a version says what the watcher has.
            let first = Int(writer.point.version.number)
            var seen = 0
            watcher.whenGroup = { [unowned self] _, group in
                let now = Int(group.to.version.number) - first
                delivery?.received(seen..<max(seen, now))
                seen = max(seen, now)
            }
        }

        /// Connects those who then read nothing.
        func add(_ count: Int, _ run: LoopRun) throws(BenchError) {
            var limits = TransportLimits()
            limits.socketReceiveByteCount = 4_096
            slow = try crowd.add(
                count, .subscribed, credentials: .token(writer.token ?? ""), limits: limits)
            for client in slow { client.pauseReading() }
        }

        /// One of those who have not read reads to the end.
        /// - Returns: in how many groups it got what was written meanwhile.
        func catchUp(_ run: LoopRun) throws(BenchError) -> Int {
            guard let late = slow.first else { return 0 }
            var count = 0
            try run.phase("catching up") {
                late.whenGroup = { [watcher] client, _ in
                    count += 1
                    if client.point == watcher.point { run.finish() }
                }
                late.resumeReading()
            }
            return count
        }

        /// Ends when the watcher has all of it.
        func commit(
            _ count: Int, window: Int = SlowReaders.window,
            _ changes: @escaping (Int, TransactionID) -> [Change], _ run: LoopRun
        ) throws(BenchError) {
            let delivery = Delivery(
                number..<number + count, window: window, to: 1,
                send: { [self] in
                    number += 1
                    writer.commit(changes(number, life))
                }, finished: { run.finish() })
            self.delivery = delivery
            try run.phase("delivering \(count) commits", atMost: .seconds(60)) { delivery.begin() }
        }

        func round(_ count: Int, _ run: LoopRun) throws(BenchError) {
            try commit(SlowReaders.window, Workload.edit, run)
            let before = ProcessUsage.processorTime(of: daemon.process)
            let begin = tarn_monotonic_nanoseconds()
            try commit(count, Workload.edit, run)
            times.append(Double(tarn_monotonic_nanoseconds() - begin) / 1e9)
            used += ProcessUsage.processorTime(of: daemon.process) - before
            measured += count
        }

        /// Deliveries a second, of the round in the middle.
        var rate: Double {
            let sorted = times.sorted()
            let middle = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
            return Double(measured / times.count) / middle
        }

        /// Microseconds of the daemon's processors for a commit.
        var cost: Double { Double(used) / 1000 / Double(measured) }

        func stop(_ run: LoopRun) throws(BenchError) {
            try crowd.disperse()
            daemon.stop()
        }
    }
}
