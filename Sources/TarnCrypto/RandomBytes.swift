internal import COpenSSL

/// Bytes that nobody can foretell: for identities, salts and tokens.
package enum RandomBytes {
    package static func make(_ count: Int) throws(CryptoError) -> [UInt8] {
        precondition(count >= 0 && count <= Int(Int32.max), "a count of bytes to make")
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else {
            throw CryptoError(.randomness, while: "making \(count) random bytes")
        }
        return bytes
    }
}
