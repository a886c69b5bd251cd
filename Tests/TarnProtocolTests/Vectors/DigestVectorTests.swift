import TarnCrypto
import TarnModel
import TarnProtocol
import Testing

/// Our digests against those that another implementation is given, too.
@Suite struct DigestVectorTests {
    private let content: JSON
    private let schema: Schema

    init() throws {
        content = try VectorFile("digests").content
        schema = Schema(try content["classes"].elements.map { try $0.classSchema })
    }

    @Test func `objects are hashed as the vectors say`() throws {
        for vector in try content["objects"].elements {
            let name = try vector["name"].text
            let object = try vector["meaning"].heldObject(of: schema)
            let bytes: Set = [try vector["place"].bytes, try vector["content"].bytes]
            let hash = UInt64(bigEndianBytes: try vector["hash"].bytes)
            for entry in try vector["buckets"].elements {
                let count: Int = try entry["of"].integer()
                let bucket: Int = try entry["bucket"].integer()
                var digest = ContentDigest(bucketCount: count)
                var hashed: Set<[UInt8]> = []

                digest.add(object) { bytes in
                    hashed.insert(bytes)
                    return SHA256.hash(bytes)
                }

                #expect(hashed == bytes, "\(name)")
                #expect(object.name.bucket(of: count, sha256: SHA256.hash) == bucket, "\(name)")
                #expect(digest.sums[bucket] == hash, "\(name)")
                #expect(digest.sums.count { $0 != 0 } == 1, "\(name)")
            }
        }
        #expect(try content["objects"].elements.count > 2)
    }

    @Test func `digests of several objects are as the vectors say`() throws {
        let vectors = try named("objects")
        for (name, vector) in try named("digests") {
            let said = try vector["sums"].contentDigest
            var digest = ContentDigest(bucketCount: said.sums.count)
            for object in try vector["objects"].elements {
                let found = try #require(vectors[try object.text])
                digest.add(try found["meaning"].heldObject(of: schema), sha256: SHA256.hash)
            }
            #expect(digest == said, "\(name)")
            #expect(try digest.bytes == vector["sums"].bytes, "\(name)")
        }
        #expect(try named("digests").count > 2)
    }

    @Test func `digests differ in the buckets that the vectors say`() throws {
        let digests = try named("digests").mapValues { try $0["sums"].contentDigest }
        for vector in try content["differences"].elements {
            let ours = try #require(digests[try vector["ours"].text])
            let theirs = try #require(digests[try vector["theirs"].text])
            let buckets = try vector["buckets"].bucketSet
            let all = 0..<ours.sums.count
            var inserted = BucketSet(of: all.count)
            for bucket in all where ours.sums[bucket] != theirs.sums[bucket] {
                inserted.insert(bucket)
            }

            #expect(ours.difference(to: theirs) == buckets)
            #expect(theirs.difference(to: ours) == buckets)
            #expect(inserted == buckets)
            #expect(buckets.bucketCount == all.count)
            #expect(buckets.isEmpty == (ours == theirs))
            #expect(
                all.filter(buckets.contains) == all.filter { ours.sums[$0] != theirs.sums[$0] })
        }
        #expect(try content["differences"].elements.count > 2)
    }

    /// The elements of a list of the file by their names.
    private func named(_ list: String) throws -> [String: JSON] {
        let pairs = try content[list].elements.map { (try $0["name"].text, $0) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
