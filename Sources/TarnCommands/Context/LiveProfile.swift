import Tarn
import TarnModel
import TarnProtocol

/// A profile's folder, and the server of its account.
final class LiveProfile: CommandProfile {
    private let profile: Profile

    init(_ name: String?, environment: (_ variable: String) -> String?) throws {
        let base = try Profile.base(environment: environment)
        profile = try Profile(name ?? Profile.defaultName, in: base)
    }

    func account() throws -> CommandAccount? { try profile.account().map(Self.shown) }

    func open(_ realm: RealmName) throws -> any CommandRealm {
        let account = try profile.requireAccount()
        return LiveRealm(try profile.openReplica(of: realm, for: account), account, profile)
    }

    func history(_ request: HistoryRequest) throws -> HistoryPage {
        try profile.history(request)
    }

    func login(
        _ request: LoginRequest, approve: (_ fingerprint: String, _ reason: String) throws -> Bool
    ) throws -> CommandAccount {
        var failure: (any Error)?
        do {
            let account = try profile.login(request) { fingerprint, reason in
                do {
                    return try approve(fingerprint, reason)
                } catch {
                    failure = error
                    return false
                }
            }
            return Self.shown(account)
        } catch {
            throw failure ?? error
        }
    }

    func logout(losingWork: Bool) throws -> String? {
        try profile.logout(force: losingWork).notRevoked?.sentence
    }

    private static func shown(_ account: Tarn.Account) -> CommandAccount {
        CommandAccount(user: account.user, server: account.serverName)
    }
}
