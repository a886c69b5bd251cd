internal import COpenSSL

/// One TLS connection without a socket: bytes of the network in, plain bytes out, and the reverse.
/// What is to go to the network waits in `output` until it is taken.
///
/// Its BIO reads straight from the caller's bytes and writes straight to `output`: between turns it
/// holds no buffer of its own.
package struct TLSSession: ~Copyable {
    package enum State: Equatable, Sendable {
        case handshaking
        case established
        /// The peer has said that nothing more comes.
        case ended
    }

    private let ssl: OpaquePointer
    private let window: UnsafeMutablePointer<tarn_tls_window>
    /// Nil for a server, whose sessions are many, and shall be small.
    private let client: ClientSide?

    /// Whom a client asked for, and what it knows of them.
    private final class ClientSide {
        let context: TLSClientContext
        let server: TicketCache.Server
        /// What it offered to go on from.
        let ticket: SessionTicket?

        init(_ context: TLSClientContext, _ server: TicketCache.Server) {
            self.context = context
            self.server = server
            ticket = context.tickets?.take(for: server, at: context.now(), pin: context.pin)
        }
    }

    // Made once and never changed, so that every thread may use it.
    nonisolated(unsafe) private static let method = tarn_bio_method_new()

    package init(server: TLSServerContext) throws(TransportError) {
        let parts = try Self.make(server.context)
        (ssl, window) = parts
        client = nil
        SSL_set_accept_state(ssl)
    }

    /// The host is a name or an address: what the certificate must be for. A session goes on only
    /// from one with the same host and port.
    package init(
        client context: TLSClientContext, host: String, port: UInt16
    ) throws(TransportError) {
        let parts = try Self.make(context.context)
        guard Self.expect(host, in: parts.0) else {
            SSL_free(parts.0)
            parts.1.deallocate()
            ERR_clear_error()
            throw TransportError(.badAddress, "“\(host)” is no name of a host.")
        }
        (ssl, window) = parts
        client = ClientSide(context, TicketCache.Server(host: host, port: port))
        if let ticket = client?.ticket { SSL_set_session(ssl, ticket.session) }
        if let fingerprint = context.pin {
            window.pointee.is_pinned = 1
            withUnsafeMutableBytes(of: &window.pointee.pin) {
                $0.copyBytes(from: fingerprint.bytes)
            }
        }
        let spoken: [UInt8] = [8] + Array("http/1.1".utf8)
        SSL_set_alpn_protos(ssl, spoken, UInt32(spoken.count))
        SSL_set_connect_state(ssl)
    }

    /// Asks for a certificate of this name or address; false if it can be neither.
    private static func expect(_ host: String, in ssl: OpaquePointer) -> Bool {
        let parameters = SSL_get0_param(ssl)
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 { return true }
        ERR_clear_error()
        X509_VERIFY_PARAM_set_hostflags(
            parameters,
            UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
        return SSL_set1_host(ssl, host) == 1 && tarn_ssl_set_server_name(ssl, host) == 1
    }

    private static func make(
        _ context: OpaquePointer
    ) throws(TransportError) -> (OpaquePointer, UnsafeMutablePointer<tarn_tls_window>) {
        let window = UnsafeMutablePointer<tarn_tls_window>.allocate(capacity: 1)
        window.initialize(to: tarn_tls_window())
        guard let method, let ssl = tarn_ssl_new(context, method, window) else {
            window.deallocate()
            ERR_clear_error()
            throw TransportError(.systemFailure, "OpenSSL has no memory for a session.")
        }
        return (ssl, window)
    }

    deinit {
        SSL_free(ssl)
        SSL_SESSION_free(window.pointee.ticket)
        free(window.pointee.output)
        window.deallocate()
    }

    // MARK: - Receiving

    /// Takes bytes of the network, all of them, and delivers what they mean, through `scratch`. The
    /// closure may change what it is shown, and must not keep it. Without bytes it begins a
    /// client's handshake.
    package func receive(
        _ bytes: UnsafeRawBufferPointer, scratch: UnsafeMutableRawBufferPointer,
        deliver: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(TransportError) -> State {
        window.pointee.input = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        window.pointee.input_count = bytes.count
        defer {
            window.pointee.input = nil
            window.pointee.input_count = 0
        }
        OpenSSLError.forgetOld()
        if SSL_is_init_finished(ssl) == 0 {
            let result = SSL_do_handshake(ssl)
            if result != 1 {
                guard SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ else { throw failure() }
                return .handshaking
            }
            if client != nil, isResumed {
                _ = tarn_note_fingerprint(window, SSL_get0_peer_certificate(ssl))
            }
        }
        defer { if let client { keepTicket(client) } }
        let room = Int32(clamping: scratch.count)
        while true {
            let count = SSL_read(ssl, scratch.baseAddress, room)
            if count > 0 {
                deliver(UnsafeMutableRawBufferPointer(rebasing: scratch[..<Int(count)]))
                // To ask once more, only to hear that nothing is left, costs an eighth of an echo.
                if window.pointee.input_count == 0, SSL_has_pending(ssl) == 0 {
                    return .established
                }
                continue
            }
            switch SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_READ: return .established
            case SSL_ERROR_ZERO_RETURN: return .ended
            default: throw failure()
            }
        }
    }

    private func failure() -> TransportError {
        let verifyResult = SSL_get_verify_result(ssl)
        guard let client, verifyResult != X509_V_OK else {
            return OpenSSLError.failedSession(with: client?.server.host)
        }
        ERR_clear_error()
        return CertificateRefusal(
            host: client.server.host, result: Int32(truncatingIfNeeded: verifyResult),
            depth: Int(window.pointee.refused_depth), fingerprint: peerFingerprint
        ).error
    }

    // MARK: - Going on from an earlier session

    /// Whether it goes on from an earlier session, without a certificate and its verification.
    package var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// What was verified when the first of these sessions began stays the measure for all of them.
    /// Tickets of TLS 1.2 are not kept: whoever gets the server's key of one can read all that was
    /// said, and it shows who comes again.
    private func keepTicket(_ client: ClientSide) {
        guard let session = window.pointee.ticket else { return }
        window.pointee.ticket = nil
        let now = client.context.now()
        let deadline =
            isResumed
            ? client.ticket?.deadline ?? now
            : min(
                now + TicketCache.ageMax,
                tarn_validity_end(nil, SSL_get0_verified_chain(ssl)))
        let ticket = SessionTicket(session, deadline: deadline)
        guard SSL_get_verify_result(ssl) == X509_V_OK, SSL_SESSION_has_ticket(session) == 1,
            SSL_SESSION_get_protocol_version(session) == TLS1_3_VERSION
        else { return }
        client.context.tickets?.keep(ticket, for: client.server)
    }

    /// Of the certificate that the peer showed to a client, now or when the session began that is
    /// gone on from; nil before it is known.
    package var peerFingerprint: CertificateFingerprint? {
        guard window.pointee.has_fingerprint == 1 else { return nil }
        return withUnsafeBytes(of: &window.pointee.fingerprint) {
            CertificateFingerprint(bytes: Array($0))
        }
    }

    /// Such as `TLSv1.3`.
    package var version: String { String(cString: SSL_get_version(ssl)) }

    // MARK: - Sending

    /// Encrypts all of the bytes, in records of at most 16 KB, through `scratch`, and shows the
    /// closure what goes to the network, which answers how much of it went. The rest waits in the
    /// output, which must be empty before.
    package func send(
        _ bytes: UnsafeRawBufferPointer, scratch: UnsafeMutableRawBufferPointer,
        write: (UnsafeRawBufferPointer) -> Int
    ) throws(TransportError) {
        precondition(outputCount == 0, "what waits goes first")
        guard bytes.count > 0 else { return }
        OpenSSLError.forgetOld()
        window.pointee.scratch = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
        window.pointee.scratch_count = 0
        window.pointee.scratch_capacity = scratch.count
        let written = SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count))
        let made = window.pointee.scratch_count
        window.pointee.scratch = nil
        window.pointee.scratch_count = 0
        guard Int(written) == bytes.count else { throw failure() }
        guard made > 0 else { return takeOutput(write) }
        let encrypted = UnsafeRawBufferPointer(rebasing: scratch[..<made])
        let taken = write(encrypted)
        precondition(taken >= 0 && taken <= made, "only what waits can be taken")
        guard taken < made else { return }
        let rest = UnsafeRawBufferPointer(rebasing: encrypted[taken...])
        let start = rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard tarn_tls_window_keep(window, start, rest.count) == 1 else {
            throw TransportError(.systemFailure, "There is no memory for what waits to be sent.")
        }
    }

    /// Says that nothing more comes from here.
    package func sendEnd() {
        ERR_clear_error()
        if SSL_is_init_finished(ssl) == 1 { SSL_shutdown(ssl) }
        ERR_clear_error()
    }

    package var outputCount: Int { window.pointee.output_count }

    /// Shows what is to go to the network; the closure answers how much of it went.
    package func takeOutput(_ body: (UnsafeRawBufferPointer) -> Int) {
        let count = window.pointee.output_count
        guard count > 0, let output = window.pointee.output else { return }
        let taken = body(UnsafeRawBufferPointer(start: output, count: count))
        precondition(taken >= 0 && taken <= count, "only what waits can be taken")
        window.pointee.output_count = count - taken
        if taken == count {
            free(output)
            window.pointee.output = nil
            window.pointee.output_capacity = 0
        } else if taken > 0 {
            memmove(output, output + taken, count - taken)
        }
    }
}
