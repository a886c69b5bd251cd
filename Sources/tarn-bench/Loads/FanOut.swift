import Glibc
import TarnModel
import TarnProtocol
import TarnTransport

/// One commit to many subscribers over TLS: what a delivery costs the server. In the same run, the
/// same number and size of messages from a plain broadcaster of our transport, with no engines.
struct FanOut {
    private let stage: Stage
    private let subscribers: Int
    private let commits: Int?
    private static let windows = [1, 8]

    init(_ stage: Stage, _ options: Options) {
        self.stage = stage
        subscribers = options.connections ?? 1_000
        commits = options.commits
    }

    func measure(into report: Report) throws(BenchError) {
        let (tarn, byteCount) = try measureTarn()
        let floor = try measureFloor(byteCount: byteCount)
        report.add("message-size", Double(byteCount), "bytes")
        for (index, window) in Self.windows.enumerated() {
            report.add("server-cpu-window-\(window)", tarn[index], "us/delivery")
            report.add("floor-cpu-window-\(window)", floor[index], "us/delivery")
            report.add("ratio-window-\(window)", tarn[index] / floor[index], "x")
        }
    }

    /// A window of one costs a turn of everything a message, so fewer are enough.
    private func count(for window: Int) -> Int { commits ?? (window == 1 ? 60 : 300) }

    private func measureTarn() throws(BenchError) -> (costs: [Double], byteCount: Int) {
        let daemon = try DaemonProcess(on: stage, name: "fan-out")
        let run = try LoopRun()
        let crowd = Crowd(run, to: daemon.endpoint, trust: try LoopRun.trust(stage.authority))
        let writer = try crowd.founder()
        let life = writer.series.last
        let clients = try crowd.add(
            subscribers, .subscribed, credentials: .token(writer.token ?? ""))
        var number = 0
        let cost = DeliveryCost(run, of: daemon.process, to: subscribers) {
            number += 1
            writer.commit(Workload.edit(number: number, life: life))
        }
        // Each message is the realm's next version, so a version says what a subscriber has.
        let first = Int(writer.point.version.number)
        for client in clients {
            var seen = 0
            client.whenGroup = { _, group in
                let now = Int(group.to.version.number) - first
                cost.received(seen..<max(seen, now))
                seen = max(seen, now)
            }
        }
        func byteSum() -> Int { clients.reduce(0) { $0 + $1.receivedByteCount } }
        var costs: [Double] = []
        var byteCount = 0
        for window in Self.windows {
            let (bytesBefore, numberBefore) = (byteSum(), number)
            costs.append(try cost.measure(count(for: window), window: window))
            if window == 1 {
                byteCount = (byteSum() - bytesBefore) / (number - numberBefore) / subscribers
            }
        }
        try crowd.disperse()
        daemon.stop()
        return (costs, byteCount)
    }

    private func measureFloor(byteCount: Int) throws(BenchError) -> [Double] {
        let server = try BroadcasterProcess(on: stage)
        let run = try LoopRun()
        let trust = try LoopRun.trust(stage.authority)
        let clients = (0...subscribers).map { _ in PlainClient() }
        let writer = clients[0]
        try connect(clients, to: server, run, trust)
        let subscribe = Broadcaster.message(.subscribe, number: 0, byteCount: 8)
        var subscribed = 0
        try run.phase("subscribing") {
            for client in clients.dropFirst() {
                client.whenMessage = { _ in
                    subscribed += 1
                    if subscribed == subscribers { run.finish() }
                }
                client.send(subscribe)
            }
        }
        var number = 0
        let cost = DeliveryCost(run, of: server.process, to: subscribers) {
            number += 1
            writer.send(Broadcaster.message(.publish, number: number, byteCount: byteCount))
        }
        for client in clients.dropFirst() {
            var seen = 0
            client.whenMessage = { _ in
                cost.received(seen..<seen + 1)
                seen += 1
            }
        }
        var costs: [Double] = []
        for window in Self.windows {
            costs.append(try cost.measure(count(for: window), window: window))
        }
        for client in clients { client.stop() }
        try run.settle()
        return costs
    }

    private func connect(
        _ clients: [PlainClient], to server: BroadcasterProcess, _ run: LoopRun,
        _ trust: TLSClientContext
    ) throws(BenchError) {
        var waiting = clients[...]
        var openCount = 0
        func connectNext() {
            waiting.popFirst()?.connect(to: server.endpoint, on: run.loop, trust: trust)
        }
        for client in clients {
            client.whenEnded = { run.fail($0) }
            client.whenOpened = {
                openCount += 1
                if openCount == clients.count { run.finish() } else { connectNext() }
            }
        }
        try run.phase("connecting \(clients.count) clients", atMost: .seconds(120)) {
            for _ in 0..<32 { connectNext() }
        }
    }
}
