import TarnTesting
import TarnTransport
import Testing

/// What a server's own files can be wrong in, and the sentences for it. Nobody is ever asked for
/// a password: a daemon has no terminal, and a test that waited for one would not end.
@Suite struct CredentialTests {
    private static let folder: TemporaryFolder = {
        let folder = TemporaryFolder("tarn-credentials")
        let made = Shell.run(
            """
            cd '\(folder.path)' && cp '\(Certificates.shared.folder.path)'/* . &&
            openssl ecparam -name secp384r1 -genkey -noout -out p384.key &&
            openssl genrsa -out rsa2048.key 2048 && echo subjectAltName=DNS:localhost > names &&
            for kind in p384 rsa2048; do
            openssl req -new -key $kind.key -subj /CN=localhost | openssl x509 -req -days 1 \
            -set_serial 3 -CA ca.pem -CAkey ca.key -extfile names -out $kind.pem || exit 1; done &&
            echo nonsense > nonsense.pem && : > empty.pem && mkdir folder.pem &&
            openssl pkcs8 -topk8 -in server.key -passout pass:word -out pkcs8.key &&
            openssl ec -in server.key -aes256 -passout pass:word -out old.key &&
            openssl genrsa -out rsa.key 2048 && openssl ecparam -name prime256v1 -genkey -noout \
            -out other.key && openssl req -x509 -newkey rsa:1024 -nodes -keyout weak.key \
            -subj /CN=localhost -out weak.pem && openssl req -new -key server.key \
            -subj /CN=localhost | openssl x509 -req -sha1 -days 1 -set_serial 3 \
            -CA '\(Certificates.shared.authority)' \
            -CAkey '\(Certificates.shared.folder.file("ca.key"))' -out sha1.pem && printf '%s\\n' \
            '-----BEGIN CERTIFICATE-----' 'Proc-Type: 4,ENCRYPTED' \
            'DEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF' '' 'AAAA' \
            '-----END CERTIFICATE-----' > locked.pem
            """)
        precondition(made.status == 0, made.output)
        return folder
    }()

    private static let cases: [(String, String, String)] = [
        ("none.pem", "server.key", "The certificate none.pem cannot be read: No such file or"),
        ("folder.pem", "server.key", "The certificate folder.pem cannot be read: Is a directory."),
        ("empty.pem", "server.key", "empty.pem cannot be used: no certificate in PEM is in it."),
        ("nonsense.pem", "server.key", "nonsense.pem cannot be used: no certificate in PEM is in"),
        ("server.key", "server.key", "server.key cannot be used: no certificate in PEM is in it."),
        ("locked.pem", "server.key", "locked.pem is encrypted, and there is nobody to ask for its"),
        ("weak.pem", "weak.key", "weak.pem has a key that is too short to be safe; make one"),
        ("sha1.pem", "server.key", "sha1.pem is signed in a way that is not safe any more; have"),
        ("server.pem", "none.key", "The key none.key cannot be read: No such file or directory."),
        ("server.pem", "empty.pem", "empty.pem cannot be used: no private key in PEM is in"),
        ("server.pem", "nonsense.pem", "The key nonsense.pem cannot be used: no private key in"),
        ("server.pem", "server.pem", "The key server.pem cannot be used: no private key in"),
        ("server.pem", "pkcs8.key", "The key pkcs8.key is encrypted, and there is nobody to ask"),
        ("server.pem", "old.key", "The key old.key is encrypted, and there is nobody to ask for"),
        ("server.pem", "other.key", "other.key is not that of the certificate server.pem."),
        ("server.pem", "rsa.key", "The key rsa.key is not that of the certificate server.pem."),
    ]

    @Test(arguments: cases)
    func `a file that cannot be used is named, with what is wrong and what to do`(
        certificate: String, key: String, words: String
    ) throws {
        let folder = Self.folder

        let error = #expect(throws: TransportError.self) {
            try TLSServerContext(
                certificatePath: folder.file(certificate), keyPath: folder.file(key))
        }

        let sentence = error?.sentence.replacing("\(folder.path)/", with: "") ?? ""
        #expect(error?.code == .badCredentials)
        #expect(sentence.contains(words))
        #expect(sentence.hasSuffix("."))
    }

    @Test(arguments: [
        ("none.pem", "The authorities in none.pem cannot be read: No such file or directory."),
        ("folder.pem", "The authorities in folder.pem cannot be read: Is a directory."),
        ("nonsense.pem", "The authorities in nonsense.pem cannot be used: no certificates in PEM"),
    ])
    func `authorities that cannot be used are named`(file: String, words: String) throws {
        let folder = Self.folder

        let error = #expect(throws: TransportError.self) {
            try TLSClientContext(trust: .authority(folder.file(file)))
        }

        let sentence = error?.sentence.replacing("\(folder.path)/", with: "") ?? ""
        #expect(error?.code == .badCredentials)
        #expect(sentence.contains(words))
    }

    @Test(arguments: ["server", "p384", "rsa2048"])
    func `keys on P-256 and P-384, and RSA, are served and trusted`(name: String) throws {
        let key = Self.folder.file("\(name).key")
        let context = try TLSServerContext(
            certificatePath: Self.folder.file("\(name).pem"), keyPath: key)
        let trust = try TLSClientContext(trust: .authority(Certificates.shared.authority))
        let client = try TLSSide(TLSSession(client: trust, host: "localhost", port: 1))
        let server = try TLSSide(TLSSession(server: context))

        client.receive([])
        client.exchange(with: server)

        #expect(client.state == .established && server.state == .established)
    }

    @Test func `a server knows when its certificate ends`() throws {
        let printed = Shell.run(
            """
            date -d "$(openssl x509 -in '\(Self.folder.file("server.pem"))' -noout -enddate |
            cut -d= -f2)" +%s
            """
        ).output

        let context = try Certificates.shared.credentials()

        #expect("\(context.validityEnd)\n" == printed)
    }
}
