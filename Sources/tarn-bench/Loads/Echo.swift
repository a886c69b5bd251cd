import CLinux
import TarnTransport

/// What an echo of a hundred bytes over TLS costs a server of our transport, and one in C.
struct Echo {
    private let stage: Stage
    private let rounds: Int
    private static let byteCount = 100
    /// How many are under way, and how many make a round.
    private static let windows = [(window: 1, count: 500), (window: 50, count: 10_000)]

    init(_ stage: Stage, _ options: Options) {
        self.stage = stage
        rounds = options.rounds ?? 100
    }

    func measure(into report: Report) throws(BenchError) {
        var servers: [EchoProcess] = []
        // All on one core: to wake another takes a virtual machine up to 40 microseconds, and that
        // would be most of what is measured.
        _ = tarn_stay_on_core(0)
        for kind in EchoProcess.Kind.allCases { servers.append(try EchoProcess(kind, on: stage)) }
        let run = try LoopRun()
        let trust = try LoopRun.trust(stage.authority)
        for (window, count) in Self.windows {
            let used = try measure(servers, run, trust, window: window, count: count)
            for (index, server) in servers.enumerated() {
                let cost = Self.middle(used.map { $0[index] }) / Double(count)
                report.add("\(server.kind.rawValue)-cpu-window-\(window)", cost, "us/echo")
            }
            // Round by round, since what disturbs a machine lasts longer than one; over whichever
            // floor is the lower.
            let ratios = [1, 2].map { floor in Self.middle(used.map { $0[0] / $0[floor] }) }
            report.add("ratio-window-\(window)", max(ratios[0], ratios[1]), "x")
        }
    }

    private static func middle(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    /// Microseconds of the servers' processors, round by round. They take turns in each.
    private func measure(
        _ servers: [EchoProcess], _ run: LoopRun, _ trust: TLSClientContext, window: Int, count: Int
    ) throws(BenchError) -> [[Double]] {
        var clients: [PlainClient] = []
        for server in servers { clients.append(try connect(to: server, run, trust)) }
        var rounds: [[Double]] = []
        for _ in 0...self.rounds {
            var used: [Double] = []
            for (index, server) in servers.enumerated() {
                let before = ProcessUsage.processorTime(of: server.process)
                try exchange(clients[index], run, window: window, count: count)
                let after = ProcessUsage.processorTime(of: server.process)
                used.append(Double(after - before) / 1000)
            }
            rounds.append(used)
        }
        for client in clients { client.stop() }
        try run.settle()
        // The first round warms up.
        return Array(rounds.dropFirst())
    }

    private func connect(
        to server: EchoProcess, _ run: LoopRun, _ trust: TLSClientContext
    ) throws(BenchError) -> PlainClient {
        let client = PlainClient()
        client.whenEnded = { [run] in run.fail($0) }
        try run.phase("connecting to the echo") {
            client.whenOpened = { [run] in run.finish() }
            client.connect(to: server.endpoint, on: run.loop, trust: trust)
        }
        return client
    }

    /// Sends so many, `window` of them together, whenever all that were sent are back: so the
    /// servers meet the same pieces, however fast they are.
    private func exchange(
        _ client: PlainClient, _ run: LoopRun, window: Int, count: Int
    ) throws(BenchError) {
        let message = Broadcaster.message(.echo, number: 0, byteCount: Self.byteCount)
        var (missing, underWay) = (count, 0)
        func next() {
            underWay = min(window, missing)
            for _ in 0..<underWay { client.send(message) }
        }
        try run.phase("the echoes") {
            client.whenMessage = { [run] _ in
                missing -= 1
                underWay -= 1
                guard underWay == 0 else { return }
                if missing == 0 { run.finish() } else { next() }
            }
            next()
        }
    }
}
