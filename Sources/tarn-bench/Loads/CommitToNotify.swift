import CLinux
import Glibc
import TarnTransport

/// A writer, the daemon and a watcher, each a process of its own, over TLS: one transaction at a
/// time, from just before the writer sends it to the parsed group at the watcher. It goes in
/// rounds, and after each come some of either floor's, so that all meet the same machine.
struct CommitToNotify {
    private let stage: Stage
    private let count: Int
    private static let warmUp = 200
    private static let rounds = 10

    init(_ stage: Stage, _ options: Options) {
        self.stage = stage
        count = max(options.commits ?? 2_000, Self.rounds)
    }

    func measure(into report: Report) throws(BenchError) {
        let daemon = try DaemonProcess(on: stage, name: "notify")
        let told = try ChildProcess.makePipe()
        let common = [
            "port=\(daemon.endpoint.port)", "authority=\(stage.authority)",
        ]
        let writer = try ChildProcess(
            stage.program, [Role.verb, Role.writer.rawValue] + common, output: .pipe,
            extra: told.reading)
        try writer.expect("ready", from: "writer")
        let watcher = try ChildProcess(
            stage.program, [Role.verb, Role.watcher.rawValue] + common, output: .pipe,
            extra: told.writing)
        close(told.reading)
        close(told.writing)
        try watcher.expect("ready", from: "watcher")

        let disk = try DiskFloor(in: daemon.dataFolder)
        let network = try NetworkFloor(on: stage)
        var used: Int64 = 0
        try Self.write(Self.warmUp, by: writer)
        for round in 0..<Self.rounds {
            let before = ProcessUsage.processorTime(of: daemon.process)
            let (share, rest) = count.quotientAndRemainder(dividingBy: Self.rounds)
            try Self.write(share + (round < rest ? 1 : 0), by: writer)
            used += ProcessUsage.processorTime(of: daemon.process) - before
            try disk.append(100)
            try network.pingPong(300)
        }
        writer.closeInput()
        let written = Self.times(from: writer)
        watcher.closeInput()
        let seen = Self.times(from: watcher)["seen"] ?? [:]
        guard let sent = written["sent"], let received = written["receipt"],
            sent.count == count + Self.warmUp, received.count == sent.count,
            seen.count == sent.count
        else { throw BenchError("Not every transaction arrived.") }

        daemon.stop()
        let notify = Self.differences(from: sent, to: seen)
        report.add("notify", notify, "us")
        report.add("receipt", Self.differences(from: sent, to: received), "us")
        report.add(
            "server-cpu-a-commit", Double(used) / 1000 / Double(count), "us")
        report.add("floor-ping-pong", network.samples, "us")
        report.add("floor-fdatasync", disk.samples, "us")
        let floor = network.samples.percentile(50) + disk.samples.percentile(50)
        report.add("ratio-notify-p50", notify.percentile(50) / floor, "x")
    }

    private static func write(_ count: Int, by writer: ChildProcess) throws(BenchError) {
        writer.writeLine("write \(count)")
        try writer.expect("written", from: "writer")
    }

    /// Lines of `what number nanoseconds`, to the end.
    private static func times(from child: ChildProcess) -> [String: [Int: Int64]] {
        var times: [String: [Int: Int64]] = [:]
        while let line = child.readLine() {
            let words = line.split(separator: " ")
            guard words.count == 3, let number = Int(words[1]), let time = Int64(words[2]) else {
                continue
            }
            times[String(words[0]), default: [:]][number] = time
        }
        return times
    }

    private static func differences(from: [Int: Int64], to: [Int: Int64]) -> Samples {
        var samples = Samples()
        for (number, begin) in from where number > warmUp {
            if let end = to[number] { samples.add(nanoseconds: end - begin) }
        }
        return samples
    }
}
