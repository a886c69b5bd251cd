import TarnTesting
import TarnTransport

/// What the project's own script makes, and what it does not: an expired certificate, one for
/// another name, and the authority of a stranger. Made once for all tests.
struct Certificates: Sendable {
    static let shared = Certificates()

    let folder = TemporaryFolder("tarn-certificates")
    let stranger = TemporaryFolder("tarn-stranger")
    let outputOfScript: String

    var authority: String { folder.file("ca.pem") }
    var strangersAuthority: String { stranger.file("ca.pem") }

    private init() {
        outputOfScript = Self.make(in: folder.path)
        _ = Self.make(in: stranger.path)
        issue("expired", names: "DNS:localhost,IP:127.0.0.1", days: -1)
        issue("other", names: "DNS:example.org,IP:10.1.2.3", days: 1)
    }

    static func make(in folder: String) -> String {
        Shell.run("\(script) '\(folder)'").output
    }

    private static let script: String = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "'/\(root)/certs/make-certificates.sh'"
    }()

    private func issue(_ name: String, names: String, days: Int) {
        let made = Shell.run(
            """
            cd '\(folder.path)' && echo 'subjectAltName=\(names)' > \(name).ext &&
            openssl req -new -key server.key -subj /CN=localhost -out \(name).csr &&
            openssl x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -set_serial 7 \
            -days \(days) -extfile \(name).ext -out \(name).pem
            """)
        precondition(made.status == 0, made.output)
    }

    func credentials(
        _ name: String = "server", allowsTLS12: Bool = false,
        ticketKeys: TicketKeys = TicketKeys()
    ) throws -> TLSServerContext {
        try TLSServerContext(
            certificatePath: folder.file("\(name).pem"), keyPath: folder.file("server.key"),
            allowsTLS12: allowsTLS12, ticketKeys: ticketKeys)
    }

    /// Of the server's certificate, as openssl tells it.
    func fingerprint(_ name: String = "server") throws -> CertificateFingerprint? {
        let printed = Shell.run(
            "openssl x509 -in '\(folder.file("\(name).pem"))' -noout -fingerprint -sha256")
        let digits = printed.output.split(separator: "=").last.map(String.init) ?? ""
        return CertificateFingerprint(digits.filter { !$0.isNewline })
    }
}
