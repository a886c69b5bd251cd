import Synchronization
import TarnTransport
import Testing

/// Several requests on one connection with TLS, asked by openssl.
@Suite struct KeepAliveTests {
    /// What a client reads until the server ends the connection, which it does on its own.
    private func answers(to requests: [String], on stage: Stage, port: UInt16) throws -> String {
        let result = Mutex<String?>(nil)
        let commands = try EventLoop(name: "commands")
        try commands.startThread()
        let text = requests.joined().replacing("\r\n", with: "\\r\\n")
        commands.execute {
            let output = Shell.run(
                """
                printf '\(text)' | timeout 5 openssl s_client -quiet -connect 127.0.0.1:\(port) \
                -CAfile '\(Certificates.shared.authority)' -ign_eof; echo "status $?"
                """
            ).output
            result.withLock { $0 = output }
        }
        stage.run("the client's end") { result.withLock { $0 } != nil }
        commands.stop()
        return result.withLock { $0 } ?? ""
    }

    private let health = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `one connection asks several times, and is ended when it asks for that`() throws {
        let stage = try Stage()
        let port = try stage.listen().port

        let output = try answers(
            to: [health, health, "GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
            on: stage, port: port)

        #expect(output.ranges(of: "HTTP/1.1 200 OK").count == 2)
        #expect(output.ranges(of: "HTTP/1.1 404 Not Found").count == 1)
        #expect(!output.contains("status 124"))
        #expect(stage.listener?.acceptedCount == 1)
    }

    @Test func `who asks nothing more is let go in good order`() throws {
        let stage = try Stage()
        stage.limits.httpIdleTimeout = .milliseconds(30)
        let port = try stage.listen().port

        let output = try answers(to: [health], on: stage, port: port)

        #expect(output.ranges(of: "HTTP/1.1 200 OK").count == 1)
        #expect(output.contains("status 0"))
        stage.run("its release") { stage.listener?.connectionCount == 0 }
    }

    @Test func `a connection that asked for its health becomes a WebSocket`() throws {
        let stage = try Stage()
        stage.limits.closeTimeout = .milliseconds(50)
        // The time for requests does not go on when it is one.
        stage.limits.httpIdleTimeout = .milliseconds(30)
        let port = try stage.listen().port
        stage.server.onOpened = { connection in
            connection.loop.schedule(after: .milliseconds(90)) {
                #expect(stage.server.end == nil)
                connection.close()
            }
        }

        let output = try answers(
            to: [health, ServerUpgradeTests.request()], on: stage, port: port)

        #expect(output.contains("HTTP/1.1 200 OK"))
        #expect(output.contains("HTTP/1.1 101 Switching Protocols"))
        #expect(stage.server.openedCount == 1)
    }
}
