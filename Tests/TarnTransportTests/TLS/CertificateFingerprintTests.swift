import TarnTesting
import TarnTransport
import Testing

@Suite struct CertificateFingerprintTests {
    @Test(arguments: [UInt64](1...10))
    func `what is printed is read again`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fingerprint = try #require(CertificateFingerprint(bytes: random.bytes(32)))
        let text = fingerprint.description

        #expect(CertificateFingerprint(text) == fingerprint)
        #expect(CertificateFingerprint(text.lowercased().filter { $0 != ":" }) == fingerprint)
    }

    @Test(arguments: [
        "", "AB", String(repeating: "0", count: 63), String(repeating: "g", count: 64),
    ])
    func `what is no fingerprint is refused`(text: String) {
        #expect(CertificateFingerprint(text) == nil)
        #expect(CertificateFingerprint(bytes: Array(text.utf8)) == nil)
    }
}
