import Synchronization
import TarnCrypto
import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage
import TarnTransport

/// The thread of accounts: passwords are hashed here, 50 ms each, and realm names looked up.
///
/// It crosses threads: the counter is atomic; accounts and authenticator are touched on the desk's
/// loop only. That is why it is Sendable without the compiler's proof.
final class AccountDesk: @unchecked Sendable {
    private let loop: EventLoop
    private let accounts: any AccountStore
    private let authenticator: Authenticator
    private let waiting = Atomic(0)
    /// Logins that may wait: ten seconds' worth.
    private static let waitingMax = 200

    init(accounts: any AccountStore, providers: LoginProviders, on loop: EventLoop) {
        self.loop = loop
        self.accounts = accounts
        authenticator = Authenticator(
            accounts: accounts, cryptography: .openSSL, providers: providers)
    }

    /// The answer comes on the desk's thread.
    func login(
        _ credentials: Credentials, answer: @escaping @Sendable (LoginOutcome) -> Void
    ) {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.waitingMax else {
            waiting.subtract(1, ordering: .relaxed)
            return answer(
                .refused(ProtocolError(.overloaded, "Too many people log in just now.")))
        }
        loop.execute { [self] in
            waiting.subtract(1, ordering: .relaxed)
            answer(authenticator.login(credentials))
        }
    }

    func revoke(token: String) {
        loop.execute { [self] in
            // Who logs out goes either way; a token that could not be taken back is of no use
            // without its owner's file.
            try? authenticator.revoke(token: token)
        }
    }

    /// The id of a realm, made for it at first use.
    func realm(
        _ name: RealmName, answer: @escaping @Sendable (Result<RealmID, StorageError>) -> Void
    ) {
        loop.execute { [self] in
            do throws(StorageError) {
                answer(.success(try findRealm(name)))
            } catch {
                answer(.failure(error))
            }
        }
    }

    private func findRealm(_ name: RealmName) throws(StorageError) -> RealmID {
        if let known = try accounts.realm(name) { return known }
        guard let bytes = try? RandomBytes.make(RealmID.byteCount), let id = RealmID(bytes: bytes)
        else { throw StorageError(.unavailable, while: "making a realm's id") }
        _ = try accounts.createRealm(name, id: id)
        return try accounts.realm(name) ?? id
    }
}

extension AccountCryptography {
    /// OpenSSL's, at the cost that the design sets.
    static let openSSL = AccountCryptography(
        sha256: { SHA256.hash($0) },
        randomBytes: { try RandomBytes.make($0) },
        hashPassword: { password, salt in
            let scrypt = Scrypt.password
            return PasswordHash(
                salt: salt, hash: try scrypt.key(password: password, salt: salt, count: 32),
                cost: 1 << scrypt.costExponent, blockSize: scrypt.blockSize,
                parallelism: scrypt.parallelism)
        },
        verifyPassword: { password, known in
            let scrypt = Scrypt(
                costExponent: known.cost.trailingZeroBitCount, blockSize: known.blockSize,
                parallelism: known.parallelism)
            let hash = try scrypt.key(password: password, salt: known.salt, count: known.hash.count)
            return ConstantTime.areEqual(hash, known.hash)
        })
}
