import TarnProtocol
import TarnTransport

/// What a person says to log in, in the words of a command line.
package struct LoginRequest: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case register(password: String)
        case password(String)
        case nickname
    }

    package enum Trust: Equatable, Sendable {
        /// What the account trusts already, or else the authorities that the machine knows.
        case usual
        /// Those in a PEM file.
        case authority(String)
        /// Just the certificate with this SHA-256 fingerprint.
        case fingerprint(String)
    }

    package let kind: Kind
    package let user: String
    /// `HOST` or `HOST:PORT`.
    package let server: String
    package let trust: Trust

    package init(kind: Kind, user: String, server: String, trust: Trust) {
        self.kind = kind
        self.user = user
        self.server = server
        self.trust = trust
    }
}

extension Profile {
    /// See `login(to:as:trust:program:approve:)`.
    ///
    /// - Parameter approve: asked with the fingerprint of a certificate that nobody vouches for.
    package func login(
        _ request: LoginRequest, approve: (_ fingerprint: String, _ reason: String) -> Bool
    ) throws(TarnError) -> Account {
        let credentials: Credentials =
            switch request.kind {
            case .register(let password):
                .password(name: request.user, password: password, register: true)
            case .password(let password):
                .password(name: request.user, password: password, register: false)
            case .nickname: .nickname(request.user)
            }
        let trust: TLSClientContext.Trust?
        switch request.trust {
        case .usual: trust = nil
        case .authority(let path): trust = .authority(path)
        case .fingerprint(let text):
            guard let fingerprint = CertificateFingerprint(text) else {
                throw TarnError(
                    .certificateRefused, "\"\(text)\" is no SHA-256 fingerprint.",
                    advice: "It has 64 hexadecimal digits, with or without colons.")
            }
            trust = .pinned(fingerprint)
        }
        return try login(
            to: try Server.endpoint(request.server), as: credentials, trust: trust
        ) { certificate in
            approve("\(certificate.fingerprint)", certificate.reason)
        }
    }
}

extension Account {
    /// `HOST:PORT`, for people.
    package var serverName: String { "\(server)" }
}
