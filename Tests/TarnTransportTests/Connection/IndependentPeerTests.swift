import Synchronization
import TarnTesting
import TarnTransport
import Testing

/// The layer against programs that others wrote. They run beside the loop, on threads of the test.
@Suite struct IndependentPeerTests {
    /// What the command printed while the stage served.
    private func output(of command: String, on stage: Stage) async throws -> String {
        let result = Mutex<String?>(nil)
        let commands = try EventLoop(name: "commands")
        try commands.startThread()
        commands.execute {
            let output = Shell.run(command).output
            result.withLock { $0 = output }
        }
        stage.run("the command") { result.withLock { $0 } != nil }
        commands.stop()
        return result.withLock { $0 } ?? ""
    }

    @Test(.enabled(if: Shell.has("curl")))
    func `curl reads the health`() async throws {
        let stage = try Stage()
        let policy = UpgradePolicy(health: { .json(#"{"status":"ok","realms":3}"#) })
        let port = try stage.listen(policy: policy).port

        let output = try await output(
            of: """
                curl -sS -i --max-time 5 --cacert '\(Certificates.shared.authority)' \
                https://localhost:\(port)/health https://127.0.0.1:\(port)/nothing
                """, on: stage)

        #expect(output.contains("HTTP/1.1 200 OK"))
        #expect(output.contains(#"{"status":"ok","realms":3}"#))
        #expect(output.contains("HTTP/1.1 404 Not Found"))
    }

    @Test(.enabled(if: Shell.has("curl")))
    func `curl becomes a WebSocket if it asks for one`() async throws {
        let stage = try Stage()
        // Curl does not answer a goodbye.
        stage.limits.closeTimeout = .milliseconds(50)
        let port = try stage.listen().port
        stage.server.onOpened = { $0.close() }

        let output = try await output(
            of: """
                curl -sS -i --max-time 5 --http1.1 --cacert '\(Certificates.shared.authority)' \
                -H 'Upgrade: websocket' -H 'Connection: Upgrade' -H 'Sec-WebSocket-Version: 13' \
                -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==' \
                -H 'Sec-WebSocket-Protocol: tarn.1' https://localhost:\(port)/sync
                """, on: stage)

        #expect(output.contains("101 Switching Protocols"))
        #expect(output.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        #expect(stage.server.openedCount == 1)
    }

    @Test func `openssl finds TLS 1.3 and HTTP, and no ticket`() async throws {
        let stage = try Stage()
        let port = try stage.listen().port

        let output = try await output(
            of: """
                printf 'GET /health HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n' | \
                timeout 5 openssl s_client -connect 127.0.0.1:\(port) -servername localhost \
                -CAfile '\(Certificates.shared.authority)' -alpn h2,http/1.1 -ign_eof
                """, on: stage)

        #expect(output.contains("Protocol  : TLSv1.3") || output.contains("New, TLSv1.3"))
        #expect(output.contains("ALPN protocol: http/1.1"))
        #expect(output.contains("Verify return code: 0 (ok)"))
        #expect(output.contains("200 OK"))
        #expect(!output.contains("New Session Ticket"))
        #expect(output.contains("closed"))
    }

    @Test(arguments: [(false, "alert"), (true, "TLSv1.2")])
    func `TLS 1.2 is spoken only if that is wished`(allows: Bool, word: String) async throws {
        let stage = try Stage()
        let port = try stage.listen(allowsTLS12: allows).port

        let output = try await output(
            of: "timeout 5 openssl s_client -connect 127.0.0.1:\(port) -tls1_2 </dev/null",
            on: stage)

        #expect(output.contains(word))
    }

    @Test func `who offers only other protocols than HTTP is refused`() async throws {
        let stage = try Stage()
        let port = try stage.listen().port

        let output = try await output(
            of: "timeout 5 openssl s_client -connect 127.0.0.1:\(port) -alpn h2 </dev/null",
            on: stage)

        #expect(output.contains("no application protocol"))
    }

    @Test func `our client meets the server of openssl, which does not speak WebSocket`()
        async throws
    {
        let stage = try Stage()
        let folder = Certificates.shared.folder
        let server = try EventLoop(name: "s_server")
        try server.startThread()
        let port = try RawListener().port
        server.execute {
            _ = Shell.run(
                """
                timeout 3 openssl s_server -accept 127.0.0.1:\(port) -naccept 1 -www \
                -cert '\(folder.file("server.pem"))' -key '\(folder.file("server.key"))'
                """)
        }
        defer { server.stop() }
        var error: TransportError?
        func attempt() {
            let client = Recorder()
            client.onEnded = { end in
                guard case .failed(let failure) = end else { return }
                // It takes the server a moment to start.
                if failure.code == .unreachable { attempt() } else { error = failure }
            }
            guard
                let trust = try? TLSClientContext(
                    trust: .authority(Certificates.shared.authority))
            else { return }
            Connector(
                to: Endpoint(host: "127.0.0.1", port: port), on: stage.loop, trust: trust,
                handler: client)
        }

        attempt()
        stage.run("its answer") { error != nil }

        #expect([.notWebSocket, .upgradeRefused].contains(error?.code))
    }
}
