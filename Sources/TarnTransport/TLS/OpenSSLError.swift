internal import COpenSSL

/// What OpenSSL has noted about its last failure on this thread, and our words for it.
enum OpenSSLError {
    /// Before a call whose failure is to be told from an older one. Forgetting takes a
    /// thousand instructions, looking fifty.
    static func forgetOld() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    /// The reason of the first of the noted errors; all of them are forgotten.
    static func takeReason() -> String? {
        let code = ERR_peek_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return nil }
        return String(cString: reason)
    }

    static func badFile(_ sentence: String) -> TransportError {
        let reason = takeReason().map { ": \($0)" } ?? ""
        return TransportError(.badCredentials, "\(sentence)\(reason).")
    }

    /// Why the certificate of a host was refused; `verifyResult` is what OpenSSL found.
    static func refusedCertificate(
        of host: String, verifyResult: Int, fingerprint: CertificateFingerprint?
    ) -> TransportError {
        let (code, what): (TransportError.Code, String) =
            switch Int32(truncatingIfNeeded: verifyResult) {
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
                (.wrongHostName, "is for another name")
            case X509_V_ERR_CERT_HAS_EXPIRED:
                (.certificateExpired, "has expired")
            case X509_V_ERR_CERT_NOT_YET_VALID:
                (.certificateNotYetValid, "is not valid yet; is the clock right?")
            case X509_V_ERR_APPLICATION_VERIFICATION:
                (.wrongFingerprint, "is not the one that was pinned")
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
                (.untrustedCertificate, "is vouched for by nobody but itself")
            case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
                X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
                (.untrustedCertificate, "comes from an authority that is not trusted here")
            default:
                (
                    .untrustedCertificate,
                    "is not accepted: "
                        + String(cString: X509_verify_cert_error_string(verifyResult))
                )
            }
        let end = what.hasSuffix("?") ? "" : "."
        return TransportError(
            code, "The certificate of \(host) \(what)\(end)", fingerprint: fingerprint)
    }
}
