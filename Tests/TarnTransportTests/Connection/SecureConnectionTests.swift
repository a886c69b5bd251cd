import TarnTesting
import TarnTransport
import Testing

@Suite struct SecureConnectionTests {
    @Test(arguments: ["localhost", "127.0.0.1"])
    func `what a client sends comes back, and both hear the goodbye`(host: String) throws {
        let stage = try Stage()
        stage.server.echo()
        try stage.listen()
        let client = try stage.connect(host: host)
        var random = SeededGenerator(seed: 1)
        let payloads = [0, 1, 125, 126, 65_535, 65_536].map { random.bytes($0) }
        client.onOpened = { connection in for payload in payloads { connection.send(payload) } }

        stage.run("the echo") { client.messages.count == payloads.count }
        client.connection?.close(.normal, reason: "enough")
        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(client.messages == payloads.map { WebSocketMessage(.binary, $0) })
        #expect(stage.server.ends == [.closed(WebSocketClose(.normal, reason: "enough"))])
        #expect(client.ends == [.closed(WebSocketClose(.normal))])
        #expect(client.openedCount == 1)
        stage.run("the release") { stage.listener?.connectionCount == 0 }
    }

    @Test func `messages sent in one turn come as one batch`() throws {
        let stage = try Stage()
        try stage.listen()
        let client = try stage.connect()
        client.onOpened = { connection in
            for number in 0..<100 { connection.send([UInt8(number)]) }
        }

        stage.run("the messages") { stage.server.messages.count == 100 }

        #expect(stage.server.batchCount == 1)
        #expect(stage.server.messages.map(\.payload) == (0..<100).map { [UInt8($0)] })
    }

    @Test func `a client that is aborted is gone for the server`() throws {
        let stage = try Stage()
        try stage.listen()
        let client = try stage.connect()
        stage.run("opening") { stage.server.openedCount == 1 && client.openedCount == 1 }

        client.connection?.abort()
        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(client.error?.code == .cancelled)
        #expect(stage.server.error?.code == .peerVanished)
    }

    @Test func `a server that is gone is noticed by its client, who may still try to send`() throws
    {
        let stage = try Stage()
        try stage.listen()
        let client = try stage.connect()
        stage.run("opening") { stage.server.openedCount == 1 && client.openedCount == 1 }
        let connection = try #require(client.connection)

        stage.server.connection?.abort()
        stage.run("the server's end") { stage.server.end != nil }
        while connection.send([UInt8](repeating: 0, count: 60_000)), connection.isWritable {}
        stage.run("the client's end") { client.end != nil }

        #expect(client.error?.code == .peerVanished)
    }

    @Test func `a message that breaks the protocol ends the connection with its reason`() throws {
        let stage = try Stage()
        stage.limits.messageByteCountMax = 200_000
        try stage.listen()
        let client = try stage.connect()
        client.onOpened = { connection in connection.send([UInt8](repeating: 0, count: 70_000)) }

        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(stage.server.error?.code == .protocolViolation)
        let reason = WebSocketViolation.frameTooLong.description
        #expect(client.end == .closed(WebSocketClose(.tooBig, reason: reason)))
    }

    @Test func `a message over the limit ends the connection of whoever sends it`() throws {
        let stage = try Stage()
        try stage.listen()
        let client = try stage.connect()
        stage.run("opening") { stage.server.openedCount == 1 && client.openedCount == 1 }
        let connection = try #require(client.connection)

        let isSent = connection.send([UInt8](repeating: 0, count: 65_537))
        #expect(!isSent && !connection.send([1]))
        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(client.error?.code == .messageTooLong)
        #expect(client.error?.sentence.contains("65537") == true)
        #expect(stage.server.messages.isEmpty)
    }

    @Test func `both sides may say goodbye at once`() throws {
        let stage = try Stage()
        try stage.listen()
        let client = try stage.connect()
        stage.run("opening") { stage.server.openedCount == 1 && client.openedCount == 1 }

        client.connection?.close(.normal)
        stage.server.connection?.close(.goingAway)
        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(client.end == .closed(WebSocketClose(.goingAway)))
        #expect(stage.server.end == .closed(WebSocketClose(.normal)))
    }

    @Test func `sending after the end is answered with false`() throws {
        let stage = try Stage()
        try stage.listen()
        let client = try stage.connect()
        stage.run("opening") { client.openedCount == 1 }
        let connection = try #require(client.connection)

        connection.close()

        #expect(!connection.send([1]))
        #expect(!connection.isWritable)
        stage.run("the end") { client.end != nil }
        #expect(!connection.send([1]))
    }

    @Test func `a loop counts what its connections do`() throws {
        let stage = try Stage()
        try stage.listen()
        stage.server.echo()
        let client = try stage.connect()
        client.onOpened = { for _ in 0..<3 { $0.send([UInt8](repeating: 7, count: 1000)) } }
        let counters = stage.loop.counters
        let port = try #require(stage.listener?.port)

        stage.run("the echoes") { client.messages.count == 3 }

        #expect(counters.connectionsAccepted.count == 1)
        #expect(counters.connections.count == 2)
        #expect(counters.handshakesDone.count == 2)
        #expect(counters.messagesSent.count == 6)
        #expect(counters.messagesReceived.count == 6)
        #expect(counters.bytesSent.count > 6000)
        #expect(counters.bytesReceived.count == counters.bytesSent.count)
        #expect(counters.bytesQueued.count == 0)

        let stranger = try RawSocket(port: port)
        stranger.write(Array("hello, this is not TLS".utf8))
        client.connection?.close()
        stage.run("the ends") { counters.connections.count == 0 }

        #expect(counters.handshakesFailed.count == 1)
        #expect(counters.bytesQueued.count == 0)
    }
}
