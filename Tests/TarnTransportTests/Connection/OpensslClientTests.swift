import TarnTesting
import TarnTransport
import Testing

/// A server's rules, as the client of openssl meets them: it can do what ours never would.
@Suite struct OpensslClientTests {
    private static let question =
        "printf 'GET /health HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n'"

    /// What s_client prints. It asks for the health, or says nothing at all.
    private func talk(
        _ options: String, to stage: Stage, input: String = question
    ) throws -> String {
        let port = try #require(stage.listener?.port)
        return try stage.output(
            of: "\(input) | timeout 5 openssl s_client -connect 127.0.0.1:\(port) \(options)")
    }

    private func answer(_ options: String, allowsTLS12: Bool = true) throws -> String {
        let stage = try Stage()
        try stage.listen(allowsTLS12: allowsTLS12)
        return try talk("-ign_eof \(options)", to: stage)
    }

    @Test func `openssl finds TLS 1.3, our first cipher and HTTP`() throws {
        let output = try answer(
            """
            -servername localhost -CAfile '\(Certificates.shared.authority)' -alpn h2,http/1.1
            """, allowsTLS12: false)

        #expect(output.contains("New, TLSv1.3, Cipher is TLS_AES_128_GCM_SHA256"))
        #expect(output.contains("Server Temp Key: X25519"))
        #expect(output.contains("ALPN protocol: http/1.1"))
        #expect(output.contains("Verify return code: 0 (ok)"))
        #expect(output.contains("200 OK"))
    }

    @Test func `one ticket is given, of four hours, and no early data is allowed`() throws {
        let output = try answer("")

        #expect(output.components(of: "New Session Ticket arrived") == 1)
        #expect(output.contains("lifetime hint: 14400 (seconds)"))
        #expect(output.contains("Max Early Data: 0"))
    }

    @Test(arguments: ["-tls1_3", "-tls1_2"])
    func `openssl goes on from an earlier session, without early data`(version: String) throws {
        let stage = try Stage()
        try stage.listen(allowsTLS12: true)
        let folder = TemporaryFolder("tarn-session")
        let file = folder.file("session")

        let first = try talk("-ign_eof \(version) -sess_out '\(file)'", to: stage)
        let early = version == "-tls1_3" ? "-early_data '\(Certificates.shared.authority)'" : ""
        let second = try talk("-ign_eof \(version) -sess_in '\(file)' \(early)", to: stage)

        #expect(first.contains("New, TLS") && !first.contains("Reused, TLS"))
        #expect(second.contains("Reused, TLS"))
        #expect(second.contains("200 OK"))
        #expect(!second.contains("Early data was accepted"))
    }

    @Test func `TLS 1.2 is refused unless it is wished`() throws {
        let output = try answer("-tls1_2", allowsTLS12: false)

        #expect(output.contains("alert protocol version"))
        #expect(!output.contains("200 OK"))
    }

    @Test(arguments: ["-tls1", "-tls1_1"])
    func `what is older is refused always`(version: String) throws {
        let output = try answer("\(version) -cipher ALL:@SECLEVEL=0")

        #expect(output.contains("alert protocol version"))
    }

    @Test(arguments: [
        "-tls1_2", "-tls1_2 -cipher ECDHE-ECDSA-AES256-GCM-SHA384",
        "-tls1_2 -cipher ECDHE-ECDSA-CHACHA20-POLY1305", "-ciphersuites TLS_AES_256_GCM_SHA384",
        "-groups P-256", "-groups P-384:P-256",
    ])
    func `what is safe is taken`(options: String) throws {
        #expect(try answer(options).contains("200 OK"))
    }

    @Test(arguments: [
        "-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0", "-tls1_2 -cipher AES128-GCM-SHA256",
        "-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA256", "-tls1_2 -cipher aNULL:@SECLEVEL=0",
        "-tls1_2 -cipher ECDHE-ECDSA-AES128-CCM", "-ciphersuites TLS_AES_128_CCM_SHA256",
        "-groups P-384", "-groups P-521", "-groups ffdhe2048", "-tls1_3 -groups X448",
        "-sigalgs ECDSA+SHA1 -tls1_2 -cipher ALL:@SECLEVEL=0",
    ])
    func `weak ciphers, costly groups and old signatures are refused`(options: String) throws {
        let output = try answer(options)

        #expect(output.contains("alert handshake failure"))
        #expect(!output.contains("200 OK"))
    }

    @Test func `who names ChaCha20 first has no help with AES, and gets it`() throws {
        let output = try answer(
            "-ciphersuites TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256")

        #expect(output.contains("Cipher is TLS_CHACHA20_POLY1305_SHA256"))
    }

    @Test func `who offers only other protocols than HTTP is refused`() throws {
        #expect(try answer("-alpn h2").contains("no application protocol"))
    }

    @Test(arguments: ["-servername unknown.example", "-noservername"])
    func `the name that a client asks for decides nothing`(options: String) throws {
        #expect(try answer(options).contains("200 OK"))
    }

    @Test func `renegotiation is refused`() throws {
        let stage = try Stage()
        try stage.listen(allowsTLS12: true)

        let output = try talk("-tls1_2", to: stage, input: "(echo R; sleep 1)")

        #expect(output.contains("RENEGOTIATING"))
        #expect(output.contains("no renegotiation"))
    }

    @Test func `the end of the stream is said in TLS`() throws {
        let output = try answer("-msg")

        #expect(output.contains("warning close_notify"))
        #expect(!output.contains("unexpected eof"))
    }

    @Test func `who ends TLS has ended it, though without a goodbye`() throws {
        let stage = try Stage()
        try stage.listen()

        _ = try talk(
            "", to: stage,
            input: """
                printf 'GET /sync HTTP/1.1\\r\\nHost: a\\r\\nUpgrade: websocket\\r\\nConnection: \
                Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: \
                dGhlIHNhbXBsZSBub25jZQ==\\r\\nSec-WebSocket-Protocol: tarn.1\\r\\n\\r\\n'
                """)
        stage.run("the end") { stage.server.end != nil }

        #expect(stage.server.error?.code == .peerVanished)
        #expect(stage.server.error?.sentence.contains("without a goodbye") == true)
    }

    @Test func `an end that TLS did not say is named, since anybody could have made it`() throws {
        let stage = try Stage()
        try stage.listen()
        let client = try stage.connect()
        stage.run("opening") { stage.server.openedCount == 1 && client.openedCount == 1 }

        client.connection?.abort()
        stage.run("the end") { stage.server.end != nil }

        #expect(stage.server.error?.code == .peerVanished)
        #expect(stage.server.error?.sentence.contains("without ending TLS") == true)
    }

    @Test func `a second connection goes on from the first`() throws {
        let stage = try Stage()
        try stage.listen()
        let context = try TLSClientContext(trust: .authority(Certificates.shared.authority))

        let clients = try (0..<3).map { _ in
            let client = try stage.connect(context: context)
            stage.run("opening") { client.openedCount == 1 }
            return client
        }

        #expect(clients.map { $0.opened[0].isResumed } == [false, true, true])
        #expect(clients[1].opened[0].peerFingerprint == (try Certificates.shared.fingerprint()))
    }
}

extension String {
    fileprivate func components(of word: String) -> Int { ranges(of: word).count }
}
