import Glibc
import Tarn
import TarnClient
import TarnModel
import TarnStorage
import TarnTesting
import TarnTransport
import Testing

struct SyncDriverTests {
    @Test
    func `what is written on one replica arrives on another of the same user, and nowhere else`()
        throws
    {
        let stage = try Stage()
        let machine = try Machine()
        let (home, work, other) = (
            try stage.profile("home"), try stage.profile("work"), try stage.profile("bob")
        )
        try stage.login("alice", in: home)
        try stage.login("alice", in: work)
        try stage.login("bob", in: other)
        let (here, there, elsewhere) = (
            try stage.replica(in: home), try stage.replica(in: work), try stage.replica(in: other)
        )
        for (shared, profile) in [(here, home), (there, work), (elsewhere, other)] {
            try machine.start(shared, in: profile)
        }

        try here.add(1, "bread")

        #expect(try machine.reaches { try there.notes() == [1: "bread"] && here.unsent() == 0 })
        try there.rename(1, "rye bread")
        #expect(try machine.reaches { try here.notes() == [1: "rye bread"] })
        #expect(machine.drivers.allSatisfy { $0.status.connection == .connected })
        #expect(try elsewhere.notes() == [:])
        try machine.stop()
    }

    @Test
    func `work that was done offline on both sides arrives when the server is back`() throws {
        let stage = try Stage()
        let machine = try Machine()
        let (home, work) = (try stage.profile("home"), try stage.profile("work"))
        try stage.login("alice", in: home)
        try stage.login("alice", in: work)
        let (here, there) = (try stage.replica(in: home), try stage.replica(in: work))
        let drivers = [try machine.start(here, in: home), try machine.start(there, in: work)]
        try here.add(1, "bread")
        #expect(try machine.reaches { try there.notes() == [1: "bread"] && here.unsent() == 0 })

        stage.fell()
        #expect(try machine.reaches { drivers.allSatisfy { $0.status.connection == .offline } })
        try here.add(2, "milk")
        try there.add(3, "tea")
        #expect(try here.unsent() == 1 && there.unsent() == 1)
        #expect(drivers[0].status.problem?.contains(":\(stage.port)") == true)
        try stage.raise()

        let all: [Int64: String] = [1: "bread", 2: "milk", 3: "tea"]
        #expect(try machine.reaches { try here.notes() == all && there.notes() == all })
        #expect(try here.unsent() == 0 && there.unsent() == 0)
        try machine.stop()
    }

    @Test
    func `of two processes on one replica one leads, and sends what the other writes`() throws {
        let stage = try Stage()
        let machine = try Machine()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)
        let (one, two) = (try stage.replica(in: profile), try stage.replica(in: profile))
        let leader = try machine.start(one, in: profile)
        let follower = try machine.start(two, in: profile)
        #expect(leader.role == .leading(epoch: 1))
        #expect(follower.role == .following(leader.holder))

        try two.add(1, "bread")
        #expect(try one.notes() == [1: "bread"])

        #expect(try machine.reaches { try two.unsent() == 0 })
        #expect(try machine.reaches { follower.status.connection == .connected })
        try machine.stop()
    }

    @Test
    func `a leader that stops is followed by another at once`() throws {
        let stage = try Stage()
        let machine = try Machine()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)
        let (one, two) = (try stage.replica(in: profile), try stage.replica(in: profile))
        let leader = try machine.start(one, in: profile)
        let follower = try machine.start(two, in: profile)
        #expect(try machine.reaches { leader.status.connection == .connected })

        try machine.stop([leader])

        #expect(
            try machine.reaches(within: .milliseconds(LeaseRule.renewEvery)) {
                follower.role == .leading(epoch: 2)
            })
        try two.add(1, "bread")
        #expect(try machine.reaches { try two.unsent() == 0 })
        try machine.stop()
    }

    @Test
    func `a leader that is killed is followed by another before its lease is stale`() throws {
        let stage = try Stage()
        let machine = try Machine()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        let process = try Bystander()
        let began = Clock.steady()
        let holder = try #require(process.holder)
        _ = try shared.replica.claimLease(by: holder, holding: nil, now: began) { _ in true }
        let driver = try machine.start(shared, in: profile)
        #expect(driver.role == .following(holder))

        process.kill()

        #expect(
            try machine.reaches(within: .milliseconds(LeaseRule.staleAfter)) {
                driver.role == .leading(epoch: 2)
            })
        #expect(Clock.steady() - began < LeaseRule.staleAfter)
        try machine.stop()
    }

    @Test
    func `a leader that hangs is followed by another, and follows when it goes on`() throws {
        let stage = try Stage()
        let machine = try Machine()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        let process = try Bystander()
        // Its last sign of life was long ago, but it lives.
        let holder = try #require(process.holder)
        _ = try shared.replica.claimLease(
            by: holder, holding: nil, now: Clock.steady() - LeaseRule.staleAfter
        ) { _ in true }

        let driver = try machine.start(shared, in: profile)

        #expect(driver.role == .leading(epoch: 2))
        #expect(
            try shared.replica.claimLease(
                by: holder, holding: 1, now: Clock.steady(), isAlive: { _ in true }) == .lost)
        try machine.stop()
    }

    @Test
    func `more work than a connection takes at once goes up bit by bit`() throws {
        let stage = try Stage()
        let machine = try Machine()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        // More than a channel's first credit, and than a connection holds unsent by default.
        let text = String(repeating: "bread and ", count: 6_000)
        for id in 0..<160 { try shared.add(Int64(id), text) }

        let driver = try machine.start(shared, in: profile)

        #expect(try machine.reaches(within: .seconds(60)) { try shared.unsent() == 0 })
        #expect(driver.status.connection == .connected && driver.status.problem == nil)
        try machine.stop()
    }

    @Test
    func `who was logged out goes on when somebody logs in again`() throws {
        let stage = try Stage()
        let machine = try Machine()
        let profile = try stage.profile("home")
        let account = try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        try profile.save(
            Tarn.Account(
                server: account.server, user: account.user, token: "no-token-of-the-server",
                trust: account.trust))
        let driver = try machine.start(shared, in: profile)
        #expect(try machine.reaches { driver.fault?.code == .loginRefused })
        #expect(driver.status.connection == .stopped)

        try stage.login("alice", in: profile)

        #expect(try machine.reaches { driver.status.connection == .connected })
        #expect(driver.fault == nil)
        try machine.stop()
    }

    @Test
    func `a driver ends when its user logs out elsewhere`() throws {
        let stage = try Stage()
        let machine = try Machine()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        let driver = try machine.start(shared, in: profile)
        #expect(try machine.reaches { try shared.unsent() == 0 })

        _ = try profile.logout()

        #expect(try machine.reaches { driver.role == .idle })
        #expect(try failure { try shared.add(1, "late") }?.code == .replicaGone)
    }
}

/// A process that does nothing, to hold a lease and be killed.
final class Bystander {
    private var process: pid_t = 0

    struct StartFailed: Error {}

    init() throws {
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("600"), nil]
        defer { for word in words { free(word) } }
        guard posix_spawnp(&process, "sleep", nil, nil, &words, environ) == 0 else {
            throw StartFailed()
        }
    }

    deinit { if process > 0 { kill() } }

    var holder: LeaseHolder? { RunningProcess.holder(of: Int64(process)) }

    func kill() {
        Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        process = 0
    }
}
