internal import CLinux
internal import COpenSSL
internal import Glibc

/// Certificates and keys in files, and the sentences for those that cannot be used: which file it
/// is, what is wrong with it, and what to do.
enum CredentialFile {
    /// Loads a server's certificate with its chain, and its key. The context's rules are set.
    static func load(
        certificate: String, key: String, into context: OpaquePointer
    ) throws(TransportError) {
        let asked = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        asked.initialize(to: 0)
        tarn_ssl_ctx_never_ask(context, asked)
        defer {
            tarn_ssl_ctx_never_ask(context, nil)
            asked.deallocate()
        }
        try expectReadable(certificate, "The certificate")
        guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
            throw asked.pointee == 1
                ? encrypted(certificate, "The certificate")
                : refused(certificate, "The certificate", holds: "certificate")
        }
        try expectReadable(key, "The key")
        guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(context) == 1
        else {
            throw asked.pointee == 1
                ? encrypted(key, "The key")
                : refused(key, "The key", holds: "private key", certificate: certificate)
        }
    }

    private static func encrypted(_ path: String, _ what: String) -> TransportError {
        ERR_clear_error()
        return TransportError(
            .badCredentials,
            "\(what) \(path) is encrypted, and there is nobody to ask for its password; "
                + "store it decrypted, readable by this user alone.")
    }

    /// What tells a file from its next version.
    struct Version: Equatable {
        let device: UInt64
        let number: UInt64
        let byteCount: Int64
        let seconds: Int64
        let nanoseconds: Int64

        /// Nil if there is no such file.
        init?(of path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
            byteCount = Int64(status.st_size)
            seconds = Int64(status.st_mtim.tv_sec)
            nanoseconds = Int64(status.st_mtim.tv_nsec)
        }
    }

    /// OpenSSL has no words for what the system says.
    static func expectReadable(_ path: String, _ what: String) throws(TransportError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SystemError.last("\(what) \(path) cannot be read", code: .badCredentials)
        }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        guard read(descriptor, &byte, 1) >= 0 else {
            throw SystemError.last("\(what) \(path) cannot be read", code: .badCredentials)
        }
    }

    /// - Parameter holds: what should have been in the file.
    static func refused(
        _ path: String, _ what: String, holds: String, certificate: String = ""
    ) -> TransportError {
        let noted = OpenSSLError.takeFirst()
        let sentence = sentence(noted, holds: holds, certificate)
        return TransportError(.badCredentials, "\(what) \(path) \(sentence).")
    }

    private static func sentence(
        _ noted: OpenSSLError.Noted, holds: String, _ certificate: String
    ) -> String {
        switch (noted.library, noted.number) {
        case (ERR_LIB_X509, X509_R_KEY_VALUES_MISMATCH), (ERR_LIB_X509, X509_R_KEY_TYPE_MISMATCH),
            (ERR_LIB_SSL, SSL_R_NO_CERTIFICATE_ASSIGNED):
            return "is not that of the certificate \(certificate)"
        case (ERR_LIB_SSL, SSL_R_EE_KEY_TOO_SMALL), (ERR_LIB_SSL, SSL_R_CA_KEY_TOO_SMALL):
            return "has a key that is too short to be safe; make one on P-256"
        case (ERR_LIB_SSL, SSL_R_CA_MD_TOO_WEAK):
            return "is signed in a way that is not safe any more; have it signed again"
        case (ERR_LIB_PEM, PEM_R_NO_START_LINE), (ERR_LIB_OSSL_DECODER, _),
            (ERR_LIB_X509, X509_R_NO_CERTIFICATE_OR_CRL_FOUND):
            return "cannot be used: no \(holds) in PEM is in it"
        default:
            return "cannot be used: \(noted.reason ?? "no \(holds) in PEM is in it")"
        }
    }
}
