import CLinux
import Glibc
import TarnModel
import TarnProtocol
import TarnTransport

/// A few writers commit one change each, all the time, to a realm; in every other round somebody
/// else commits transactions of the largest size to it, one after the other. The writers keep to a
/// schedule, whatever becomes of what they sent before, so that who is held back is seen.
struct LargestCommit {
    private let stage: Stage
    private let writers: Int
    private let rounds: Int
    private let changes: Int
    private let bytes: Int
    private let creates: Bool
    private static let interval = Duration.milliseconds(20)
    private static let quietTime = Duration.seconds(1)
    private static let busyTime = Duration.seconds(3)
    /// Of some sixty bytes each, or seventy where objects are made.
    private static let changesOfLargest = TransactionLimits.weightMax * 14 / 15

    init(_ stage: Stage, _ options: Options) {
        self.stage = stage
        writers = options.connections ?? 4
        rounds = options.rounds ?? 4
        changes = options.changes ?? Self.changesOfLargest
        bytes = options.bytes ?? 8
        creates = options.creates
    }

    func measure(into report: Report) throws(BenchError) {
        let daemon = try DaemonProcess(on: stage, name: "largest")
        let run = try LoopRun()
        let crowd = Crowd(run, to: daemon.endpoint, trust: try LoopRun.trust(stage.authority))
        let founder = try crowd.founder()
        let clients = try crowd.add(
            writers, .opened, credentials: .token(founder.token ?? ""))
        let life = founder.series.last
        let small = clients.map { SmallWriter($0, run.loop, life: life) }
        let bulk = try ChildProcess(
            stage.program,
            [
                Role.verb, Role.bulkWriter.rawValue, "port=\(daemon.endpoint.port)",
                "authority=\(stage.authority)", "changes=\(changes)", "bytes=\(bytes)",
                "creates=\(creates ? 1 : 0)",
            ], output: .pipe)
        try bulk.expect("ready", from: "bulk writer")

        for writer in small { writer.start(every: Self.interval) }
        var alone = Samples()
        var beside = Samples()
        var large = Samples()
        var used: Int64 = 0
        for _ in 0..<rounds {
            alone.add(contentsOf: try Self.samples(of: small, for: Self.quietTime, run))
            let before = ProcessUsage.processorTime(of: daemon.process)
            bulk.writeLine("go")
            beside.add(contentsOf: try Self.samples(of: small, for: Self.busyTime, run))
            bulk.writeLine("rest")
            try Self.note(bulk.readLine(), in: &large)
            used += ProcessUsage.processorTime(of: daemon.process) - before
            try run.settle()
            _ = small.map { $0.take() }
        }
        for writer in small { writer.stop() }
        try crowd.disperse()
        bulk.closeInput()
        daemon.stop()
        guard large.count > 0 else { throw BenchError("No large transaction was decided.") }
        report.add("alone", alone, "us")
        report.add("alone-max", alone.max, "us")
        report.add("beside", beside, "us")
        report.add("beside-max", beside.max, "us")
        report.add("large", large, "us")
        report.add("large-transactions", Double(large.count), "")
        let decided = Double(large.count * changes)
        report.add("server-cpu-a-change", Double(used) / 1000 / decided, "us")
        report.add(
            "rise-p99", (beside.percentile(99) - alone.percentile(99)) / 1000, "ms")
        report.add("ratio-p99", beside.percentile(99) / alone.percentile(99), "x")
    }

    private static func samples(
        of writers: [SmallWriter], for time: Duration, _ run: LoopRun
    ) throws(BenchError) -> Samples {
        try run.phase("writing") { run.loop.schedule(after: time) { run.finish() } }
        var samples = Samples()
        for writer in writers { samples.add(contentsOf: writer.take()) }
        return samples
    }

    private static func note(_ line: String?, in samples: inout Samples) throws(BenchError) {
        let words = (line ?? "").split(separator: " ")
        guard words.first == "rested" else { throw BenchError("The bulk writer has ended.") }
        for word in words.dropFirst() {
            if let time = Int64(word) { samples.add(nanoseconds: time) }
        }
    }
}

/// One that commits a change at each tick.
private final class SmallWriter {
    private let client: ProtocolClient
    private let loop: EventLoop
    private let life: TransactionID
    private var number = 0
    /// When what has no receipt yet was sent, by sequence.
    private var sent: [UInt64: Int64] = [:]
    private var samples = Samples()
    private var timer: LoopTimer?

    init(_ client: ProtocolClient, _ loop: EventLoop, life: TransactionID) {
        self.client = client
        self.loop = loop
        self.life = life
        client.whenGroup = { [unowned self] _, group in
            let now = tarn_monotonic_nanoseconds()
            for receipt in group.receipts {
                guard let begin = sent.removeValue(forKey: receipt.sequence) else { continue }
                samples.add(nanoseconds: now - begin)
            }
        }
    }

    func start(every interval: Duration) {
        timer = loop.schedule(after: interval) { [unowned self] in
            number += 1
            client.commit(Workload.edit(number: number, life: life))
            sent[client.series.last.sequence] = tarn_monotonic_nanoseconds()
            start(every: interval)
        }
    }

    func stop() { timer?.cancel() }

    /// What was measured since the last time.
    func take() -> Samples {
        defer { samples = Samples() }
        return samples
    }
}
