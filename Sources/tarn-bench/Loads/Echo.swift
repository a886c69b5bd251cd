import TarnTransport

/// What an echo of a hundred bytes over TLS costs a server of our transport, and one in C.
struct Echo {
    private let stage: Stage
    private let rounds: Int
    private static let byteCount = 100
    /// How many are under way, and how many make a round.
    private static let windows = [(window: 1, count: 2_000), (window: 50, count: 40_000)]

    init(_ stage: Stage, _ options: Options) {
        self.stage = stage
        rounds = options.rounds ?? 20
    }

    func measure(into report: Report) throws(BenchError) {
        var servers: [EchoProcess] = []
        for kind in EchoProcess.Kind.allCases { servers.append(try EchoProcess(kind, on: stage)) }
        let run = try LoopRun()
        let trust = try LoopRun.trust(stage.authority)
        for (window, count) in Self.windows {
            let costs = try measure(servers, run, trust, window: window, count: count)
            for (kind, cost) in costs {
                report.add("\(kind.rawValue)-cpu-window-\(window)", cost, "us/echo")
            }
            let floor = min(costs[1].cost, costs[2].cost)
            report.add("ratio-window-\(window)", costs[0].cost / floor, "x")
        }
    }

    /// A round that little disturbed: of five, one is shorter. The servers take turns in each, so
    /// all meet the same machine.
    private func measure(
        _ servers: [EchoProcess], _ run: LoopRun, _ trust: TLSClientContext, window: Int, count: Int
    ) throws(BenchError) -> [(kind: EchoProcess.Kind, cost: Double)] {
        var samples = servers.map { _ in Samples() }
        var clients: [PlainClient] = []
        for server in servers { clients.append(try connect(to: server, run, trust)) }
        for round in 0...rounds {
            for (index, server) in servers.enumerated() {
                let before = ProcessUsage.processorTime(of: server.process)
                try exchange(clients[index], run, window: window, count: count)
                let used = ProcessUsage.processorTime(of: server.process) - before
                // The first round warms up.
                if round > 0 { samples[index].add(nanoseconds: used) }
            }
        }
        for client in clients { client.stop() }
        try run.settle()
        return zip(servers, samples).map { server, samples in
            (server.kind, samples.percentile(20) / Double(count))
        }
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
