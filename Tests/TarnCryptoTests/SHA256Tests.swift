import TarnCrypto
import TarnTesting
import Testing

@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `the digests of the standard come out`(text: String, digest: String) {
        #expect(hexadecimal(SHA256.hash(Array(text.utf8))) == digest)
    }

    @Test(arguments: [UInt64](1...20))
    func `pieces give the digest of the whole`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = random.bytes(.random(in: 0...1000, using: &random))

        var hash = SHA256()
        var start = 0
        while start < bytes.count {
            let end = Int.random(in: start...bytes.count, using: &random)
            hash.update(Array(bytes[start..<end]))
            start = end
        }

        #expect(hash.finish() == SHA256.hash(bytes))
    }

    @Test func `a digest that is begun and dropped does no harm`() {
        var hash = SHA256()
        hash.update([1, 2, 3])
    }
}
