import TarnTesting
import TarnTransport
import Testing

/// The layer against programs that others wrote. They run beside the loop, on threads of the test.
@Suite struct IndependentPeerTests {
    @Test(.enabled(if: Shell.has("curl")))
    func `curl reads the health`() throws {
        let stage = try Stage()
        let policy = UpgradePolicy(health: { .json(#"{"status":"ok","realms":3}"#) })
        let port = try stage.listen(policy: policy).port

        let output = try stage.output(
            of: """
                curl -sS -i --max-time 5 --cacert '\(Certificates.shared.authority)' \
                https://localhost:\(port)/health https://127.0.0.1:\(port)/nothing
                """)

        #expect(output.contains("HTTP/1.1 200 OK"))
        #expect(output.contains(#"{"status":"ok","realms":3}"#))
        #expect(output.contains("HTTP/1.1 404 Not Found"))
    }

    @Test(.enabled(if: Shell.has("curl")))
    func `curl becomes a WebSocket if it asks for one`() throws {
        let stage = try Stage()
        // Curl does not answer a goodbye.
        stage.limits.closeTimeout = .milliseconds(50)
        let port = try stage.listen().port
        stage.server.onOpened = { $0.close() }

        let output = try stage.output(
            of: """
                curl -sS -i --max-time 5 --http1.1 --cacert '\(Certificates.shared.authority)' \
                -H 'Upgrade: websocket' -H 'Connection: Upgrade' -H 'Sec-WebSocket-Version: 13' \
                -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==' \
                -H 'Sec-WebSocket-Protocol: tarn.1' https://localhost:\(port)/sync
                """)

        #expect(output.contains("101 Switching Protocols"))
        #expect(output.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        #expect(stage.server.openedCount == 1)
    }

    @Test func `our client meets the server of openssl, which does not speak WebSocket`() throws {
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
