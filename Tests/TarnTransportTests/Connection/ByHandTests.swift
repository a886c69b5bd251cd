import TarnTesting
import TarnTransport
import Testing

/// What a person sees who asks the port with curl, or types into `openssl s_client`.
@Suite struct ByHandTests {
    /// Asks with curl; each line of what it prints is a status.
    private func statuses(_ requests: [String], of stage: Stage) throws -> [Substring] {
        let port = try #require(stage.listener?.port)
        let authority = Certificates.shared.authority
        let commands = requests.map { request in
            "curl -sS -o /dev/null -w '%{http_code}\\n' --max-time 5 --cacert '\(authority)' "
                + request.replacing("HERE", with: "https://localhost:\(port)")
        }
        return try stage.output(of: commands.joined(separator: ";")).split(separator: "\n")
    }

    @Test(.enabled(if: Shell.has("curl"), "curl is not here"))
    func `curl is answered with the status that fits`() throws {
        let stage = try Stage()
        try stage.listen()
        let upgrade =
            "--http1.1 -H 'Upgrade: websocket' -H 'Connection: Upgrade' "
            + "-H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='"
        let ours = "\(upgrade) -H 'Sec-WebSocket-Protocol: tarn.1'"
        let expected = [
            ("HERE/health", "200"), ("-I HERE/health", "200"), ("HERE/health?x=1", "200"),
            ("HERE/", "404"), ("-I HERE/nothing", "404"), ("-X DELETE HERE/health", "405"),
            ("-X PUT HERE/sync", "405"), ("HERE/sync", "426"),
            ("\(ours) -H 'Sec-WebSocket-Version: 8' HERE/sync", "426"),
            ("\(upgrade) -H 'Sec-WebSocket-Version: 13' HERE/sync", "400"),
            (
                "\(ours) -H 'Sec-WebSocket-Version: 13' -H 'Origin: https://a.example' HERE/sync",
                "403"
            ),
            ("-d body HERE/health", "400"),
            ("-H 'X: \(String(repeating: "x", count: 9000))' HERE/health", "431"),
        ]

        let found = try statuses(expected.map(\.0), of: stage)

        #expect(found == expected.map { Substring($0.1) })
        #expect(stage.server.openedCount == 0)
    }

    @Test(.enabled(if: Shell.has("curl"), "curl is not here"))
    func `a head says all but the body, and a refusal what to do instead`() throws {
        let stage = try Stage()
        let policy = UpgradePolicy(health: { .json(#"{"healthy":true}"#) })
        let port = try stage.listen(policy: policy).port
        let curl = "curl -sS --max-time 5 --cacert '\(Certificates.shared.authority)'"

        let head = try stage.output(of: "\(curl) -I https://localhost:\(port)/health")
        let whole = try stage.output(of: "\(curl) -i https://localhost:\(port)/health")
        let refusal = try stage.output(of: "\(curl) -i https://localhost:\(port)/sync")

        // The lines of the head, up to the empty one; a second may have passed between the two.
        let lines = whole.split(separator: "\r\n", omittingEmptySubsequences: false)
        func isTimeless(_ line: Substring) -> Bool { !line.hasPrefix("Date: ") }
        #expect(
            head.split(separator: "\r\n").filter(isTimeless)
                == lines.prefix { !$0.isEmpty }.filter(isTimeless))
        #expect(head.split(separator: "\r\n").contains { !isTimeless($0) })
        #expect(lines.last == #"{"healthy":true}"#)
        #expect(lines.contains("Content-Length: 16"))
        #expect(refusal.contains("\r\nUpgrade: websocket\r\n"))
    }

    @Test func `openssl is shown the whole chain that is configured`() throws {
        let stage = try Stage()
        let folder = Certificates.shared.folder
        let chain = TemporaryFolder("tarn-chain").file("chain.pem")
        let made = Shell.run(
            """
            mkdir -p "$(dirname '\(chain)')" &&
            openssl x509 -in '\(folder.file("server.pem"))' -out '\(chain)' &&
            openssl x509 -in '\(folder.file("ca.pem"))' >> '\(chain)' && cat '\(chain)'
            """)
        let credentials = try TLSServerContext(
            certificatePath: chain, keyPath: folder.file("server.key"))
        let server = stage.server
        let listener = try Listener(
            on: stage.loop, host: "127.0.0.1", port: 0, credentials: credentials,
            accept: { _ in server })
        defer { listener.stop() }

        let output = try stage.output(
            of: """
                timeout 5 openssl s_client -connect 127.0.0.1:\(listener.port) -showcerts \
                -verify_hostname localhost -CAfile '\(Certificates.shared.authority)' </dev/null
                """)

        #expect(made.status == 0)
        #expect(certificates(in: output) == certificates(in: made.output))
        #expect(certificates(in: output).count == 2)
        #expect(output.contains("Verification: OK"))
        #expect(output.contains("Verified peername: localhost"))
    }

    private func certificates(in text: String) -> [String] {
        text.components(from: "-----BEGIN CERTIFICATE-----", to: "-----END CERTIFICATE-----")
    }

    @Test func `an upgrade that is typed becomes a WebSocket, with what is typed behind it`()
        throws
    {
        let stage = try Stage()
        let port = try stage.listen().port
        stage.server.echo()
        // A text, whose mask is zero, and a goodbye with 1000.
        let frames = #"\201\205\0\0\0\0typed\210\202\0\0\0\0\003\350"#

        let output = try stage.output(
            of: """
                printf 'GET /sync HTTP/1.1\\r\\nHost: a\\r\\nUpgrade: websocket\\r\\n\
                Connection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\n\
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\
                Sec-WebSocket-Protocol: tarn.1\\r\\n\\r\\n\(frames)' |
                timeout 5 openssl s_client -connect 127.0.0.1:\(port) -alpn http/1.1 -ign_eof
                """)
        stage.run("the end") { stage.server.end != nil }

        #expect(output.contains("ALPN protocol: http/1.1"))
        #expect(output.contains("101 Switching Protocols"))
        #expect(output.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        #expect(stage.server.messages == [WebSocketMessage(.text, Array("typed".utf8))])
        #expect(output.contains("\u{5}typed"))
        #expect(stage.server.end == .closed(WebSocketClose(.normal)))
    }
}

extension String {
    /// What stands between each pair of marks.
    fileprivate func components(from start: String, to end: String) -> [String] {
        var found: [String] = []
        var rest = self[...]
        while let first = rest.firstRange(of: start) {
            rest = rest[first.upperBound...]
            guard let last = rest.firstRange(of: end) else { break }
            found.append(String(rest[..<last.lowerBound]))
            rest = rest[last.upperBound...]
        }
        return found
    }
}
