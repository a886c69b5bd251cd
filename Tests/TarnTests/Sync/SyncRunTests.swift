import Glibc
import Tarn
import TarnClient
import TarnModel
import TarnStorage
import TarnTesting
import TarnTransport
import Testing

/// One-shot commands: they run a loop on their own thread until they have what they want.
struct SyncRunTests {
    @Test
    func `a command that leads waits for its receipts and gives the lease back`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let account = try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        try shared.add(1, "bread")

        let outcome = try SyncRun(shared, of: account, in: profile).syncBriefly(upTo: .seconds(20))

        #expect(outcome == .done)
        #expect(try shared.unsent() == 0)
        #expect(try shared.synchronisation().leader == nil)
        // Nothing is unsent, so the next has nothing to wait for, with or without a server.
        stage.fell()
        #expect(try SyncRun(shared, of: account, in: profile).syncBriefly() == .done)
    }

    @Test
    func `a command without a connection says why, and loses nothing`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let account = try stage.login("alice", in: profile)
        stage.fell()
        let shared = try stage.replica(in: profile)
        try shared.add(1, "bread")

        let outcome = try SyncRun(shared, of: account, in: profile).syncBriefly()

        guard case .offline(let why) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(why.contains("localhost:\(stage.port)"))
        #expect(try shared.notes() == [1: "bread"])
        let status = try shared.synchronisation().status
        #expect(status.connection == .offline && status.problem == why)
    }

    @Test
    func `a server that says nothing costs a command no more than its time`() throws {
        let silent = try SilentServer()
        let folder = TemporaryFolder("tarn-run")
        let profile = try Profile(in: folder.path)
        let account = Tarn.Account(
            server: Endpoint(host: "127.0.0.1", port: silent.port), user: "alice", token: "t",
            trust: .system)
        try profile.save(account)
        let shared = try profile.openReplica(of: .init("alice/todo")!, for: account)
        try shared.write { try $0.addClass(Note.schema) }
        let began = Clock.steady()

        let outcome = try SyncRun(shared, of: account, in: profile)
            .syncBriefly(upTo: .milliseconds(300))

        #expect(outcome == .timedOut)
        #expect(Clock.steady() - began < 3_000)
        #expect(try shared.synchronisation().leader == nil)
    }

    @Test
    func `a command leaves the work to whoever leads`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let account = try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        let process = try Bystander()
        let holder = try #require(process.holder)
        _ = try shared.replica.claimLease(by: holder, holding: nil, now: Clock.steady()) { _ in
            true
        }
        try shared.add(1, "bread")

        #expect(try SyncRun(shared, of: account, in: profile).syncBriefly() == .leftToLeader)
        #expect(try shared.synchronisation().leader == holder)
    }

    @Test
    func `what another machine wrote is here when a wait for it is over`() throws {
        let stage = try Stage()
        let (home, work) = (try stage.profile("home"), try stage.profile("work"))
        let account = try stage.login("alice", in: home)
        try stage.login("alice", in: work)
        let (here, there) = (try stage.replica(in: home), try stage.replica(in: work))
        try here.add(1, "bread")
        let run = try SyncRun(here, of: account, in: home)
        #expect(run.waitUntilSynced(upTo: .seconds(20)) == .done)

        let outcome = try SyncRun(there, of: try work.requireAccount(), in: work)
            .waitUntilSynced(upTo: .seconds(20))

        #expect(outcome == .done)
        #expect(try there.notes() == [1: "bread"])
        let states = try there.replica.read { try $0.subscriptions().map(\.state) }
        #expect(states.allSatisfy { if case .complete = $0 { true } else { false } })
        // It is the same when it is asked again, and what came meanwhile is there.
        try here.add(2, "milk")
        #expect(run.syncBriefly(upTo: .seconds(20)) == .done)
        let again = try SyncRun(there, of: try work.requireAccount(), in: work)
        #expect(again.waitUntilSynced(upTo: .seconds(20)) == .done)
        #expect(try there.notes() == [1: "bread", 2: "milk"])
    }

    @Test
    func `a server that is back is found by the next command, whatever the last one met`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let account = try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        stage.fell()
        try shared.add(1, "bread")
        let down = try SyncRun(shared, of: account, in: profile).syncBriefly(upTo: .seconds(20))
        guard case .offline = down else {
            Issue.record("without a server it was \(down)")
            return
        }

        try stage.raise()

        let up = try SyncRun(shared, of: account, in: profile).syncBriefly(upTo: .seconds(20))
        #expect(up == .done)
        #expect(try shared.unsent() == 0)
        let synced = try SyncRun(shared, of: account, in: profile)
            .waitUntilSynced(upTo: .seconds(20))
        #expect(synced == .done)
    }

    @Test
    func `a watch hears of every change until it is stopped`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let account = try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        let elsewhere = try stage.replica(in: profile)
        var seen: [[Int64: String]] = []
        var isAdded = false

        let outcome = try SyncRun(shared, of: account, in: profile).run { notice, run in
            if case .statusChanged(let status) = notice, status.connection == .connected, !isAdded {
                isAdded = true
                do { try elsewhere.add(1, "bread") } catch { Issue.record(error) }
            }
            guard notice == .replicaChanged, let notes = try? run.shared.notes() else { return }
            seen.append(notes)
            if notes == [1: "bread"], (try? run.shared.unsent()) == 0 { run.stop() }
        }

        #expect(outcome == .stopped)
        #expect(seen.last == [1: "bread"])
        #expect(try shared.synchronisation().leader == nil)
    }
}

extension SyncRunTests {
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal ends a watch, which gives the lease back first`(signal: Int32) throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let account = try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)

        let outcome = try SyncRun(shared, of: account, in: profile).run { notice, _ in
            guard case .statusChanged(let status) = notice, status.connection == .connected else {
                return
            }
            pthread_kill(pthread_self(), signal)
        }

        #expect(outcome == .interrupted(signal))
        let lease = try shared.replica.read { try $0.store.lease() }
        #expect(lease.epoch == 1 && lease.holder == nil)
    }
}

extension SyncRunTests {
    @Test
    func `a watch that is stopped by hand leaves the lead, and takes it again when it goes on`()
        throws
    {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let account = try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        let elsewhere = try stage.replica(in: profile)
        var leases: [Lease] = []
        func noteLease() {
            do {
                leases.append(try elsewhere.replica.read { try $0.store.lease() })
            } catch {
                Issue.record(error)
            }
        }

        let run = try SyncRun(
            shared, of: account, in: profile,
            stand: {
                noteLease()
                do { try elsewhere.add(1, "meanwhile") } catch { Issue.record(error) }
            })
        let outcome = run.run { notice, run in
            guard case .statusChanged(let status) = notice, status.connection == .connected else {
                return
            }
            let isFirst = leases.isEmpty
            noteLease()
            if isFirst { pthread_kill(pthread_self(), SIGTSTP) } else { run.stop() }
        }

        #expect(outcome == .stopped)
        #expect(leases.map(\.epoch) == [1, 1, 2])
        #expect(leases.map { $0.holder == nil } == [false, true, false])
    }
}

/// Takes connections, and never says a word.
final class SilentServer {
    let port: UInt16
    private let descriptor: Int32

    struct StartFailed: Error {}

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, count) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &count) == 0
            }
        }
        guard isBound else { throw StartFailed() }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
