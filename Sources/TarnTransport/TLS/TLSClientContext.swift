internal import COpenSSL
internal import Glibc

/// Whom a client believes, and what it keeps of the sessions with them. It is made once and shared
/// by all sessions; sessions go on from one another only while it lives.
///
/// It may cross threads for the same reason as `TLSServerContext`.
package final class TLSClientContext: @unchecked Sendable {
    package enum Trust: Equatable, Sendable {
        /// The authorities that the system trusts.
        case system
        /// The authorities in this PEM file, and no others.
        case authority(String)
        /// This one certificate, as a known host of SSH: whoever vouches for it, whatever name it
        /// bears and whenever it ends, since a person has compared it.
        case pinned(CertificateFingerprint)
    }

    package let trust: Trust
    let context: OpaquePointer
    /// Nil if every handshake shall be a full one.
    let tickets: TicketCache?
    /// Of the file that the authorities came from.
    private let fileVersion: CredentialFile.Version?
    /// Seconds since 1970.
    let now: @Sendable () -> Int64

    package init(
        trust: Trust, allowsTLS12: Bool = false, resumes: Bool = true,
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
    ) throws(TransportError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw OpenSSLError.outOfMemory("a context")
        }
        self.context = context
        self.trust = trust
        self.now = now
        tickets = resumes ? TicketCache() : nil
        if case .authority(let path) = trust {
            fileVersion = CredentialFile.Version(of: path)
        } else {
            fileVersion = nil
        }
        guard tarn_ssl_ctx_harden(context, allowsTLS12 ? 1 : 0) == 1 else {
            throw OpenSSLError.outOfMemory("its rules")
        }
        tarn_ssl_ctx_verify_peer(context)
        if resumes { tarn_ssl_ctx_keep_tickets(context) } else { tarn_ssl_ctx_no_tickets(context) }
        switch trust {
        case .system:
            guard SSL_CTX_set_default_verify_paths(context) == 1 else {
                throw OpenSSLError.badFile("The system's authorities cannot be read")
            }
        case .authority(let path):
            try CredentialFile.expectReadable(path, "The authorities in")
            guard SSL_CTX_load_verify_file(context, path) == 1 else {
                throw CredentialFile.refused(path, "The authorities in", holds: "certificates")
            }
        case .pinned:
            break
        }
    }

    /// False when the file of the authorities is another one than was read: then it is time for
    /// another context, and whom the old one believed is verified again.
    package var isCurrent: Bool {
        guard case .authority(let path) = trust else { return true }
        return CredentialFile.Version(of: path) == fileVersion
    }

    var pin: CertificateFingerprint? {
        if case .pinned(let fingerprint) = trust { return fingerprint }
        return nil
    }

    deinit {
        SSL_CTX_free(context)
    }
}
