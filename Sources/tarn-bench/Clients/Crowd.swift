import TarnProtocol
import TarnTransport

/// Many clients of one daemon on one loop.
final class Crowd {
    private(set) var clients: [ProtocolClient] = []
    private let run: LoopRun
    private let endpoint: Endpoint
    private let trust: TLSClientContext
    /// Handshakes under way at once: none waits for as long as a server allows.
    private static let underWayMax = 32

    init(_ run: LoopRun, to endpoint: Endpoint, trust: TLSClientContext) {
        self.run = run
        self.endpoint = endpoint
        self.trust = trust
    }

    /// Connects one with a nickname, who writes the tasks.
    func founder() throws(BenchError) -> ProtocolClient {
        let client = ProtocolClient(credentials: .nickname(Workload.user), depth: .opened)
        clients.append(client)
        try run.phase("founding the realm") {
            client.whenEnded = { [run] in run.fail($0) }
            client.whenReady = { $0.commit(Workload.creation) }
            client.whenGroup = { [run] client, _ in
                if client.acknowledged == 1 { run.finish() }
            }
            client.connect(to: endpoint, on: run.loop, trust: trust)
        }
        client.whenGroup = { _, _ in }
        return client
    }

    /// Connects so many more, and returns them when all are ready.
    func add(
        _ count: Int, _ depth: ProtocolClient.Depth, credentials: Credentials,
        limits: TransportLimits = TransportLimits()
    ) throws(BenchError) -> [ProtocolClient] {
        var added: [ProtocolClient] = []
        for _ in 0..<count {
            added.append(ProtocolClient(credentials: credentials, depth: depth))
        }
        clients += added
        var waiting = added[...]
        var readyCount = 0
        func connectNext() {
            waiting.popFirst()?.connect(
                to: endpoint, on: run.loop, trust: trust, limits: limits)
        }
        for client in added {
            client.whenEnded = { [run] in run.fail($0) }
            client.whenReady = { [run] _ in
                readyCount += 1
                if readyCount == count { run.finish() } else { connectNext() }
            }
        }
        try run.phase("connecting \(count) clients", atMost: .seconds(120)) {
            for _ in 0..<Self.underWayMax { connectNext() }
        }
        return added
    }

    func disperse() throws(BenchError) {
        for client in clients { client.stop() }
        clients = []
        try run.settle()
    }
}
