import CLinux
import Glibc
import TarnModel
import TarnProtocol
import TarnTransport

/// Many writers of one realm, each with one transaction under way: how many a second are durable
/// and acknowledged.
struct Writes {
    private let stage: Stage
    private let writers: Int
    private let commits: Int

    init(_ stage: Stage, _ options: Options) {
        self.stage = stage
        writers = options.connections ?? 50
        commits = options.commits ?? 20_000
    }

    func measure(into report: Report) throws(BenchError) {
        let daemon = try DaemonProcess(on: stage, name: "writes")
        let run = try LoopRun()
        let crowd = Crowd(run, to: daemon.endpoint, trust: try LoopRun.trust(stage.authority))
        let founder = try crowd.founder()
        let life = founder.series.last
        let clients = try crowd.add(
            writers, .opened, credentials: .token(founder.token ?? ""))
        var acknowledged = 0
        var sent = 0
        func writeNext(_ client: ProtocolClient) {
            guard sent < commits else { return }
            sent += 1
            client.commit(Workload.edit(number: sent, life: life))
        }
        for client in clients {
            client.whenGroup = { client, group in
                guard !group.receipts.isEmpty else { return }
                acknowledged += group.receipts.count
                if acknowledged >= commits { return run.finish() }
                writeNext(client)
            }
        }
        try run.settle()
        let before = ProcessUsage.processorTime(of: daemon.process)
        let begin = tarn_monotonic_nanoseconds()
        try run.phase("writing", atMost: .seconds(120)) {
            for client in clients { writeNext(client) }
        }
        let wall = Double(tarn_monotonic_nanoseconds() - begin) / 1e9
        try run.settle()
        let used = ProcessUsage.processorTime(of: daemon.process) - before
        let disk = try DiskFloor(in: daemon.dataFolder)
        try disk.append(1_000)
        try crowd.disperse()
        daemon.stop()
        report.add("acknowledged", Double(commits) / wall, "1/s")
        report.add("server-cpu-a-write", Double(used) / 1000 / Double(commits), "us")
        report.add("floor-fdatasync", disk.samples, "us")
        let alone = 1e6 / max(disk.samples.percentile(50), 1)
        report.add("ratio-to-one-sync-each", Double(commits) / wall / alone, "x")
    }
}
