internal import COpenSSL

/// Comparing secrets so that the time taken says nothing about where they differ.
package enum ConstantTime {
    /// Only the counts may be learnt from the time that this takes.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}
