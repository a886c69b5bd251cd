import CLinux
import Glibc
import TarnTransport

/// What handshakes cost the daemon, and what somebody who is connected feels of many of them. The
/// daemon, the one who pings and those who shake hands are a process each.
struct Handshakes {
    private let stage: Stage
    private let count: Int
    private static let pings = 1_000

    init(_ stage: Stage, _ options: Options) {
        self.stage = stage
        count = options.connections ?? 200
    }

    func measure(into report: Report) throws(BenchError) {
        let daemon = try DaemonProcess(on: stage, name: "handshakes")
        let common = ["port=\(daemon.endpoint.port)", "authority=\(stage.authority)"]
        let pinger = try ChildProcess(
            stage.program, [Role.verb, Role.pinger.rawValue] + common, output: .pipe)
        try pinger.expect("ready", from: "pinger")
        _ = try Self.ping(100, by: pinger)
        report.add("ping-alone", try Self.ping(Self.pings, by: pinger), "us")
        for (name, resumes) in [("full", 0), ("resumed", 1)] {
            let crowd = try ChildProcess(
                stage.program,
                [
                    Role.verb, Role.handshakeCrowd.rawValue, "count=\(count)", "resumes=\(resumes)",
                ] + common, output: .pipe)
            try crowd.expect("ready", from: "crowd")
            // Until as many are under way as shall be, and what is made once is made.
            usleep(1_000_000)
            let before = try Self.progress(of: crowd)
            let usedBefore = ProcessUsage.processorTime(of: daemon.process)
            let begin = tarn_monotonic_nanoseconds()
            let samples = try Self.ping(Self.pings, by: pinger)
            let time = tarn_monotonic_nanoseconds() - begin
            let used = ProcessUsage.processorTime(of: daemon.process) - usedBefore
            let after = try Self.progress(of: crowd)
            crowd.end(by: SIGKILL)
            let done = Double(max(after[0] - before[0], 1))
            report.add("ping-\(name)", samples, "us")
            report.add("handshakes-\(name)", done / (Double(time) / 1e9), "/s")
            report.add("server-cpu-\(name)", Double(used) / 1000 / done, "us/handshake")
            report.add("share-\(name)-resumed", Double(after[1] - before[1]) / done, "of 1")
            report.add("failed-\(name)", Double(after[2] - before[2]), "handshakes")
        }
        pinger.closeInput()
        daemon.stop()
    }

    private static func ping(_ count: Int, by pinger: ChildProcess) throws(BenchError) -> Samples {
        var samples = Samples()
        pinger.writeLine("ping \(count)")
        while let line = pinger.readLine(), line != "done" {
            if let time = Int64(line) { samples.add(nanoseconds: time) }
        }
        guard samples.count == count else { throw BenchError("The pinger did not finish.") }
        return samples
    }

    /// Done, resumed, failed.
    private static func progress(of crowd: ChildProcess) throws(BenchError) -> [Int] {
        crowd.writeLine("count")
        let numbers = (crowd.readLine() ?? "").split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 3 else { throw BenchError("Those who shake hands are gone.") }
        return numbers
    }
}
