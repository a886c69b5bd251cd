internal import COpenSSL
internal import Synchronization

/// What a client keeps of a session: the server's ticket, the secret that goes with it, and the
/// certificate that was verified. It is never changed, and OpenSSL counts its references
/// atomically: so it is Sendable.
final class SessionTicket: @unchecked Sendable {
    let session: OpaquePointer
    /// Seconds since 1970, after which the certificate has to be shown and verified again.
    let deadline: Int64

    /// Takes over the reference to the session.
    init(_ session: OpaquePointer, deadline: Int64) {
        self.session = session
        self.deadline = deadline
    }

    deinit {
        SSL_SESSION_free(session)
    }

    /// Of the certificate that was verified when the session began.
    var fingerprint: CertificateFingerprint? {
        var window = tarn_tls_window()
        guard tarn_note_fingerprint(&window, SSL_SESSION_get0_peer(session)) == 1 else {
            return nil
        }
        return withUnsafeBytes(of: window.fingerprint) { CertificateFingerprint(bytes: Array($0)) }
    }
}

/// The last ticket of each server, with which a session goes on: nobody signs, and the server sends
/// no certificate. So nothing is verified then, and what was verified before must still hold:
///
/// - the cache is one trust's: a ticket is never used under another one;
/// - a ticket is for the very host and port that were asked for;
/// - it ends with the first certificate of the chain that was verified, and a day after it was
///   verified, however often the session has gone on since;
/// - a pinned fingerprint is compared with the certificate that the session remembers.
///
/// A ticket is used once (RFC 8446, appendix C.4): who listens shall not see that two connections
/// are the same client's. Each session brings a new one.
final class TicketCache: Sendable {
    struct Server: Hashable {
        let host: String
        let port: UInt16
    }

    /// A client has one server or a few; each takes some kilobytes.
    static let countMax = 32
    /// How old may be what was verified.
    static let ageMax: Int64 = 24 * 3600

    private struct Entry {
        let ticket: SessionTicket
        let number: UInt64
    }

    private struct State {
        var entries: [Server: Entry] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The oldest makes room.
    func keep(_ ticket: SessionTicket, for server: Server) {
        state.withLock { state in
            state.lastNumber += 1
            state.entries[server] = Entry(ticket: ticket, number: state.lastNumber)
            guard state.entries.count > Self.countMax,
                let oldest = state.entries.min(by: { $0.value.number < $1.value.number })
            else { return }
            state.entries[oldest.key] = nil
        }
    }

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - pin: what the certificate of the session must be.
    func take(for server: Server, at now: Int64, pin: CertificateFingerprint?) -> SessionTicket? {
        guard let ticket = state.withLock({ $0.entries.removeValue(forKey: server)?.ticket }),
            now < ticket.deadline, SSL_SESSION_is_resumable(ticket.session) == 1,
            let fingerprint = ticket.fingerprint, pin == nil || pin == fingerprint
        else { return nil }
        return ticket
    }
}
