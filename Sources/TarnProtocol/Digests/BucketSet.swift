/// Some of the buckets of a digest: a bit each, the lowest of the first byte for the first.
///
/// A digest has a power of two of buckets, at least eight, so that the number of bytes tells it.
package struct BucketSet: Hashable, Sendable {
    package private(set) var bytes: [UInt8]

    /// None of so many.
    package init(of count: Int) {
        precondition(ContentDigest.isBucketCount(count), "a digest has so many buckets")
        bytes = Array(repeating: 0, count: count / 8)
    }

    /// Nil where no digest has so many buckets.
    package init?(bytes: [UInt8]) {
        guard ContentDigest.isBucketCount(bytes.count * 8) else { return nil }
        self.bytes = bytes
    }

    /// How many buckets the digest has, in the set or not.
    package var bucketCount: Int { bytes.count * 8 }
    package var isEmpty: Bool { bytes.allSatisfy { $0 == 0 } }

    package mutating func insert(_ bucket: Int) { bytes[bucket / 8] |= 1 << UInt8(bucket % 8) }

    package func contains(_ bucket: Int) -> Bool {
        bytes[bucket / 8] & 1 << UInt8(bucket % 8) != 0
    }
}
