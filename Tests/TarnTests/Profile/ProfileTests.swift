import Glibc
import Tarn
import TarnModel
import TarnTesting
import TarnTransport
import Testing

struct ProfileTests {
    private let folder = TemporaryFolder("tarn-profile")

    private static let fingerprint = CertificateFingerprint(
        bytes: (0..<32).map { UInt8($0 * 7) })!

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func put(_ text: String, at path: String) {
        let file = fopen(path, "w")
        fputs(text, file)
        fclose(file)
    }

    @Test(arguments: [
        TLSClientContext.Trust.system, .authority("/a folder/ca.pem"), .pinned(fingerprint),
    ])
    func `an account is read as it was saved`(trust: TLSClientContext.Trust) throws {
        let profile = try Profile("work", in: folder.file("base"))
        let account = Tarn.Account(
            server: Endpoint(host: "::1", port: 9), user: "alice", token: "t0", trust: trust)

        try profile.save(account)

        #expect(try Profile("work", in: folder.file("base")).account() == account)
        #expect(mode(profile.path) == 0o700)
        #expect(mode(profile.accountPath) == 0o600)
    }

    @Test
    func `a later account replaces the earlier one, and leaves nothing beside it`() throws {
        let profile = try Profile(in: folder.path)
        var account = Tarn.Account(
            server: Endpoint(host: "h", port: 1), user: "alice", token: "one", trust: .system)
        try profile.save(account)

        account.token = "two"
        try profile.save(account)

        #expect(try profile.account()?.token == "two")
        #expect(TemporaryFolder.names(in: profile.path) == ["account"])
    }

    @Test
    func `where nobody is logged in, there is no account, and what needs one says so`() throws {
        let profile = try Profile(in: folder.path)

        #expect(try profile.account() == nil)
        #expect(try failure { try profile.requireAccount() }?.code == .notLoggedIn)
        #expect(try profile.realms() == [])
    }

    @Test(arguments: [
        "", "tarn-account 2\n", "something else\n", "tarn-account 1\n",
        "tarn-account 1\nserver h:1\npath /sync\nuser alice\ntoken t\ntrust system",
        "tarn-account 1\nserver h:1\npath /sync\nuser alice\ntrust system\n",
        "tarn-account 1\nserver h:1\npath /sync\nuser alice\ntoken t\ntrust pinned 12:34\n",
        "tarn-account 1\nserver h:1\npath /sync\nuser alice\ntoken t\ntrust nobody\n",
        "tarn-account 1\nserver h:99999\npath /sync\nuser alice\ntoken t\ntrust system\n",
        "tarn-account 1\nserver h:1\nuser a\nuser b\npath /sync\ntoken t\ntrust system\n",
        "tarn-account 1\n" + String(repeating: "x y\n", count: 10_000),
    ])
    func `an account file that is not whole is refused by name`(text: String) throws {
        let profile = try Profile(in: folder.path)
        put(text, at: profile.accountPath)

        let error = try failure { try profile.account() }

        #expect(error?.code == .accountCorrupt)
        #expect(error?.sentence.contains(profile.accountPath) == true)
        #expect(error?.advice != nil)
    }

    @Test
    func `an account with a line break in it is not written`() throws {
        let profile = try Profile(in: folder.path)
        let account = Tarn.Account(
            server: Endpoint(host: "h", port: 1), user: "alice", token: "a\nuser bob",
            trust: .system)

        #expect(try failure { try profile.save(account) }?.code == .accountCorrupt)
        #expect(try profile.account() == nil)
    }

    @Test(arguments: ["", "..", "a/b", "Work", ".hidden", "a b", "\u{1B}[2J"])
    func `a profile has a plain name`(name: String) throws {
        #expect(try failure { try Profile(name, in: folder.path) }?.code == .nameInvalid)
    }

    @Test
    func `a folder that cannot be is said so`() throws {
        put("a file", at: folder.file("base"))

        let error = try failure { try Profile(in: folder.file("base")) }

        #expect(error?.code == .folderUnusable)
        #expect(error?.sentence.contains(folder.file("base")) == true)
    }

    @Test
    func `a folder that others could look into is closed to them`() throws {
        let path = folder.file("default")
        mkdir(path, 0o755)
        chmod(path, 0o755)

        _ = try Profile(in: folder.path)

        #expect(mode(path) == 0o700)
    }

    @Test
    func `the base follows the environment`() throws {
        func base(_ environment: [String: String]) throws -> String {
            try Profile.base { environment[$0] }
        }

        #expect(try base(["TARN_HOME": "/t", "XDG_DATA_HOME": "/x", "HOME": "/h"]) == "/t")
        #expect(try base(["XDG_DATA_HOME": "/x", "HOME": "/h"]) == "/x/tarn")
        #expect(try base(["XDG_DATA_HOME": "x", "HOME": "/h"]) == "/h/.local/share/tarn")
        #expect(try failure { try base([:]) }?.code == .folderUnusable)
    }
}

/// What a body failed with; nil where it did not.
func failure<Answer>(_ body: () throws -> Answer) throws -> TarnError? {
    do {
        _ = try body()
        return nil
    } catch let error as TarnError {
        return error
    }
}
