import Synchronization
import TarnTransport

/// What `/metrics` says. It names no realm, no user and no address: whoever may read the figures
/// may not read those.
struct MetricsPage: Sendable {
    let loops: [EventLoop]
    let census: ConnectionCensus
    let realms: RealmCensus
    let metrics: DaemonMetrics
    let health: HealthMonitor
    let version: String

    /// Waits for the threads of realms for up to a second.
    func answer(_ request: HTTPRequest) -> HTTPAnswer {
        guard request.path == "/metrics" else { return .refusal(404, "There is nothing here.") }
        guard request.method == "GET" || request.isHead else {
            return .refusal(405, "Only GET and HEAD.", headers: ["Allow: GET, HEAD"])
        }
        return HTTPAnswer(
            status: 200, contentType: PrometheusText.contentType, body: Array(text.utf8))
    }

    var text: String {
        var page = PrometheusText()
        page.gauge(
            "tarnd_build_info", "What runs: always 1.", labels: [("version", version)], 1)
        page.gauge(
            "tarnd_healthy", "Whether GET /health says so: 1 or 0.", health.problems.isEmpty ? 1 : 0
        )
        page.gauge(
            "tarnd_data_free_bytes", "Free space of the data folder's disk.", health.freeBytes)
        addConnections(to: &page)
        addTraffic(to: &page)
        addRealms(to: &page)
        addProcess(to: &page)
        return page.text
    }

    private func sum(_ figure: (LoopCounters) -> Int) -> Int {
        loops.reduce(0) { $0 + figure($1.counters) }
    }

    private func addConnections(to page: inout PrometheusText) {
        page.gauge("tarnd_connections", "Open connections.", sum { $0.connections.count })
        page.gauge(
            "tarnd_stranger_connections", "Those whose peer has not said who it is.",
            census.strangerCount)
        page.counter(
            "tarnd_connections_accepted_total", "Connections that came, also those turned away.",
            sum { $0.connectionsAccepted.count })
        page.counter(
            "tarnd_connections_refused_total", "Connections turned away, by the limit.",
            by: "reason",
            ConnectionCensus.Refusal.allCases.map { ($0.metricLabel, census.refusedCount($0)) })
        page.counter(
            "tarnd_tls_handshakes_total", "Handshakes, and how they ended.", by: "result",
            [
                ("done", sum { $0.handshakesDone.count }),
                ("failed", sum { $0.handshakesFailed.count }),
            ])
        page.counter(
            "tarnd_logins_total", "Logins, and how they ended.", by: "result",
            [
                ("accepted", metrics.loginsAccepted.load(ordering: .relaxed)),
                ("refused", metrics.loginsRefused.load(ordering: .relaxed)),
            ])
    }

    private func addTraffic(to page: inout PrometheusText) {
        page.counter(
            "tarnd_messages_received_total", "Messages of clients.",
            sum { $0.messagesReceived.count })
        page.counter(
            "tarnd_messages_sent_total", "Messages to clients.", sum { $0.messagesSent.count })
        page.counter(
            "tarnd_received_bytes_total", "Bytes of clients, as encrypted.",
            sum { $0.bytesReceived.count })
        page.counter(
            "tarnd_sent_bytes_total", "Bytes to clients, as encrypted.", sum { $0.bytesSent.count })
        page.gauge(
            "tarnd_queued_bytes", "Bytes that wait until clients take them.",
            sum { $0.bytesQueued.count })
    }

    private func addRealms(to page: inout PrometheusText) {
        let figures = realms.take()
        page.gauge("tarnd_open_realms", "Realms that somebody has open.", figures.openRealms)
        page.gauge(
            "tarnd_replica_sessions", "Replicas that have their realm open.",
            figures.replicaSessions)
        page.gauge("tarnd_subscriptions", "Live subscriptions of replicas.", figures.subscriptions)
        page.gauge(
            "tarnd_forgotten_versions", "Versions of open realms that are forgotten.",
            figures.forgottenVersions)
        page.gauge(
            "tarnd_remembered_versions", "Versions of open realms above those.",
            figures.rememberedVersions)
        page.gauge(
            "tarnd_log_records", "Records of open realms in the commit log.", figures.logRecords)
        page.gauge("tarnd_log_bytes", "Bytes of those records.", figures.logBytes)
        page.counter(
            "tarnd_commits_total", "Transactions that became durable.",
            metrics.commits.load(ordering: .relaxed))
        page.histogram(
            "tarnd_commit_duration_seconds",
            "From what a realm decided in one turn to its durability.", metrics.commitTime.figures)
        page.histogram(
            "tarnd_log_sync_duration_seconds", "Writing and syncing one batch of the commit log.",
            metrics.logSyncTime.figures)
    }

    /// By the names that Prometheus' client libraries use.
    private func addProcess(to page: inout PrometheusText) {
        let process = ProcessFigures.now()
        page.counter(
            "process_cpu_seconds_total", "Processor time used, in seconds.", process.cpuSeconds)
        page.gauge("process_resident_memory_bytes", "Memory in use.", process.residentBytes)
        page.gauge("process_virtual_memory_bytes", "Memory mapped.", process.virtualBytes)
        page.gauge("process_open_fds", "Open descriptors.", process.openDescriptors)
        page.gauge("process_max_fds", "Descriptors that may be open.", process.descriptorsMax)
        page.gauge(
            "process_start_time_seconds", "When the process began, in seconds since 1970.",
            process.startSeconds)
    }
}

extension ConnectionCensus.Refusal {
    fileprivate var metricLabel: String {
        switch self {
        case .connections: "connections"
        case .connectionsByAddress: "connections_by_address"
        case .strangers: "strangers"
        case .strangersByAddress: "strangers_by_address"
        }
    }
}
