import Glibc
import TarnClient
import TarnCrypto
import TarnModel
import TarnProtocol
import TarnStorage
import TarnTesting
import TarnTransport

/// A replica in memory that writes as fast as a timer lets it, and syncs with a real daemon over
/// TLS, on a loop and thread of its own.
///
/// Only its loop touches it after `start`, but for `answers`. That is why it is Sendable without
/// the compiler's proof.
final class LoadedReplica: ConnectionHandler, @unchecked Sendable {
    static let item = ClassSchema(
        "Item", primaryKey: PropertySchema("itemId", .int),
        properties: [PropertySchema("body", .string), PropertySchema("isDone", .bool)])

    let loop: EventLoop
    private let endpoint: Endpoint
    private let trust: TLSClientContext
    private let replica: Replica
    private var engine: SyncEngine
    private var random: SeededGenerator
    private var connection: SecureConnection?
    private var connector: Connector?
    private var isWriting = false
    private var nextKey: Int64
    private var created: Set<Int64> = []
    private(set) var problems: [String] = []
    private var ends: [String] = []

    init(user: String, number: Int64, seed: UInt64, port: UInt16) throws {
        loop = try EventLoop(name: "load-\(number)")
        endpoint = Endpoint(host: "localhost", port: port)
        trust = try TLSClientContext(trust: .authority(TestCertificates.shared.authority))
        random = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
        nextKey = number * 1_000_000
        guard let realm = RealmName(owner: user, name: "load") else {
            preconditionFailure("a valid name")
        }
        replica = try Replica.open(
            MemoryReplicaStore(), of: realm, user: user, random: &random,
            sha256: { SHA256.hash($0) })
        engine = SyncEngine(replica, credentials: .nickname(user), program: "load")
        _ = try replica.subscribe(to: "Item", name: "items")
        _ = try replica.write(clockTicks: Stamp.ticks(milliseconds: Self.now.wall)) { write in
            try write.addClass(Self.item)
        }
        try loop.startThread()
    }

    private static var now: Moment {
        var wall = timespec()
        var steady = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        clock_gettime(CLOCK_MONOTONIC, &steady)
        func milliseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        }
        return Moment(wall: milliseconds(wall), steady: milliseconds(steady))
    }

    // MARK: From the test's thread

    /// Connects, or tries again at once.
    func connect() { loop.execute { [self] in handle(.started) } }

    func startWriting() {
        loop.execute { [self] in
            isWriting = true
            write()
        }
    }

    func stopWriting() { loop.execute { [self] in isWriting = false } }

    /// What the replica is, as of now.
    struct Report: Sendable {
        var unsent: Int
        var isRunning: Bool
        /// Every visible object's key and content.
        var objects: [Int64: String]
        /// The keys that this replica created.
        var created: Set<Int64>
        var problems: [String]
        /// Of its connections, one after the other.
        var ends: [String]
    }

    func report() -> Report {
        let holder = AnswerBox()
        loop.execute { [self] in holder.put(makeReport()) }
        return holder.wait()
    }

    // MARK: On the loop

    private func makeReport() -> Report {
        var report = Report(
            unsent: -1, isRunning: engine.isRunning, objects: [:], created: created,
            problems: problems, ends: ends)
        do {
            report.unsent = try replica.read { try $0.status().unsentCount }
            report.objects = try replica.read { reader in
                var objects: [Int64: String] = [:]
                for object in try reader.all("Item") {
                    guard case .int(let key) = try reader.key(of: object) else { continue }
                    objects[key] = "\(try reader.values(of: object))"
                }
                return objects
            }
        } catch {
            report.problems.append("\(error)")
        }
        return report
    }

    private func write() {
        guard isWriting else { return }
        do {
            try replica.write(clockTicks: Stamp.ticks(milliseconds: Self.now.wall)) { write in
                let key = nextKey
                _ = try write.create(
                    "Item", .int(key), [InitialValue("body", .string("item \(key)"))])
                nextKey += 1
                created.insert(key)
            }
        } catch {
            problems.append("writing: \(error)")
        }
        handle(.localChange)
        loop.schedule(after: .milliseconds(4)) { [self] in write() }
    }

    private func handle(_ event: SyncEvent) {
        for action in engine.handle(event, at: Self.now, random: &random) {
            switch action {
            case .connect:
                connector = Connector(to: endpoint, on: loop, trust: trust, handler: self)
            case .send(let bytes):
                connection?.send(bytes)
            case .disconnect:
                connection?.abort()
                connection = nil
            case .wake(let milliseconds):
                loop.schedule(after: .milliseconds(milliseconds)) { [self] in handle(.timer) }
            case .loginNeeded(let error):
                problems.append("login: \(String(describing: error))")
            case .stopped(let error):
                problems.append("stopped: \(error)")
            case .replicaChanged, .statusChanged, .loggedIn:
                break
            }
        }
    }

    func connectionOpened(_ connection: SecureConnection) {
        self.connection = connection
        handle(.connected)
    }

    func connectionReceived(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
    ) {
        if connection === self.connection { handle(.received(Array(copying: payload))) }
    }

    func connectionCaughtUp(_ connection: SecureConnection) {}

    func connectionDrained(_ connection: SecureConnection) {}

    func connectionEnded(_ end: ConnectionEnd) {
        connection = nil
        ends.append("\(end)")
        handle(.disconnected("\(end)"))
    }
}

/// Hands one answer from a loop to the thread that waits for it.
///
/// The semaphore orders the two accesses. That is why it is Sendable without the compiler's proof.
private final class AnswerBox: @unchecked Sendable {
    private var answer: LoadedReplica.Report?
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func put(_ report: LoadedReplica.Report) {
        answer = report
        sem_post(semaphore)
    }

    func wait() -> LoadedReplica.Report {
        while sem_wait(semaphore) != 0 {}
        guard let answer else { preconditionFailure("an answer comes before its signal") }
        return answer
    }
}
