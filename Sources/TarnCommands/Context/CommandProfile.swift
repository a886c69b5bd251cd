package import Tarn
package import TarnModel
package import TarnProtocol

/// One user's place on this machine, as commands use it.
package protocol CommandProfile: AnyObject {
    /// Who is logged in, if anybody is.
    func account() throws -> CommandAccount?

    /// The realm of that name for who is logged in.
    func open(_ realm: RealmName) throws -> any CommandRealm

    /// What happened to a realm or an object, as the server tells it now.
    func history(_ request: HistoryRequest) throws -> HistoryPage

    /// Logs in, or registers and logs in; keeps the account.
    /// - Parameter approve: asked about a certificate that nobody vouches for, by its fingerprint
    ///   and why it is not trusted.
    func login(
        _ request: LoginRequest, approve: (_ fingerprint: String, _ reason: String) throws -> Bool
    ) throws -> CommandAccount

    /// Forgets the account and its replicas; answers a sentence where the server does not know of
    /// it. Work that no server has is the error `unsentWork`, unless it may be lost.
    func logout(losingWork: Bool) throws -> String?
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
