import Glibc
import TarnClient
package import TarnProtocol
import TarnSQLite
import TarnStorage
package import TarnTransport

/// A certificate that nobody vouches for, to be shown to a person.
package struct UnknownCertificate: Sendable {
    package let server: Endpoint
    package let fingerprint: CertificateFingerprint
    /// Why it is not trusted.
    package let reason: String
}

extension Profile {
    /// Logs in or registers, and keeps the account.
    ///
    /// Whoever is logged in already may log in again, for another token, or another trust; another
    /// user, or another server, is the error `alreadyLoggedIn`.
    ///
    /// - Parameters:
    ///   - trust: nil for what the profile's account trusts, else the system's authorities.
    ///   - approve: asked when nobody vouches for the server's certificate: true pins it. The
    ///     password has not been sent before that.
    package func login(
        to server: Endpoint, as credentials: Credentials, trust: TLSClientContext.Trust? = nil,
        program: String = "tarn", approve: (UnknownCertificate) -> Bool
    ) throws(TarnError) -> Account {
        let present = try account()
        if let present { try check(present, against: server, credentials.name) }
        if let name = credentials.name {
            try alone { () throws(TarnError) in try expectReplicas(of: name) }
        }
        var trust = try (trust ?? present?.trust ?? .system).absolute()
        let answer: LoginConversation.Answer
        do throws(LoginConversation.Failure) {
            answer = try LoginConversation.hold(
                with: server, trust: trust, goal: .login(credentials), program: program,
                upTo: TarnLimits.login)
        } catch {
            trust = try Self.mend(error, for: server, approve)
            answer = try Self.again(server, trust, credentials, program)
        }
        guard case .loggedIn(let user, let token?) = answer else {
            throw TarnError(.serverRefused, "the server gave no token for the login.")
        }
        let account = Account(server: server, user: user, token: token, trust: trust)
        try alone { () throws(TarnError) in
            // Another process may have been quicker.
            if let present = try self.account() { try check(present, against: server, user) }
            try expectReplicas(of: user)
            try save(account)
            wakeAll()
        }
        return account
    }

    private func check(
        _ present: Account, against server: Endpoint, _ name: String?
    ) throws(TarnError) {
        guard present.server == server, name == nil || name == present.user else {
            throw Self.isAnother(present)
        }
    }

    /// An account file that was taken away by hand leaves replicas behind, which are nobody
    /// else's.
    private func expectReplicas(of user: String) throws(TarnError) {
        for realm in try realms() {
            let owner = try withReplica(of: realm) { (store) throws(StorageError) in
                try store.identity()?.user
            }
            guard let owner, owner != user else { continue }
            throw TarnError(
                .alreadyLoggedIn, "the profile holds \(realm) as \(owner) sees it.",
                advice: "Use a profile of its own, --profile NAME; or log in as \(owner), and "
                    + "then out.")
        }
    }

    private static func isAnother(_ present: Account) -> TarnError {
        TarnError(
            .alreadyLoggedIn, "\(present.user) is logged in to \(present.server) already.",
            advice: "Log out first, or use a profile of its own: --profile NAME.")
    }

    /// The trust to try again with, where a person approves of the certificate.
    private static func mend(
        _ failure: LoginConversation.Failure, for server: Endpoint,
        _ approve: (UnknownCertificate) -> Bool
    ) throws(TarnError) -> TLSClientContext.Trust {
        switch failure {
        case .other(let error): throw error
        case .certificate(let error):
            guard let fingerprint = error.fingerprint,
                approve(
                    UnknownCertificate(
                        server: server, fingerprint: fingerprint, reason: error.sentence))
            else { throw TarnError(error) }
            return .pinned(fingerprint)
        }
    }

    private static func again(
        _ server: Endpoint, _ trust: TLSClientContext.Trust, _ credentials: Credentials,
        _ program: String
    ) throws(TarnError) -> LoginConversation.Answer {
        do throws(LoginConversation.Failure) {
            return try LoginConversation.hold(
                with: server, trust: trust, goal: .login(credentials), program: program,
                upTo: TarnLimits.login)
        } catch {
            switch error {
            case .other(let error): throw error
            case .certificate(let error): throw TarnError(error)
            }
        }
    }

    /// Whoever waits for a login looks again.
    private func wakeAll() {
        for realm in (try? realms()) ?? [] {
            try? WakeFile(at: SharedReplica.wakePath(of: replicaPath(of: realm))).touch()
        }
    }
}

extension Credentials {
    /// Whose they are, where they say it.
    fileprivate var name: String? {
        switch self {
        case .password(let name, _, _), .nickname(let name): name
        case .token: nil
        }
    }
}

extension TLSClientContext.Trust {
    /// The same from any working folder.
    fileprivate func absolute() throws(TarnError) -> Self {
        guard case .authority(let path) = self else { return self }
        guard let resolved = realpath(path, nil) else {
            throw TarnError(
                .certificateRefused,
                "the authority \(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { free(resolved) }
        return .authority(String(cString: resolved))
    }
}
