import TarnTesting
import TarnTransport
import Testing

/// Every way in which a certificate can be wrong, shown by the server of openssl, which does not
/// mind; and the one sentence that a person gets for each.
@Suite struct RefusalTests {
    /// An authority with one below it, and certificates of theirs.
    private static let folder: TemporaryFolder = {
        let folder = TemporaryFolder("tarn-refusals")
        let made = Shell.run(
            """
            cd '\(folder.path)' && : > index && echo 01 > serial && cat > ca.conf <<'CONF'
            [ca]
            default_ca = it
            [it]
            database = index
            serial = serial
            new_certs_dir = .
            policy = any
            default_md = sha256
            unique_subject = no
            [any]
            commonName = supplied
            CONF
            names='subjectAltName=DNS:localhost,IP:127.0.0.1'
            key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }
            # name, issuer, extensions, first and last day, further options
            issue() {
                [ -s "$1.key" ] || key "$1"
                openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.csr"
                printf "$3" > "$1.ext"
                openssl ca -batch -notext -config ca.conf -in "$1.csr" -out "$1.pem" \
                    -cert "$2.pem" -keyfile "$2.key" -extfile "$1.ext" -startdate "$4" \
                    -enddate "$5" $6
            }
            key root && openssl req -x509 -new -key root.key -subj /CN=root -days 9 -out root.pem
            old=20010101000000Z; past=20020101000000Z; next=20980101000000Z; far=20990101000000Z
            openssl ecparam -name secp384r1 -genkey -noout -out below.key
            issue below root 'basicConstraints=critical,CA:TRUE' $old $far &&
            issue outdated root 'basicConstraints=critical,CA:TRUE' $old $past &&
            issue ended root "$names" $old $past && issue early root "$names" $next $far &&
            issue name root 'subjectAltName=DNS:example.org,IP:10.1.2.3' $old $far &&
            issue nameless root 'basicConstraints=CA:FALSE' $old $far &&
            issue client root "$names\\nextendedKeyUsage=clientAuth" $old $far &&
            issue sha1 root "$names" $old $far '-md sha1' && openssl genrsa -out weak.key 1024 &&
            issue weak root "$names" $old $far && issue deep below "$names" $old $far &&
            issue stale outdated "$names" $old $far && issue impostor deep "$names" $old $far &&
            cat deep.pem below.pem > whole.pem && cp deep.key whole.key &&
            cat stale.pem outdated.pem > stale2.pem && mv stale2.pem stale.pem &&
            cat impostor.pem deep.pem below.pem > i2.pem && mv i2.pem impostor.pem &&
            openssl req -x509 -new -key name.key -subj /CN=localhost -addext "$names" -days 9 \
                -out itself.pem && cp name.key itself.key
            """)
        precondition(made.status == 0, made.output)
        return folder
    }()

    /// What a client makes of the server of openssl with this certificate; nil if it is content.
    private func refusal(
        of certificate: String, host: String = "localhost", trust: TLSClientContext.Trust
    ) throws -> TransportError? {
        let stage = try Stage()
        let server = try EventLoop(name: "s_server")
        try server.startThread()
        defer { server.stop() }
        let port = try RawListener().port
        let folder = Self.folder
        server.execute {
            _ = Shell.run(
                """
                cd '\(folder.path)' && timeout 5 openssl s_server -accept 127.0.0.1:\(port) \
                -naccept 1 -www -cert \(certificate).pem -key \(certificate).key \
                -cert_chain \(certificate).pem -cipher ALL:@SECLEVEL=0
                """)
        }
        let context = try TLSClientContext(trust: trust)
        var error: TransportError?
        func attempt() {
            let client = Recorder()
            client.onEnded = { end in
                guard case .failed(let failure) = end else { return }
                // It takes the server a moment to start.
                if failure.code == .unreachable { attempt() } else { error = failure }
            }
            Connector(
                to: Endpoint(host: host, port: port), on: stage.loop, trust: context,
                handler: client)
        }
        attempt()
        stage.run("an outcome") { error != nil }
        // It speaks no WebSocket: who hears of that has trusted it.
        return error?.code == .upgradeRefused || error?.code == .notWebSocket ? nil : error
    }

    private static let cases: [(String, String, TransportError.Code, String)] = [
        ("ended", "localhost", .certificateExpired, "The certificate of localhost has expired."),
        (
            "early", "localhost", .certificateNotYetValid,
            "The certificate of localhost is not valid yet; is the clock right?"
        ),
        ("name", "localhost", .wrongHostName, "The certificate of localhost is for another name."),
        (
            "name", "127.0.0.1", .wrongHostName,
            "The certificate of 127.0.0.1 is for another address."
        ),
        // What a certificate calls itself is no name of a host.
        (
            "nameless", "localhost", .wrongHostName,
            "The certificate of localhost is for another name."
        ),
        (
            "itself", "localhost", .untrustedCertificate,
            "The certificate of localhost is vouched for by nobody but itself."
        ),
        (
            "deep", "localhost", .untrustedCertificate,
            "The certificate of localhost comes from an authority that is not trusted here, or the "
                + "server does not send the certificates between."
        ),
        (
            "stale", "localhost", .certificateExpired,
            "An authority behind the certificate of localhost has expired."
        ),
        (
            "impostor", "localhost", .untrustedCertificate,
            "The certificate of localhost comes from a certificate that may not vouch for others."
        ),
        (
            "client", "localhost", .untrustedCertificate,
            "The certificate of localhost is not meant for a server."
        ),
        (
            "weak", "localhost", .untrustedCertificate,
            "The certificate of localhost has a key that is too short to be safe."
        ),
        (
            "sha1", "localhost", .untrustedCertificate,
            "The certificate of localhost is signed in a way that is not safe any more."
        ),
    ]

    @Test(arguments: cases)
    func `a certificate is refused in one sentence that says why, with its fingerprint`(
        certificate: String, host: String, code: TransportError.Code, sentence: String
    ) throws {
        let error = try refusal(
            of: certificate, host: host, trust: .authority(Self.folder.file("root.pem")))

        #expect(error?.code == code)
        #expect(error?.sentence == sentence)
        #expect(error?.fingerprint != nil)
    }

    @Test func `a chain that leads to a trusted authority is trusted`() throws {
        let error = try refusal(of: "whole", trust: .authority(Self.folder.file("root.pem")))

        #expect(error == nil)
    }

    @Test func `a whole chain that leads elsewhere comes from nobody we know`() throws {
        let error = try refusal(
            of: "whole", trust: .authority(Certificates.shared.strangersAuthority))

        #expect(error?.code == .untrustedCertificate)
        #expect(
            error?.sentence
                == "The certificate of localhost comes from an authority that is not trusted here.")
    }

    @Test func `a pin is compared with nothing but the certificate`() throws {
        let itself = try refusal(of: "itself", trust: .system)
        let pin = try #require(itself?.fingerprint)

        #expect(try refusal(of: "itself", trust: .pinned(pin)) == nil)
        let other = try refusal(of: "whole", trust: .pinned(pin))
        #expect(other?.code == .wrongFingerprint)
        #expect(
            other?.sentence == "The certificate of localhost is not the one that was pinned.")
    }
}
