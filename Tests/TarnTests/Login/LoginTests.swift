import Glibc
import Tarn
import TarnModel
import TarnProtocol
import TarnTesting
import TarnTransport
import Testing

struct LoginTests {
    @Test
    func `who registers may log in again, with the right password only`() throws {
        let stage = try Stage()
        let (home, work) = (try stage.profile("home"), try stage.profile("work"))
        func enter(_ profile: Profile, _ password: String, register: Bool) throws -> Tarn.Account {
            try profile.login(
                to: stage.server,
                as: .password(name: "alice", password: password, register: register),
                trust: stage.trust
            ) { _ in false }
        }

        let account = try enter(home, "correct horse", register: true)

        #expect(account.user == "alice")
        #expect(try home.account() == account)
        let taken = try failure { try enter(work, "correct horse", register: true) }
        #expect(taken?.code == .nameTaken)
        let wrong = try failure { try enter(work, "wrong horse", register: false) }
        #expect(wrong?.code == .loginRefused)
        #expect(try work.account() == nil)
        #expect(try enter(work, "correct horse", register: false).token != account.token)
    }

    @Test
    func `an unknown certificate is shown, and pinned when a person approves`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        var shown: [UnknownCertificate] = []

        let account = try profile.login(to: stage.server, as: .nickname("alice")) {
            shown.append($0)
            return true
        }

        let fingerprint = try #require(shown.first?.fingerprint)
        #expect(shown.count == 1)
        #expect(account.trust == .pinned(fingerprint))
        // From now on it is believed in silence.
        let again = try profile.login(to: stage.server, as: .nickname("alice")) { _ in
            Issue.record("it was asked again")
            return false
        }
        #expect(again.trust == account.trust)
    }

    @Test
    func `a certificate that nobody approves of ends the login, and nothing is kept`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")

        let error = try failure {
            try profile.login(to: stage.server, as: .nickname("alice")) { _ in false }
        }

        #expect(error?.code == .certificateRefused)
        #expect(try profile.account() == nil)
    }

    @Test
    func `another certificate than the pinned one is refused without a question`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let other = try #require(CertificateFingerprint(bytes: [UInt8](repeating: 7, count: 32)))

        let error = try failure {
            try profile.login(to: stage.server, as: .nickname("alice"), trust: .pinned(other)) {
                _ in
                Issue.record("it was asked")
                return true
            }
        }

        #expect(error?.code == .certificateRefused)
        #expect(error?.advice?.contains("pin") == true)
    }

    @Test
    func `an authority that cannot be read is named`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let missing = stage.folder.file("nowhere.pem")

        let error = try failure {
            try profile.login(
                to: stage.server, as: .nickname("alice"), trust: .authority(missing)
            ) { _ in true }
        }

        #expect(error?.sentence.contains(missing) == true)
    }

    @Test
    func `a server that is not there is said so`() throws {
        let stage = try Stage()
        stage.fell()

        let error = try failure { try stage.login("alice", in: try stage.profile("home")) }

        #expect(error?.code == .cannotConnect)
        #expect(error?.sentence.contains("localhost:\(stage.port)") == true)
    }

    @Test
    func `what is too long for a login is refused before it is sent`() throws {
        let folder = TemporaryFolder("tarn-login")
        let profile = try Profile(in: folder.path)
        let long = String(repeating: "é", count: 35_000)
        let credentials: [Credentials] = [
            .password(name: long, password: "correct horse", register: true),
            .password(name: "alice", password: long, register: false),
            .nickname(long), .token(long),
        ]

        for each in credentials {
            // Nobody answers there, which would be another error.
            let error = try failure {
                try profile.login(to: Endpoint(host: "127.0.0.1", port: 1), as: each) { _ in false }
            }
            #expect(error?.code == .nameInvalid || error?.code == .requestInvalid)
            #expect(error?.sentence.contains("at most 1024 bytes; this one has 70000") == true)
        }
        #expect(try profile.account() == nil)
    }

    @Test
    func `a profile is one user's at a time`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)

        let error = try failure { try stage.login("bob", in: profile) }

        #expect(error?.code == .alreadyLoggedIn)
        #expect(try profile.account()?.user == "alice")
    }

    @Test
    func `nobody logs in where another user's replicas were left`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        try profile.removeAccount()

        let error = try failure { try stage.login("bob", in: profile) }

        #expect(error?.code == .alreadyLoggedIn)
        #expect(error?.sentence.contains("alice") == true)
        #expect(try profile.account() == nil && shared.unsent() == 1)
        try stage.login("alice", in: profile)
    }

    @Test
    func `a logout revokes the token and removes the user's replicas`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let account = try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        let outcome = try SyncRun(shared, of: account, in: profile).syncBriefly(upTo: .seconds(20))
        #expect(outcome == .done)

        let report = try profile.logout()

        #expect(report.user == "alice" && report.notRevoked == nil)
        #expect(try profile.account() == nil && profile.realms() == [])
        #expect(TemporaryFolder.names(in: "\(profile.path)/realms/alice") == [])
        let stale = try failure {
            try profile.login(to: stage.server, as: .token(account.token), trust: stage.trust) {
                _ in false
            }
        }
        #expect(stale?.code == .loginRefused)
    }

    @Test
    func `unsent work is not lost by a logout that does not say so`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)
        stage.fell()
        let shared = try stage.replica(in: profile)
        try shared.add(1, "bread")

        let refused = try failure { try profile.logout() }

        #expect(refused?.code == .unsentWork)
        #expect(refused?.sentence.contains("alice/todo") == true)
        #expect(try profile.unsentWork().map(\.transactionCount) == [2])
        #expect(try shared.notes() == [1: "bread"])

        let report = try profile.logout(force: true)

        #expect(report.notRevoked?.code == .cannotConnect)
        #expect(try profile.account() == nil && profile.realms() == [])
    }

    @Test
    func `unsent work in one replica keeps a logout from removing any`() throws {
        let stage = try Stage()
        let profile = try stage.profile("home")
        let account = try stage.login("alice", in: profile)
        stage.fell()
        let quiet = try profile.openReplica(of: RealmName("alice/a")!, for: account)
        let busy = try stage.replica(in: profile)

        let refused = try failure { try profile.logout() }

        #expect(refused?.code == .unsentWork)
        #expect(quiet.isThere && busy.isThere)
        #expect(try profile.account() == account)
    }
}
