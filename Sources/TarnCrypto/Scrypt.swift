internal import COpenSSL

/// Makes keys from passwords at a price, so that a stolen table of them is worth little (RFC 7914).
package struct Scrypt: Sendable, Equatable {
    /// The price in time and memory is proportional to two to this power.
    package let costExponent: Int
    package let blockSize: Int
    package let parallelism: Int

    /// N = 2^15, r = 8, p = 1: about 0.1 seconds and 32 MB for one password.
    package static let password = Scrypt(costExponent: 15, blockSize: 8, parallelism: 1)

    package init(costExponent: Int, blockSize: Int, parallelism: Int) {
        self.costExponent = costExponent
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// What the derivation needs at once. It is given to libcrypto, whose default of 32 MB refuses
    /// the parameters for passwords by a few kilobytes.
    package var memoryByteCount: Int? {
        guard (1...24).contains(costExponent), (1...64).contains(blockSize),
            (1...64).contains(parallelism)
        else { return nil }
        return 128 * blockSize * ((1 << costExponent) + 2 + parallelism)
    }

    /// Takes its time on purpose: never call it on a thread that others wait for.
    package func key(
        password: [UInt8], salt: [UInt8], count: Int = 32
    ) throws(CryptoError) -> [UInt8] {
        guard let memory = memoryByteCount, (1...1024).contains(count) else {
            throw CryptoError(.badParameters, while: "deriving a key from a password")
        }
        var key = [UInt8](repeating: 0, count: count)
        let done = password.withUnsafeBytes { password in
            // Without a password pointer libcrypto only checks the parameters and makes no key.
            withUnsafePointer(to: 0 as CChar) { nothing in
                EVP_PBE_scrypt(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self) ?? nothing,
                    password.count, salt, salt.count, UInt64(1) << UInt64(costExponent),
                    UInt64(blockSize), UInt64(parallelism), UInt64(memory), &key, count)
            }
        }
        guard done == 1 else {
            ERR_clear_error()
            throw CryptoError(.outOfMemory, while: "deriving a key from a password")
        }
        return key
    }
}
