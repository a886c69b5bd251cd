import Glibc
import TarnProtocol
import TarnTransport

/// What the daemon keeps resident for a connection that does nothing, its growth over so many; and
/// what its timer and its pings cost.
struct IdleMemory {
    private let stage: Stage
    private let connections: Int
    private static let warmUp = 50

    init(_ stage: Stage, _ options: Options) {
        self.stage = stage
        connections = options.connections ?? 5_000
    }

    func measure(into report: Report) throws(BenchError) {
        report.add("bare", try measure(.bare).kilobytes, "KB/connection")
        let subscribed = try measure(.subscribed)
        report.add("subscribed", subscribed.kilobytes, "KB/connection")
        report.add("idle-cpu", subscribed.cost, "us/connection/minute")
    }

    /// So long that everybody is pinged once.
    private static let idleTime = Duration.seconds(26)

    /// - Returns: kilobytes a connection, and microseconds of processors a connection and minute.
    private func measure(
        _ depth: ProtocolClient.Depth
    ) throws(BenchError) -> (kilobytes: Double, cost: Double) {
        let daemon = try DaemonProcess(on: stage, name: depth == .bare ? "bare" : "subscribed")
        let run = try LoopRun()
        let crowd = Crowd(run, to: daemon.endpoint, trust: try LoopRun.trust(stage.authority))
        let credentials = Credentials.token(try crowd.founder().token ?? "")
        // What is made once is made before.
        _ = try crowd.add(Self.warmUp, depth, credentials: credentials)
        try run.settle()
        let before = ProcessUsage.residentKilobytes(of: daemon.process)
        _ = try crowd.add(connections, depth, credentials: credentials)
        try run.settle()
        let after = ProcessUsage.residentKilobytes(of: daemon.process)
        let cost = depth == .bare ? 0 : try idle(run, of: daemon)
        try crowd.disperse()
        daemon.stop()
        return (Double(after - before) / Double(connections), cost)
    }

    private func idle(_ run: LoopRun, of daemon: DaemonProcess) throws(BenchError) -> Double {
        let before = ProcessUsage.processorTime(of: daemon.process)
        try run.phase("being idle") { run.loop.schedule(after: Self.idleTime) { run.finish() } }
        let used = ProcessUsage.processorTime(of: daemon.process) - before
        let minutes = Double(Self.idleTime.components.seconds) / 60
        return Double(used) / 1000 / Double(connections) / minutes
    }
}
