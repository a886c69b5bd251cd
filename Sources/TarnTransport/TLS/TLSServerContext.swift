internal import COpenSSL

/// The certificate and the rules with which a server speaks TLS. It is made once, at start and when
/// the certificate is renewed, and shared by all sessions.
///
/// It may cross threads: a context is never changed after it was made, and OpenSSL counts the
/// references to it atomically. That is why it is Sendable without the compiler's proof.
package final class TLSServerContext: @unchecked Sendable {
    let context: OpaquePointer

    /// The file of the certificate may hold its chain, the server's own first. Both are PEM.
    package init(
        certificatePath: String, keyPath: String, allowsTLS12: Bool = false
    ) throws(TransportError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            throw TransportError(.systemFailure, "OpenSSL has no memory for a context.")
        }
        self.context = context
        tarn_ssl_ctx_harden(context)
        tarn_ssl_ctx_speak_http(context)
        _ = tarn_ssl_ctx_set_min_proto_version(
            context, allowsTLS12 ? TLS1_2_VERSION : TLS1_3_VERSION)
        guard SSL_CTX_use_certificate_chain_file(context, certificatePath) == 1 else {
            throw OpenSSLError.badFile("The certificate \(certificatePath) cannot be used")
        }
        guard SSL_CTX_use_PrivateKey_file(context, keyPath, SSL_FILETYPE_PEM) == 1 else {
            throw OpenSSLError.badFile("The key \(keyPath) cannot be used")
        }
        guard SSL_CTX_check_private_key(context) == 1 else {
            throw OpenSSLError.badFile("The key \(keyPath) is not that of \(certificatePath)")
        }
    }

    deinit {
        SSL_CTX_free(context)
    }
}
