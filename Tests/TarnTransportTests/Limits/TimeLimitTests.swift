import Testing

@testable import TarnTransport

/// Every limit of time: nothing happens a millisecond before it, and it happens at it.
@Suite struct TimeLimitTests {
    private let stage: ClockStage
    private let moment = Duration.milliseconds(1)

    init() throws { stage = try ClockStage() }

    @Test func `a handshake may take as long as its limit, and no longer`() throws {
        let silent = try RawSocket(port: try stage.listen())
        stage.run("its admission") { stage.listener?.connectionCount == 1 }

        stage.pass(stage.limits.handshakeTimeout - moment)
        #expect(stage.listener?.connectionCount == 1)
        stage.pass(moment)

        #expect(stage.listener?.connectionCount == 0)
        _ = silent
    }

    @Test func `a client gives a mute server the same time`() throws {
        let mute = try RawListener()
        let limits = TransportLimits()
        let client = Recorder()
        Connector(
            to: Endpoint(host: "127.0.0.1", port: mute.port), on: stage.loop,
            trust: try TLSClientContext(trust: .system), limits: limits, handler: client)

        stage.pass(limits.handshakeTimeout - moment)
        #expect(client.end == nil)
        stage.pass(moment)

        #expect(client.error?.code == .timedOut)
    }

    @Test func `who is open in time is not asked to hurry again`() throws {
        stage.limits.pingInterval = .seconds(1_000)
        try stage.listen()
        let (client, server) = try stage.open()

        stage.pass(stage.limits.handshakeTimeout * 3)

        #expect(client.end == nil && server.phase == .open)
    }

    @Test func `a ping is sent when nothing has come for its interval, and not before`() throws {
        try stage.listen()
        let (client, server) = try stage.open()
        client.connection?.pauseReading()

        stage.pass(stage.limits.pingInterval - moment)
        #expect(server.unansweredPingCount == 0)
        stage.pass(moment)
        #expect(server.unansweredPingCount == 1)

        client.connection?.resumeReading()
        stage.run("the answer") { server.unansweredPingCount == 0 }
        // What comes puts it off.
        stage.pass(stage.limits.pingInterval - moment)
        client.connection?.send([1])
        stage.run("a message") { stage.server.messages.count == 1 }
        stage.pass(stage.limits.pingInterval - moment)
        client.connection?.pauseReading()
        #expect(server.unansweredPingCount == 0)
        stage.pass(moment)
        #expect(server.unansweredPingCount == 1)
    }

    @Test(arguments: [0, 1, 2, 5])
    func `so many pings may be missed, and with the next one the peer is gone`(count: Int) throws {
        stage.limits.missedPingCountMax = count
        try stage.listen()
        let (client, server) = try stage.open()
        client.connection?.pauseReading()

        stage.pass(stage.limits.pingInterval * (count + 1) - moment)
        #expect(server.unansweredPingCount == count)
        #expect(stage.server.end == nil)
        stage.pass(moment)

        #expect(stage.server.error?.code == .peerVanished)
    }

    @Test func `without a message for its limit an idle connection is closed, and not before`()
        throws
    {
        let limit = Duration.seconds(60)
        stage.limits.idleTimeout = limit
        try stage.listen()
        let (client, server) = try stage.open()
        stage.pass(limit - moment)
        // Either way, a message puts it off; pings, which have come meanwhile, do not.
        client.connection?.send([1])
        stage.run("a message") { stage.server.messages.count == 1 }
        stage.pass(limit - moment)
        server.send([2])
        stage.run("its answer") { client.messages.count == 1 }

        stage.pass(limit - moment)
        #expect(server.phase == .open)
        stage.pass(moment)

        #expect(stage.server.end != nil)
        stage.run("the client's end") { client.end != nil }
    }

    @Test func `without a limit a quiet connection stays`() throws {
        try stage.listen()
        let (client, server) = try stage.open()

        stage.pass(.seconds(1_000))

        #expect(server.phase == .open && client.end == nil)
    }

    @Test func `a goodbye is waited for as long as its limit, and no longer`() throws {
        try stage.listen()
        let (client, server) = try stage.open()
        client.connection?.pauseReading()

        server.close()
        stage.settle()
        stage.pass(stage.limits.closeTimeout - moment)
        #expect(stage.server.end == nil)
        stage.pass(moment)

        #expect(stage.server.error?.code == .timedOut)
        #expect(stage.listener?.connectionCount == 0)
    }

    @Test func `a goodbye just in time is an end in peace`() throws {
        try stage.listen()
        let (client, server) = try stage.open()
        client.connection?.pauseReading()

        server.close()
        stage.pass(stage.limits.closeTimeout - moment)
        client.connection?.resumeReading()
        stage.run("both ends") { stage.server.end != nil && client.end != nil }

        #expect(stage.server.end == .closed(WebSocketClose(.normal)))
    }

    @Test func `a peer may take nothing for as long as its limit, and no longer`() throws {
        stage.limits.outgoingByteCountMax = 64 << 20
        stage.limits.pingInterval = .seconds(1_000)
        try stage.listen()
        let (client, server) = try stage.open()
        client.connection?.pauseReading()
        for _ in 0..<400 { server.send([UInt8](repeating: 0, count: 65_536)) }
        stage.settle()
        #expect(server.stalledSince != nil)

        stage.pass(stage.limits.stallTimeout - moment)
        #expect(stage.server.end == nil)
        // Some bytes are taken, and there is time again.
        client.connection?.resumeReading()
        let count = client.messages.count
        stage.run("some messages") { client.messages.count > count + 50 }
        client.connection?.pauseReading()
        stage.settle()
        #expect(server.stalledSince != nil)
        stage.pass(stage.limits.stallTimeout - moment)
        #expect(stage.server.end == nil)
        stage.pass(moment)

        #expect(stage.server.error?.code == .peerTooSlow)
    }
}
