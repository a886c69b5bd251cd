internal import COpenSSL

/// What OpenSSL has noted about its last failure on this thread, and our words for it.
enum OpenSSLError {
    /// Before a call whose failure is to be told from an older one. Forgetting takes a
    /// thousand instructions, looking fifty.
    static func forgetOld() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    struct Noted {
        var library: Int32 = 0
        /// Each library has numbers of its own.
        var number: Int32 = 0
        var reason: String?
    }

    /// The first of the noted errors, or nothing; all of them are forgotten.
    static func takeFirst() -> Noted {
        let code = ERR_peek_error()
        ERR_clear_error()
        guard code != 0 else { return Noted() }
        return Noted(
            library: tarn_error_library(code), number: tarn_error_reason(code),
            reason: ERR_reason_error_string(code).map { String(cString: $0) })
    }

    static func badFile(_ sentence: String) -> TransportError {
        let reason = takeFirst().reason.map { ": \($0)" } ?? ""
        return TransportError(.badCredentials, "\(sentence)\(reason).")
    }

    static func outOfMemory(_ what: String) -> TransportError {
        ERR_clear_error()
        return TransportError(.systemFailure, "OpenSSL has no memory for \(what).")
    }

    /// Why a session with a peer failed. A client says with which host.
    static func failedSession(with host: String?) -> TransportError {
        let noted = takeFirst()
        let whom = host.map { " with \($0)" } ?? ""
        let what = sentence(noted) ?? noted.reason ?? "no reason was given"
        return TransportError(.secureSessionFailed, "TLS\(whom) failed: \(what).")
    }

    /// For what happens between programs that are both right, and differ in what they allow.
    private static func sentence(_ noted: Noted) -> String? {
        guard noted.library == ERR_LIB_SSL else { return nil }
        return switch noted.number {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
            "the two sides allow no version of TLS in common"
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SUITABLE_GROUPS:
            "the two sides allow no cipher or group in common"
        case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
            "the peer allows no cipher or group that is allowed here"
        case SSL_R_NO_APPLICATION_PROTOCOL, SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL:
            "the two sides speak no protocol in common (here it is http/1.1)"
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST:
            "the peer does not speak TLS"
        default: nil
        }
    }
}
