import Glibc
import Tarn
import TarnClient
import TarnModel
import TarnStorage
import TarnTesting
import TarnTransport
import Testing

struct SharedReplicaTests {
    private let folder = TemporaryFolder("tarn-shared")
    private let account = Tarn.Account(
        server: Endpoint(host: "localhost", port: 1), user: "alice", token: "t", trust: .system)

    private func open(_ profile: Profile) throws -> SharedReplica {
        try profile.save(account)
        return try profile.openReplica(of: RealmName("alice/todo")!, for: account)
    }

    @Test
    func `all handles on one file see what each writes`() throws {
        let profile = try Profile(in: folder.path)
        let (one, two) = (try open(profile), try open(profile))

        try one.write { try $0.addClass(Note.schema) }
        try two.add(1, "bread")
        try one.rename(1, "rye bread")

        #expect(try two.notes() == [1: "rye bread"])
        #expect(try profile.realms().map(\.description) == ["alice/todo"])
    }

    @Test
    func `the files of a replica are their owner's alone`() throws {
        let profile = try Profile(in: folder.path)
        let shared = try open(profile)
        try shared.write { try $0.addClass(Note.schema) }
        let place = "\(profile.path)/realms/alice"

        for name in TemporaryFolder.names(in: place) {
            var status = stat()
            #expect(stat("\(place)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test
    func `another user's replica is not opened`() throws {
        let profile = try Profile(in: folder.path)
        _ = try open(profile)
        let bob = Tarn.Account(server: account.server, user: "bob", token: "t", trust: .system)
        try profile.save(bob)

        let error = try failure {
            try profile.openReplica(of: RealmName("alice/todo")!, for: bob)
        }

        #expect(error?.code == .replicaUnusable)
    }

    @Test
    func `a file that is no replica is refused, and stays as it is`() throws {
        let profile = try Profile(in: folder.path)
        _ = try open(profile)
        let path = profile.replicaPath(of: RealmName("alice/notes")!)
        let file = fopen(path, "w")
        fputs(String(repeating: "no database at all. ", count: 1_000), file)
        fclose(file)

        let error = try failure {
            try profile.openReplica(of: RealmName("alice/notes")!, for: account)
        }

        #expect(error?.code == .replicaCorrupt)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size == 20_000)
    }

    @Test
    func `a log that an interrupted logout left is not taken for the new replica's`() throws {
        let profile = try Profile(in: folder.path)
        let path = profile.replicaPath(of: RealmName("alice/todo")!)
        let old = try open(profile)
        try old.write { try $0.addClass(Note.schema) }
        try old.add(1, "secret")

        // The old one has the file open, so its log is still there.
        unlink(path)
        let new = try open(profile)

        #expect(try new.notes() == [:])
        #expect(try failure { try old.add(2, "late") }?.code == .replicaGone)
    }

    @Test
    func `nobody leads a replica that nobody synchronises`() throws {
        let shared = try open(try Profile(in: folder.path))
        #expect(try shared.synchronisation().leader == nil)

        let process = try Bystander()
        let holder = try #require(process.holder)
        _ = try shared.replica.claimLease(by: holder, holding: nil, now: Clock.steady()) { _ in
            true
        }
        try shared.replica.setSyncStatus(.connected, problem: nil)
        #expect(try shared.synchronisation().leader == holder)
        #expect(try shared.synchronisation().status.connection == .connected)

        process.kill()

        #expect(try shared.synchronisation().leader == nil)
        #expect(try shared.synchronisation().status.connection == .offline)
    }
}
