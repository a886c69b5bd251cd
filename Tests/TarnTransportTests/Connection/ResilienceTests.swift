import Glibc
import TarnTesting
import TarnTransport
import Testing

@Suite struct ResilienceTests {
    @Test func `a port in use is told as that`() throws {
        let stage = try Stage()
        let port = try stage.listen().port

        let error = #expect(throws: TransportError.self) {
            try Listener(
                on: stage.loop, host: "127.0.0.1", port: port,
                credentials: Certificates.shared.credentials(), accept: { _ in nil })
        }

        #expect(error?.code == .addressInUse)
        #expect(error?.sentence.contains("127.0.0.1:\(port)") == true)
    }

    @Test func `without a host all addresses are listened on`() throws {
        let stage = try Stage()
        let server = stage.server
        let listener = try Listener(
            on: stage.loop, port: 0, credentials: Certificates.shared.credentials(),
            accept: { _ in server })
        defer { listener.stop() }
        let clients = try ["127.0.0.1", "::1"].map { host in
            let client = Recorder()
            Connector(
                to: Endpoint(host: host, port: listener.port), on: stage.loop,
                trust: try TLSClientContext(trust: .authority(Certificates.shared.authority)),
                handler: client)
            return client
        }

        stage.run("an outcome") { clients.allSatisfy { $0.openedCount == 1 || $0.end != nil } }

        #expect(clients[0].openedCount == 1)
        // A machine may have no IPv6; then it is unreachable, and nothing worse.
        #expect(clients[1].openedCount == 1 || clients[1].error?.code == .unreachable)
    }

    @Test func `where nobody listens is unreachable, and says why`() throws {
        let stage = try Stage()
        try stage.listen()
        let port = try #require(stage.listener?.port)
        stage.listener?.stop()

        let client = try stage.connect(host: "127.0.0.1")
        stage.run("the end") { client.end != nil }

        #expect(client.error?.code == .unreachable)
        #expect(
            client.error?.sentence == "127.0.0.1:\(port) cannot be reached: Connection refused.")
    }

    @Test func `a name that does not exist is not found`() throws {
        let stage = try Stage()

        let client = try stage.connect(host: "no-such-host.invalid")
        stage.run("the end") { client.end != nil }

        #expect(client.error?.code == .nameNotFound)
    }

    @Test(arguments: ["", "a b", "a\r\nHost: b", "localhost\0.example"])
    func `what is no host is not asked for`(host: String) throws {
        let stage = try Stage()

        let client = try stage.connect(host: host)
        stage.run("the end") { client.end != nil }

        #expect(client.error?.code == .badAddress)
    }

    @Test func `a connection that is given up before it is made ends once`() throws {
        let stage = try Stage()
        try stage.listen()
        let client = try stage.connect()

        client.connector?.cancel()
        stage.run("the end") { client.end != nil }

        #expect(client.ends.count == 1)
        #expect(client.error?.code == .cancelled)
    }

    @Test func `a peer that connects and says nothing is hung up on`() throws {
        let stage = try Stage()
        stage.limits.handshakeTimeout = .milliseconds(50)
        let port = try stage.listen().port
        let silent = try RawSocket(port: port)
        stage.run("its admission") { stage.listener?.acceptedCount == 1 }

        stage.run("its release") { stage.listener?.connectionCount == 0 }

        #expect(silent.readToEnd() == [])
        #expect(stage.server.openedCount == 0)
    }

    @Test func `a peer that does not speak TLS is hung up on`() throws {
        let stage = try Stage()
        let port = try stage.listen().port
        let socket = try RawSocket(port: port)
        socket.write(Array("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        stage.run("its admission") { stage.listener?.acceptedCount == 1 }

        stage.run("its release") { stage.listener?.connectionCount == 0 }

        #expect(stage.server.openedCount == 0)
    }

    @Test func `a server that never speaks times out for the client`() throws {
        let stage = try Stage()
        stage.limits.handshakeTimeout = .milliseconds(50)
        let mute = try RawListener()
        let client = Recorder()
        Connector(
            to: Endpoint(host: "127.0.0.1", port: mute.port), on: stage.loop,
            trust: try TLSClientContext(trust: .system), limits: stage.limits, handler: client)

        stage.run("the end") { client.end != nil }

        #expect(client.error?.code == .timedOut)
    }

    @Test func `pings keep a quiet connection open`() throws {
        let stage = try Stage()
        stage.limits.pingInterval = .milliseconds(10)
        try stage.listen()
        let client = try stage.connect()
        var isLater = false
        client.onOpened = { connection in
            connection.loop.schedule(after: .milliseconds(150)) { isLater = true }
        }

        stage.run("fifteen intervals") { isLater }

        #expect(client.end == nil)
        #expect(stage.server.end == nil)
    }

    @Test func `a peer that answers no ping is gone`() throws {
        let stage = try Stage()
        stage.limits.pingInterval = .milliseconds(20)
        try stage.listen()
        let client = try stage.connect()
        client.onOpened = { $0.pauseReading() }

        stage.run("the server's patience") { stage.server.end != nil }

        #expect(stage.server.error?.code == .peerVanished)
    }

    @Test func `an idle connection is closed if that is wished`() throws {
        let stage = try Stage()
        stage.limits.idleTimeout = .milliseconds(30)
        try stage.listen()
        let client = try stage.connect()

        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(
            client.end == .closed(WebSocketClose(.goingAway, reason: "idle"))
                || client.end == .closed(WebSocketClose(.goingAway)))
    }

    @Test func `connections over the limit are turned away`() throws {
        let stage = try Stage()
        stage.limits.connectionCountMax = 1
        try stage.listen()
        let first = try stage.connect()
        stage.run("the first") { first.openedCount == 1 }

        let second = try stage.connect()
        stage.run("the second") { second.end != nil }

        #expect(second.error?.code == .peerVanished)
        #expect(first.end == nil)
    }

    @Test func `a renewed certificate is shown to new connections`() throws {
        let stage = try Stage()
        try stage.listen(certificate: "expired")

        try stage.listener?.use(Certificates.shared.credentials())
        let client = try stage.connect()
        stage.run("an outcome") { client.openedCount == 1 || client.end != nil }

        #expect(client.openedCount == 1)
    }
}
