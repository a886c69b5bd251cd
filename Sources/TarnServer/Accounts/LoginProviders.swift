package import TarnStorage

/// Ways to log in that a server may allow.
package struct LoginProviders: Sendable, Equatable {
    /// Whether a bare name logs in: for development only.
    package var allowsNicknames: Bool
    /// Whether strangers may register themselves.
    package var allowsRegistration: Bool

    package init(allowsNicknames: Bool = false, allowsRegistration: Bool = true) {
        self.allowsNicknames = allowsNicknames
        self.allowsRegistration = allowsRegistration
    }
}

/// The cryptography that logins need, handed in.
package struct AccountCryptography: Sendable {
    package let sha256: @Sendable ([UInt8]) -> [UInt8]
    /// Throws where the system has no randomness: then nobody can be given a token.
    package let randomBytes: @Sendable (Int) throws -> [UInt8]
    /// The scrypt hash of a password by a given salt, at the current cost.
    package let hashPassword:
        @Sendable (_ password: [UInt8], _ salt: [UInt8]) throws -> PasswordHash
    /// Whether a password gives that hash, compared in constant time.
    package let verifyPassword: @Sendable (_ password: [UInt8], PasswordHash) throws -> Bool

    package init(
        sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        randomBytes: @escaping @Sendable (Int) throws -> [UInt8],
        hashPassword: @escaping @Sendable ([UInt8], [UInt8]) throws -> PasswordHash,
        verifyPassword: @escaping @Sendable ([UInt8], PasswordHash) throws -> Bool
    ) {
        self.sha256 = sha256
        self.randomBytes = randomBytes
        self.hashPassword = hashPassword
        self.verifyPassword = verifyPassword
    }
}
