import TarnModel
import TarnProtocol
import TarnStorage
import Testing

@testable import TarnServer

/// Who somebody is, by password, nickname or token.
struct AuthenticatorTests {
    private let accounts = MemoryAccountStore()

    private func authenticator(nicknames: Bool = false, registration: Bool = true) -> Authenticator
    {
        Authenticator(
            accounts: accounts,
            cryptography: AccountCryptography(
                sha256: Digest.of,
                randomBytes: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } },
                hashPassword: { password, salt in
                    PasswordHash(
                        salt: salt, hash: Digest.of(salt + password), cost: 1, blockSize: 1,
                        parallelism: 1)
                },
                verifyPassword: { password, known in
                    Digest.of(known.salt + password) == known.hash
                }),
            providers: LoginProviders(
                allowsNicknames: nicknames, allowsRegistration: registration))
    }

    private func password(_ name: String, _ password: String, new: Bool = false) -> Credentials {
        .password(name: name, password: password, register: new)
    }

    private func code(_ outcome: LoginOutcome) -> ErrorCode? {
        if case .refused(let error) = outcome { error.code } else { nil }
    }

    private func token(_ outcome: LoginOutcome) throws -> String {
        guard case .accepted(_, let token?) = outcome else {
            throw StorageError(.unavailable, while: "logging in", cause: "\(outcome)")
        }
        return token
    }

    @Test func `who registers may log in again by the password and by the token`() throws {
        let authenticator = authenticator()
        let first = authenticator.login(password("alice", "correct horse", new: true))
        let held = try token(first)

        #expect(code(authenticator.login(password("alice", "correct horse"))) == nil)
        #expect(authenticator.login(.token(held)) == .accepted(user: "alice", token: nil))
        #expect(held.utf8.count == 64)
    }

    @Test func `a wrong password and an unknown name are told alike`() {
        let authenticator = authenticator()
        _ = authenticator.login(password("alice", "correct horse", new: true))

        let wrong = authenticator.login(password("alice", "wrong horse"))

        #expect(code(wrong) == .loginRefused)
        #expect(authenticator.login(password("nobody", "wrong horse")) == wrong)
    }

    @Test func `a name is registered once, and has to be one`() {
        let authenticator = authenticator()
        _ = authenticator.login(password("alice", "correct horse", new: true))

        #expect(
            code(authenticator.login(password("alice", "another one", new: true))) == .nameTaken)
        #expect(
            code(authenticator.login(password("../etc", "long enough", new: true))) == .nameInvalid)
        #expect(code(authenticator.login(password("bob", "short", new: true))) != nil)
        #expect(code(authenticator.login(password("alice", "correct horse"))) == nil)
    }

    @Test func `where nobody may register, an administrator adds users`() throws {
        let authenticator = authenticator(registration: false)
        #expect(
            code(authenticator.login(password("alice", "correct horse", new: true)))
                == .providerDisabled)

        #expect(try authenticator.add("alice", password: "correct horse") == nil)

        #expect(code(authenticator.login(password("alice", "correct horse"))) == nil)
    }

    @Test func `a nickname that is switched off is refused by the provider's name`() {
        let outcome = authenticator().login(.nickname("alice"))

        guard case .refused(let error) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(error.code == .providerDisabled)
        #expect(error.sentence.contains("nickname"))
    }

    @Test func `a nickname logs in where it is allowed, but not into an account with a password`() {
        let authenticator = authenticator(nicknames: true)
        _ = authenticator.login(password("alice", "correct horse", new: true))

        #expect(code(authenticator.login(.nickname("carol"))) == nil)
        #expect(code(authenticator.login(.nickname("carol"))) == nil)
        #expect(code(authenticator.login(.nickname("alice"))) == .loginRefused)
        #expect(code(authenticator.login(.nickname("No Name"))) == .nameInvalid)
        #expect(code(authenticator.login(password("carol", ""))) == .loginRefused)
    }

    @Test func `a token is worth nothing once it is revoked`() throws {
        let authenticator = authenticator(nicknames: true)
        let one = try token(authenticator.login(.nickname("alice")))
        let two = try token(authenticator.login(.nickname("alice")))

        try authenticator.revoke(token: one)

        #expect(code(authenticator.login(.token(one))) == .loginRefused)
        #expect(code(authenticator.login(.token(two))) == nil)
        #expect(code(authenticator.login(.token("made up"))) == .loginRefused)
    }

    @Test func `a removed user's tokens and password are worth nothing`() throws {
        let authenticator = authenticator()
        let held = try token(authenticator.login(password("alice", "correct horse", new: true)))

        #expect(try accounts.remove("alice"))

        #expect(code(authenticator.login(.token(held))) == .loginRefused)
        #expect(code(authenticator.login(password("alice", "correct horse"))) == .loginRefused)
    }

    @Test func `a removed user's name is not given to the next who asks for it`() throws {
        let authenticator = authenticator(nicknames: true)
        _ = try token(authenticator.login(password("alice", "correct horse", new: true)))
        let name = try #require(RealmName(owner: "alice", name: "todo"))
        let id = try #require(RealmID(bytes: Array(repeating: 7, count: 16)))
        #expect(try accounts.createRealm(name, id: id))
        #expect(try accounts.remove("alice"))

        #expect(
            code(authenticator.login(password("alice", "another horse", new: true))) == .nameTaken)
        #expect(code(authenticator.login(.nickname("alice"))) == .nameTaken)
        // Whoever runs the server may.
        #expect(try authenticator.add("alice", password: "correct horse") == nil)
        #expect(code(authenticator.login(password("alice", "correct horse"))) == nil)
    }

    @Test func `without randomness nobody is given a token`() throws {
        struct NoRandomness: Error {}
        let authenticator = Authenticator(
            accounts: accounts,
            cryptography: AccountCryptography(
                sha256: { $0 }, randomBytes: { _ in throw NoRandomness() },
                hashPassword: { _, _ in throw NoRandomness() },
                verifyPassword: { _, _ in true }),
            providers: LoginProviders(allowsNicknames: true))

        #expect(code(authenticator.login(.nickname("alice"))) == .storageFailed)
        #expect(code(authenticator.login(.token(""))) == .loginRefused)
    }
}
