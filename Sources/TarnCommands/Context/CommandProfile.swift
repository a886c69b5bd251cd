package import TarnModel

/// One user's place on this machine, as commands use it.
package protocol CommandProfile: AnyObject {
    /// Who is logged in, if anybody is.
    func account() throws -> CommandAccount?

    /// The realm of that name for who is logged in.
    func open(_ realm: RealmName) throws -> any CommandRealm

    /// Logs in, or registers and logs in; keeps the account.
    /// - Parameter believe: asked about a certificate that nobody vouches for, by its fingerprint.
    func login(
        _ request: LoginRequest, believe: (_ fingerprint: String) throws -> Bool
    ) throws -> CommandAccount

    /// Forgets the account and its replicas.
    /// - Parameter abandon: even where that loses work which no server has.
    func logout(abandon: Bool) throws
}

/// Who is logged in, and where.
package struct CommandAccount: Equatable, Sendable {
    package let user: String
    package let server: String

    package init(user: String, server: String) {
        self.user = user
        self.server = server
    }
}

/// What a person says to log in.
package struct LoginRequest: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case register(password: String)
        case password(String)
        case nickname
    }

    package enum Trust: Equatable, Sendable {
        /// The authorities that the machine knows, and the person where those do not do.
        case system
        /// Those in a PEM file.
        case authority(String)
        case fingerprint(String)
    }

    package let kind: Kind
    package let user: String
    package let server: String
    package let trust: Trust

    package init(kind: Kind, user: String, server: String, trust: Trust) {
        self.kind = kind
        self.user = user
        self.server = server
        self.trust = trust
    }
}
