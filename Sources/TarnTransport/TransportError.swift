/// Why a connection could not be made, or did not last. The code says what to do about it, the
/// sentence what happened; neither ever holds what was sent.
package struct TransportError: Error, Equatable, Sendable {
    package enum Code: String, Sendable {
        case addressInUse
        case badAddress
        case nameNotFound
        case unreachable
        case timedOut
        /// The stream ended without a word.
        case peerVanished
        case peerTooSlow
        /// What was to be sent is longer than any peer would take.
        case messageTooLong
        /// Nobody we trust vouches for the certificate; `fingerprint` is what it is.
        case untrustedCertificate
        case wrongHostName
        case certificateExpired
        case certificateNotYetValid
        /// The certificate is not the pinned one.
        case wrongFingerprint
        /// Certificates, keys or authorities that cannot be read or do not fit.
        case badCredentials
        case secureSessionFailed
        case upgradeRefused
        case notWebSocket
        case protocolViolation
        case systemFailure
        case cancelled
    }

    package let code: Code
    package let sentence: String
    /// Of the peer's certificate, when it is the certificate that was refused.
    package let fingerprint: CertificateFingerprint?

    package init(_ code: Code, _ sentence: String, fingerprint: CertificateFingerprint? = nil) {
        self.code = code
        self.sentence = sentence
        self.fingerprint = fingerprint
    }
}

extension TransportError: CustomStringConvertible {
    package var description: String { sentence }
}
