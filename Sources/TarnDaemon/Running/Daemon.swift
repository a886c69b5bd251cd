import Synchronization
import TarnCrypto
import TarnModel
import TarnProtocol
import TarnSQLite
import TarnServer
import TarnStorage
import TarnTransport

/// Why a daemon did not start, as a sentence, with the status to exit with.
package struct StartFailure: Error {
    package let sentence: String
    package let status: ExitStatus

    package init(_ sentence: String, _ status: ExitStatus) {
        self.sentence = sentence
        self.status = status
    }
}

/// A running daemon: loops for sockets, executors for realms, one thread for the log and one for
/// accounts.
///
/// It crosses threads: `listeners` and `certificateWatch` are touched on the first loop alone once
/// the threads run, and what else changes is behind `state`'s mutex. That is why it is Sendable
/// without the compiler's proof.
package final class Daemon: @unchecked Sendable {
    private let configuration: Configuration
    private let folder: DataFolder
    private let report: DaemonLog
    private let loops: [EventLoop]
    private let realmLoops: [EventLoop]
    private let deskLoop: EventLoop
    private let logLoop: EventLoop
    private let historyLoop: EventLoop
    private let accounts: SQLiteAccountStore
    private let writer: LogWriter
    private let executors: [RealmExecutor]
    private let historyDesk: HistoryDesk
    private let services: SessionServices
    private let connectionNumber = Atomic<UInt64>(0)
    private let limits: TransportLimits
    private let census: ConnectionCensus
    private let metrics: DaemonMetrics
    private let disk: DiskWatch
    private let health: HealthMonitor

    private var listeners: [Listener] = []
    private var metricsServer: MetricsServer?
    private let certificateWatch: CertificateWatch

    private struct State {
        /// Until their connections have ended.
        var sessions: [UInt64: ConnectionSession] = [:]
        var isShuttingDown = false
    }

    private let state = Mutex(State())

    /// Opens the folder and the files; nothing listens yet.
    package init(_ configuration: Configuration, report: DaemonLog) throws(StartFailure) {
        self.configuration = configuration
        self.report = report
        limits = Self.limits(configuration)
        census = ConnectionCensus(
            limits: limits, unlimited: AddressRange.loopback + configuration.trustedProxies,
            strangerEnd: .vouched)
        let metrics = DaemonMetrics()
        self.metrics = metrics
        folder = try Self.openFolder(configuration.dataFolder)
        do {
            disk = try DiskWatch(configuration.dataFolder)
            loops = try (0..<configuration.loops).map { try EventLoop(name: "loop-\($0)") }
            realmLoops = try (0..<configuration.realmThreads).map {
                try EventLoop(name: "realms-\($0)")
            }
            deskLoop = try EventLoop(name: "accounts")
            logLoop = try EventLoop(name: "log")
            historyLoop = try EventLoop(name: "history")
            accounts = try SQLiteAccountStore(path: folder.accountsPath)
            writer = LogWriter(
                log: try SQLiteCommitLog(path: folder.logPath), on: logLoop, metrics: metrics)
            historyDesk = HistoryDesk(
                on: historyLoop, log: try SQLiteCommitLog(path: folder.logPath))
            let environment = RealmEnvironment(
                sha256: { SHA256.hash($0) }, random: Self.randomNumber)
            var executors: [RealmExecutor] = []
            for loop in realmLoops {
                executors.append(
                    RealmExecutor(
                        on: loop, folder: folder, writer: writer,
                        log: try SQLiteCommitLog(path: folder.logPath), environment: environment,
                        history: configuration.history, report: report, metrics: metrics))
            }
            self.executors = executors
        } catch {
            throw StartFailure("The data folder cannot be used: \(error).", .cannotCreate)
        }
        certificateWatch = CertificateWatch(
            on: loops[0], now: { WallClock.milliseconds / 1000 },
            tell: { report.tell($0, $1, of: configuration.certificate ?? "") })
        let desk = AccountDesk(
            accounts: accounts,
            providers: LoginProviders(
                allowsNicknames: configuration.allowsNicknames,
                allowsRegistration: configuration.allowsRegistration),
            on: deskLoop)
        services = SessionServices(
            desk: desk, history: historyDesk, executors: executors, report: report,
            metrics: metrics)
        var healthLimits = HealthLimits()
        healthLimits.freeBytesMin = configuration.freeSpaceMin
        health = HealthMonitor(writer: writer, disk: disk, limits: healthLimits)
    }

    private static func limits(_ configuration: Configuration) -> TransportLimits {
        var limits = TransportLimits()
        // Realms stop when the high water is reached, so that a session falls behind by version and
        // not by bytes; the rest is for messages that no credit counts.
        limits.outgoingLowWater = ProtocolLimits.messageBytesMax / 4
        limits.outgoingHighWater = ProtocolLimits.messageBytesMax
        limits.outgoingByteCountMax = 1 << 20
        limits.socketUnsentByteCountMax = 2 * ProtocolLimits.messageBytesMax
        configuration.connections.apply(to: &limits)
        return limits
    }

    private static func openFolder(_ path: String) throws(StartFailure) -> DataFolder {
        do throws(DataFolder.Failure) {
            return try DataFolder(at: path)
        } catch {
            switch error {
            case .inUse:
                throw StartFailure("Another tarnd runs on \(path).", .inUse)
            case .unusable(let cause):
                throw StartFailure("The data folder cannot be used: \(cause).", .cannotCreate)
            }
        }
    }

    /// Salts need no secrecy, but no repetition either.
    private static let randomNumber: @Sendable () -> UInt64 = {
        let bytes = (try? RandomBytes.make(8)) ?? []
        return UInt64(bigEndianBytes: bytes) ?? UInt64.random(in: .min ... .max)
    }

    /// Starts the threads and listens. Answers the addresses that it listens on for clients.
    package func start() throws(StartFailure) -> [String] {
        let credentials = try loadCredentials()
        var addresses: [String] = []
        var hasStartedMetrics = false
        do {
            for text in configuration.listen {
                guard let endpoint = Self.endpoint(text) else {
                    throw StartFailure("\"\(text)\" is not HOST:PORT.", .configuration)
                }
                let listener = try listen(at: endpoint, credentials)
                listeners.append(listener)
                addresses.append("\(listener.address)")
            }
            let metricsServer = try listenForMetrics()
            self.metricsServer = metricsServer
            try disk.start()
            health.report(to: report, on: loops[0])
            certificateWatch.watch(endingAt: credentials.validityEnd)
            // The loops of listeners come last: until they run these are this thread's, to stop.
            let others = loops.dropFirst() + realmLoops + [deskLoop, logLoop, historyLoop]
            for loop in others { try loop.startThread() }
            try metricsServer?.start()
            hasStartedMetrics = true
            for loop in loops.prefix(1) { try loop.startThread() }
        } catch {
            for listener in listeners { listener.stop() }
            listeners = []
            if hasStartedMetrics { metricsServer?.stop() } else { metricsServer?.giveUp() }
            throw error as? StartFailure ?? StartFailure("\(error)", .unavailable)
        }
        return addresses
    }

    /// Port 0, which nobody can connect to, lets the system choose where one listens.
    private static func endpoint(
        _ text: String, defaultPort: UInt16 = Configuration.defaultPort
    ) -> Endpoint? {
        text.hasSuffix(":0")
            ? Endpoint(String(text.dropLast(2)), defaultPort: 0)
            : Endpoint(text, defaultPort: defaultPort)
    }

    private func loadCredentials() throws(StartFailure) -> TLSServerContext {
        guard let certificate = configuration.certificate, let key = configuration.key else {
            throw StartFailure(
                "tarnd serves nothing without TLS: it needs --certificate FILE and --key FILE. "
                    + "For development, `make certs` makes both in certs/out.", .configuration)
        }
        do throws(TransportError) {
            return try TLSServerContext(
                certificatePath: certificate, keyPath: key,
                allowsTLS12: configuration.allowsTLS12)
        } catch {
            throw StartFailure(error.sentence, .configuration)
        }
    }

    private func listen(
        at endpoint: Endpoint, _ credentials: TLSServerContext
    ) throws(TransportError) -> Listener {
        let policy = UpgradePolicy(
            trustedProxies: configuration.trustedProxies,
            health: { [health] in health.answer() })
        return try Listener(
            on: loops[0], host: endpoint.host, port: endpoint.port, credentials: credentials,
            policy: policy, limits: limits, connectionLoops: loops, census: census
        ) { [weak self] connection in self?.accept(connection) }
    }

    private func listenForMetrics() throws -> MetricsServer? {
        guard let text = configuration.metrics else { return nil }
        guard let endpoint = Self.endpoint(text, defaultPort: Configuration.defaultMetricsPort)
        else { throw StartFailure("\"\(text)\" is not HOST:PORT.", .configuration) }
        do throws(TransportError) {
            let page = MetricsPage(
                loops: loops, census: census, realms: RealmCensus(executors), metrics: metrics,
                health: health, version: DaemonProgram.version)
            let server = try MetricsServer(at: endpoint, page: page)
            report.info("metrics-listening", ["address": server.address])
            return server
        } catch {
            let status: ExitStatus = error.code == .badAddress ? .configuration : .unavailable
            throw StartFailure(error.sentence, status)
        }
    }

    private func accept(_ connection: SecureConnection) -> (any ConnectionHandler)? {
        let number = connectionNumber.add(1, ordering: .relaxed).newValue
        let session = ConnectionSession(
            number: number, loop: connection.loop, services: services
        ) { [weak self] number in
            self?.state.withLock { _ = $0.sessions.removeValue(forKey: number) }
        }
        let isAccepted = state.withLock { state in
            guard !state.isShuttingDown else { return false }
            state.sessions[number] = session
            return true
        }
        return isAccepted ? session : nil
    }

    /// Shows new connections the certificate as it is on the disk now; the old one stays where the
    /// new one cannot be read.
    package func reloadCertificate() {
        do throws(StartFailure) {
            let credentials = try loadCredentials()
            loops[0].execute { [self] in
                for listener in listeners { listener.use(credentials) }
                report.info("certificate-reloaded")
                certificateWatch.watch(endingAt: credentials.validityEnd)
            }
        } catch {
            report.error("certificate-not-reloaded", ["cause": error.sentence])
        }
    }

    /// Takes no more connections, ends those that are, writes what is under way, and calls back.
    package func shutDown(then done: @escaping @Sendable () -> Void) {
        health.noteShutdown()
        let sessions = state.withLock { state in
            state.isShuttingDown = true
            return Array(state.sessions.values)
        }
        loops[0].execute { [self] in
            for listener in listeners { listener.stop() }
            listeners = []
        }
        for session in sessions {
            session.end(ProtocolError(.shuttingDown, "The server is shutting down."))
        }
        let finish = Finish(remaining: executors.count) { [self] in
            writer.close { [self] in
                historyDesk.close()
                deskLoop.execute { [self] in
                    accounts.close()
                    metricsServer?.stop()
                    disk.stop()
                    done()
                }
            }
        }
        for executor in executors { executor.shutDown { finish.oneDone() } }
    }

    /// Calls once when as many have finished as were started.
    private final class Finish: Sendable {
        private let remaining: Atomic<Int>
        private let done: @Sendable () -> Void

        init(remaining: Int, done: @escaping @Sendable () -> Void) {
            self.remaining = Atomic(remaining)
            self.done = done
        }

        func oneDone() {
            if remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done() }
        }
    }
}
