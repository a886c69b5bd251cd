internal import COpenSSL

/// Whom a client believes. It is made once and shared by all sessions.
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

    package init(trust: Trust, allowsTLS12: Bool = false) throws(TransportError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw TransportError(.systemFailure, "OpenSSL has no memory for a context.")
        }
        self.context = context
        self.trust = trust
        tarn_ssl_ctx_harden(context)
        tarn_ssl_ctx_verify_peer(context)
        _ = tarn_ssl_ctx_set_min_proto_version(
            context, allowsTLS12 ? TLS1_2_VERSION : TLS1_3_VERSION)
        switch trust {
        case .system:
            guard SSL_CTX_set_default_verify_paths(context) == 1 else {
                throw OpenSSLError.badFile("The system's authorities cannot be read")
            }
        case .authority(let path):
            guard SSL_CTX_load_verify_file(context, path) == 1 else {
                throw OpenSSLError.badFile("The authorities in \(path) cannot be used")
            }
        case .pinned:
            break
        }
    }

    deinit {
        SSL_CTX_free(context)
    }
}
