import Tarn
import TarnClient
import TarnCommands
import TarnModel
import TarnProtocol
import TarnStorage

/// A profile whose realms are in memory and whose server believes everybody.
final class FakeProfile: CommandProfile {
    var present: CommandAccount?
    /// What a login meets: a certificate to be approved, by its fingerprint.
    var unknownFingerprint: String?
    var loginError: TarnError?
    var hasUnsentWork = false
    private(set) var requests: [LoginRequest] = []
    private(set) var realms: [RealmName: FakeRealm] = [:]
    /// What realms are made with, for a server that is away.
    var offline: String? {
        didSet { for realm in realms.values { realm.offline = offline } }
    }

    func account() throws -> CommandAccount? { present }

    func open(_ realm: RealmName) throws -> any CommandRealm { try fake(realm) }

    func fake(_ name: RealmName) throws -> FakeRealm {
        if let realm = realms[name] { return realm }
        let realm = try FakeRealm(MemoryReplica(), of: name, user: present?.user ?? "alice")
        realm.offline = offline
        realms[name] = realm
        return realm
    }

    /// Works on the same replica as another process.
    func adopt(_ realm: FakeRealm) { realms[realm.replica.identity.realmName] = realm }

    /// What was asked of histories, and what is answered.
    private(set) var questions: [HistoryRequest] = []
    var page = HistoryPage(entries: [], next: nil, floor: .zero)

    func history(_ request: HistoryRequest) throws -> HistoryPage {
        questions.append(request)
        if let offline { throw TarnError(.cannotConnect, offline) }
        return page
    }

    func login(
        _ request: LoginRequest, approve: (_ fingerprint: String, _ reason: String) throws -> Bool
    ) throws -> CommandAccount {
        requests.append(request)
        if let loginError { throw loginError }
        if let unknownFingerprint {
            guard try approve(unknownFingerprint, "nobody vouches for it.") else {
                throw TarnError(.certificateRefused, "nobody vouches for it.")
            }
        }
        let account = CommandAccount(user: request.user, server: request.server)
        present = account
        return account
    }

    func logout(losingWork: Bool) throws -> String? {
        guard !hasUnsentWork || losingWork else {
            throw TarnError(.unsentWork, "2 changes have not reached the server.")
        }
        present = nil
        realms = [:]
        return nil
    }
}
