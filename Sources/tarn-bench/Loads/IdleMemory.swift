import Glibc
import TarnProtocol

/// What the daemon keeps resident for a connection that does nothing: its growth over so many.
struct IdleMemory {
    private let stage: Stage
    private let connections: Int
    private static let warmUp = 50

    init(_ stage: Stage, _ options: Options) {
        self.stage = stage
        connections = options.connections ?? 5_000
    }

    func measure(into report: Report) throws(BenchError) {
        report.add("bare", try measure(.bare), "KB/connection")
        report.add("subscribed", try measure(.subscribed), "KB/connection")
    }

    private func measure(_ depth: ProtocolClient.Depth) throws(BenchError) -> Double {
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
        try crowd.disperse()
        daemon.stop()
        return Double(after - before) / Double(connections)
    }
}
