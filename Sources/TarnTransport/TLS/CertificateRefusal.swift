internal import COpenSSL

/// Why a client refused the certificate of a host: one sentence that says which of all checks
/// failed, and what to look at.
struct CertificateRefusal {
    let host: String
    /// What OpenSSL found; X509_V_ERR and so on.
    let result: Int32
    /// Which certificate of the chain it was: 0 is the host's own.
    let depth: Int
    let fingerprint: CertificateFingerprint?

    var error: TransportError {
        let (code, what) = reason
        let whose =
            depth > 0 && isAboutOneCertificate
            ? "An authority behind the certificate of \(host)" : "The certificate of \(host)"
        let end = what.hasSuffix("?") ? "" : "."
        return TransportError(code, "\(whose) \(what)\(end)", fingerprint: fingerprint)
    }

    private var isAboutOneCertificate: Bool {
        switch result {
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID,
            X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_CA_MD_TOO_WEAK:
            true
        default: false
        }
    }

    private var reason: (TransportError.Code, String) {
        switch result {
        case X509_V_ERR_HOSTNAME_MISMATCH: (.wrongHostName, "is for another name")
        case X509_V_ERR_IP_ADDRESS_MISMATCH: (.wrongHostName, "is for another address")
        case X509_V_ERR_CERT_HAS_EXPIRED: (.certificateExpired, "has expired")
        case X509_V_ERR_CERT_NOT_YET_VALID:
            (.certificateNotYetValid, "is not valid yet; is the clock right?")
        case X509_V_ERR_APPLICATION_VERIFICATION:
            (.wrongFingerprint, "is not the one that was pinned")
        default: (.untrustedCertificate, distrust)
        }
    }

    private var distrust: String {
        switch result {
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: "is vouched for by nobody but itself"
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            // Whoever has only the host's own cannot tell which of the two it is.
            depth > 0
                ? "comes from an authority that is not trusted here"
                : "comes from an authority that is not trusted here, or the server does not send "
                    + "the certificates between"
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
            "comes from an authority that is not trusted here"
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL:
            "has a key that is too short to be safe"
        case X509_V_ERR_CA_MD_TOO_WEAK: "is signed in a way that is not safe any more"
        case X509_V_ERR_CERT_SIGNATURE_FAILURE: "has a signature that does not fit"
        case X509_V_ERR_INVALID_PURPOSE: "is not meant for a server"
        case X509_V_ERR_INVALID_CA:
            "comes from a certificate that may not vouch for others"
        default:
            "is not accepted: " + String(cString: X509_verify_cert_error_string(Int(result)))
        }
    }
}
