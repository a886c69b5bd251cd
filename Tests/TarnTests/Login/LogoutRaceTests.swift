import Glibc
import Tarn
import TarnClient
import TarnModel
import TarnTesting
import TarnTransport
import Testing

/// What others do to a profile while its user logs out; no server is there to hear of it.
struct LogoutRaceTests {
    private let folder = TemporaryFolder("tarn-logout")
    private let account = Tarn.Account(
        server: Endpoint(host: "127.0.0.1", port: 1), user: "alice", token: "t", trust: .system)

    private func open(_ profile: Profile) throws -> SharedReplica {
        try profile.openReplica(of: RealmName("alice/todo")!, for: account)
    }

    @Test
    func `who knew the account before the logout does not make its replica again`() throws {
        let profile = try Profile(in: folder.path)
        try profile.save(account)
        try open(profile).write { try $0.addClass(Note.schema) }

        _ = try profile.logout(force: true)

        #expect(try failure { try open(profile) }?.code == .replicaGone)
        #expect(TemporaryFolder.names(in: "\(profile.path)/realms/alice") == [])
    }

    @Test
    func `what is written to a new replica while the old one is removed is kept`() throws {
        let profile = try Profile(in: folder.path)
        for _ in 0..<20 {
            try profile.save(account)
            let old = try open(profile)
            try old.write { try $0.addClass(Note.schema) }
            try old.add(1, "old")

            let logout = try Worker { _ = try? profile.logout(force: true) }
            defer { logout.join() }
            let deadline = Deadline(seconds: 20)
            while old.isThere, !deadline.hasPassed {}
            // Whoever logs in again at this moment.
            try profile.save(account)
            let new = try open(profile)
            try new.write { try $0.addClass(Note.schema) }
            try new.add(2, "new")
            logout.join()

            #expect(try open(profile).notes() == [2: "new"])
            #expect(try failure { try old.add(3, "late") }?.code == .replicaGone)
        }
    }
}
