internal import COpenSSL

/// SHA-256, in one call or piece by piece.
///
///     var hash = SHA256()
///     hash.update(first)
///     hash.update(second)
///     let digest = hash.finish()
package struct SHA256: ~Copyable {
    package static let digestCount = 32

    private let context: OpaquePointer

    // Written once, and an algorithm of libcrypto never changes: any thread may read it.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    package init() {
        guard let context = EVP_MD_CTX_new(),
            EVP_DigestInit_ex2(context, Self.algorithm, nil) == 1
        else { preconditionFailure("this libcrypto has no SHA-256") }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    package mutating func update(_ bytes: RawSpan) {
        let done = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        precondition(done == 1, "hashing bytes in memory cannot fail")
    }

    package mutating func update(_ bytes: [UInt8]) {
        update(bytes.span.bytes)
    }

    /// The 32 bytes of the digest.
    package consuming func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.digestCount) { digest, count in
            let done = EVP_DigestFinal_ex(context, digest.baseAddress, nil)
            precondition(done == 1, "a digest that was begun can be finished")
            count = Self.digestCount
        }
    }

    package static func hash(_ bytes: RawSpan) -> [UInt8] {
        bytes.withUnsafeBytes { bytes in
            [UInt8](unsafeUninitializedCapacity: digestCount) { digest, count in
                let done = EVP_Digest(
                    bytes.baseAddress, bytes.count, digest.baseAddress, nil, algorithm, nil)
                precondition(done == 1, "this libcrypto has no SHA-256")
                count = digestCount
            }
        }
    }

    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        hash(bytes.span.bytes)
    }
}
