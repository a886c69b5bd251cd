internal import COpenSSL

/// The certificate and the rules with which a server speaks TLS. It is made once, at start and when
/// the certificate is renewed, and shared by all sessions.
///
/// Its ticket keys are its own: a session of an earlier certificate does not go on under a later
/// one, so that whoever replaces a certificate knows that everybody has verified the new one.
///
/// It may cross threads: a context is never changed after it was made, and OpenSSL counts the
/// references to it atomically. That is why it is Sendable without the compiler's proof.
package final class TLSServerContext: @unchecked Sendable {
    let context: OpaquePointer
    /// When the first certificate of the chain ends to be valid, in seconds since 1970.
    package let validityEnd: Int64

    /// The file of the certificate may hold its chain, the server's own first. Both are PEM.
    package init(
        certificatePath: String, keyPath: String, allowsTLS12: Bool = false,
        ticketKeys: TicketKeys = TicketKeys()
    ) throws(TransportError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            throw OpenSSLError.outOfMemory("a context")
        }
        self.context = context
        do throws(TransportError) {
            // First the rules: they also say which keys are too weak.
            guard tarn_ssl_ctx_harden(context, allowsTLS12 ? 1 : 0) == 1 else {
                throw OpenSSLError.outOfMemory("its rules")
            }
            try CredentialFile.load(certificate: certificatePath, key: keyPath, into: context)
        } catch {
            // The object is not whole yet, and would not do it.
            SSL_CTX_free(context)
            throw error
        }
        validityEnd = tarn_ssl_ctx_validity_end(context)
        tarn_ssl_ctx_speak_http(context)
        tarn_ssl_ctx_give_tickets(context, Int(ticketKeys.period.components.seconds))
        ticketKeys.use(in: context)
    }

    deinit {
        SSL_CTX_free(context)
    }
}
