import TarnModel
package import TarnProtocol
package import TarnStorage

/// Who somebody is. Each call may cost a password's hash (50 ms), so it has a thread of its own.
package final class Authenticator {
    private let accounts: any AccountStore
    private let cryptography: AccountCryptography
    private let providers: LoginProviders

    package init(
        accounts: any AccountStore, cryptography: AccountCryptography, providers: LoginProviders
    ) {
        self.accounts = accounts
        self.cryptography = cryptography
        self.providers = providers
    }

    package func login(_ credentials: Credentials) -> LoginOutcome {
        do {
            switch credentials {
            case .password(let name, let password, true):
                return try register(name, password)
            case .password(let name, let password, false):
                return try login(name, password)
            case .nickname(let name):
                return try login(nickname: name)
            case .token(let token):
                return try login(token: token)
            }
        } catch {
            return .refused(
                ProtocolError(.storageFailed, "The server cannot look up accounts just now."))
        }
    }

    /// Ends the session that a token stands for.
    package func revoke(token: String) throws(StorageError) {
        try accounts.removeToken(hash(of: token))
    }

    /// Adds a user, as an administrator does; answers what is wrong with the name or password.
    package func add(_ name: String, password: String) throws -> ProtocolError? {
        if let fault = Self.fault(inName: name) ?? Self.fault(inPassword: password) { return fault }
        let hash = try cryptography.hashPassword(
            Array(password.utf8), try cryptography.randomBytes(16))
        guard try accounts.create(Account(id: name, password: hash)) else {
            return ProtocolError(.nameTaken, "There is a user \(name) already.")
        }
        return nil
    }

    private func register(_ name: String, _ password: String) throws -> LoginOutcome {
        guard providers.allowsRegistration else {
            return .refused(
                ProtocolError(
                    .providerDisabled, "This server does not let people register themselves.",
                    advice: "Ask whoever runs it for an account."))
        }
        if let fault = try fault(inNew: name) { return .refused(fault) }
        if let fault = try add(name, password: password) { return .refused(fault) }
        return try accepted(name)
    }

    private func login(_ name: String, _ password: String) throws -> LoginOutcome {
        guard let known = try accounts.account(name)?.password else {
            // Unknown names cost what known ones do, so that time tells nobody who is here.
            _ = try cryptography.hashPassword(
                Array(password.utf8), try cryptography.randomBytes(16))
            return .refused(.wrongPassword)
        }
        guard try cryptography.verifyPassword(Array(password.utf8), known) else {
            return .refused(.wrongPassword)
        }
        return try accepted(name)
    }

    private func login(nickname name: String) throws -> LoginOutcome {
        guard providers.allowsNicknames else {
            return .refused(
                ProtocolError(
                    .providerDisabled, "The login provider \"nickname\" is switched off.",
                    advice: "It is for development: tarnd serve --allow-nicknames."))
        }
        if let fault = try Self.fault(inName: name) ?? fault(inNew: name) {
            return .refused(fault)
        }
        let isNew = try accounts.create(Account(id: name, password: nil))
        if !isNew, try accounts.account(name)?.password != nil {
            return .refused(
                ProtocolError(.loginRefused, "The user \(name) logs in with a password."))
        }
        return try accepted(name)
    }

    private func login(token: String) throws -> LoginOutcome {
        guard let user = try accounts.user(ofToken: hash(of: token)),
            try accounts.account(user) != nil
        else {
            return .refused(
                ProtocolError(.loginRefused, "The session has ended.", advice: "Log in again."))
        }
        return .accepted(user: user, token: nil)
    }

    private func accepted(_ name: String) throws -> LoginOutcome {
        let token = try cryptography.randomBytes(32).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 2 ? digits : "0" + digits
        }.joined()
        try accounts.addToken(hash(of: token), of: name)
        return .accepted(user: name, token: token)
    }

    private func hash(of token: String) -> [UInt8] { cryptography.sha256(Array(token.utf8)) }

    /// A removed user's realms stay, and are nobody else's: only who runs the server may give the
    /// name out again.
    private func fault(inNew name: String) throws(StorageError) -> ProtocolError? {
        guard try accounts.account(name) == nil,
            try accounts.realms().contains(where: { $0.name.owner == name })
        else { return nil }
        return ProtocolError(.nameTaken, "The name \(name) was a former user's.")
    }

    private static func fault(inName name: String) -> ProtocolError? {
        if name == RealmName.localOwner {
            // Its realms are those that no server has.
            return ProtocolError(.nameInvalid, "Nobody can be called \"\(name)\".")
        }
        guard !RealmName.isValidPart(name) else { return nil }
        return ProtocolError(
            .nameInvalid,
            "A name is 1 to 64 of a-z, 0-9, \"-\", \"_\" and \".\"; a letter or digit comes first.")
    }

    private static func fault(inPassword password: String) -> ProtocolError? {
        guard password.utf8.count < ProtocolLimits.passwordBytesMin else { return nil }
        return ProtocolError(
            .nameInvalid,
            "A password has at least \(ProtocolLimits.passwordBytesMin) characters.")
    }
}

extension ProtocolError {
    fileprivate static let wrongPassword = ProtocolError(
        .loginRefused, "The name or the password is wrong.")
}
