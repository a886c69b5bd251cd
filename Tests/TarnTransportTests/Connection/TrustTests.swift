import TarnTesting
import TarnTransport
import Testing

@Suite struct TrustTests {
    private struct Outcome {
        let isOpen: Bool
        let error: TransportError?
    }

    private func outcome(
        certificate: String = "server", host: String = "localhost", trust: TLSClientContext.Trust
    ) throws -> Outcome {
        let stage = try Stage()
        try stage.listen(certificate: certificate)
        let client = try stage.connect(host: host, trust: trust)
        stage.run("an outcome") { client.openedCount == 1 || client.end != nil }
        return Outcome(isOpen: client.openedCount == 1, error: client.error)
    }

    @Test func `a certificate of an unknown authority is refused with its fingerprint`() throws {
        let client = try outcome(trust: .authority(Certificates.shared.strangersAuthority))

        #expect(!client.isOpen)
        #expect(client.error?.code == .untrustedCertificate)
        #expect(client.error?.fingerprint == (try Certificates.shared.fingerprint()))
        #expect(
            client.error?.sentence
                == "The certificate of localhost comes from an authority that is not trusted here, "
                + "or the server does not send the certificates between.")
    }

    @Test func `the system does not trust the development authority`() throws {
        let client = try outcome(trust: .system)

        #expect(client.error?.code == .untrustedCertificate)
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a certificate for another name is refused`(host: String) throws {
        let client = try outcome(
            certificate: "other", host: host, trust: .authority(Certificates.shared.authority))

        #expect(client.error?.code == .wrongHostName)
        let what = host == "localhost" ? "name" : "address"
        #expect(client.error?.sentence == "The certificate of \(host) is for another \(what).")
    }

    @Test func `an expired certificate is refused`() throws {
        let client = try outcome(
            certificate: "expired", trust: .authority(Certificates.shared.authority))

        #expect(client.error?.code == .certificateExpired)
        #expect(client.error?.sentence == "The certificate of localhost has expired.")
    }

    @Test func `a pinned certificate is trusted, whatever its name`() throws {
        let fingerprint = try #require(try Certificates.shared.fingerprint("other"))

        let client = try outcome(certificate: "other", trust: .pinned(fingerprint))

        #expect(client.isOpen)
        #expect(client.error == nil)
    }

    @Test func `another certificate than the pinned one is refused`() throws {
        let fingerprint = try #require(try Certificates.shared.fingerprint("other"))

        let client = try outcome(trust: .pinned(fingerprint))

        #expect(client.error?.code == .wrongFingerprint)
        #expect(client.error?.fingerprint == (try Certificates.shared.fingerprint()))
    }

    @Test func `credentials that cannot be read or do not fit are refused with their path`() throws
    {
        let shared = Certificates.shared

        let missing = #expect(throws: TransportError.self) {
            try TLSServerContext(
                certificatePath: "/nowhere/server.pem", keyPath: shared.folder.file("server.key"))
        }
        let foreign = #expect(throws: TransportError.self) {
            try TLSServerContext(
                certificatePath: shared.folder.file("server.pem"),
                keyPath: shared.stranger.file("server.key"))
        }
        let unknown = #expect(throws: TransportError.self) {
            try TLSClientContext(trust: .authority("/nowhere/ca.pem"))
        }

        for error in [missing, foreign, unknown] { #expect(error?.code == .badCredentials) }
        #expect(missing?.sentence.contains("/nowhere/server.pem") == true)
        #expect(unknown?.sentence.contains("/nowhere/ca.pem") == true)
    }

    @Test func `the script keeps what is valid`() {
        #expect(Certificates.shared.outputOfScript.contains("made"))

        let again = Certificates.make(in: Certificates.shared.folder.path)

        #expect(again.contains("kept"))
        #expect(!again.contains("made"))
        let modes = Shell.run("stat -c %a '\(Certificates.shared.folder.path)'/*.key").output
        #expect(modes == "600\n600\n")
    }
}
