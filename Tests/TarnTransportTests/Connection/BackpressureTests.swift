import Testing

@testable import TarnTransport

@Suite struct BackpressureTests {
    private func stage(_ change: (inout TransportLimits) -> Void) throws -> (Stage, Recorder) {
        let stage = try Stage()
        change(&stage.limits)
        try stage.listen()
        let client = try stage.connect()
        stage.run("opening") { client.openedCount == 1 && stage.server.openedCount == 1 }
        return (stage, client)
    }

    @Test func `a peer that stops reading makes the connection unwritable, then drains it`() throws
    {
        let (stage, client) = try stage { $0.outgoingByteCountMax = 64_000_000 }
        let connection = try #require(client.connection)
        stage.server.connection?.pauseReading()
        let message = [UInt8](repeating: 9, count: 65_536)
        var sentCount = 0
        func fill() {
            while connection.isWritable {
                connection.send(message)
                sentCount += 1
            }
        }

        // Until the buffers of the system are full on both sides.
        stage.run("a full network") {
            fill()
            return client.drainedCount > 0 || connection.queuedByteCount > 300_000
        }
        var isLater = false
        connection.loop.schedule(after: .milliseconds(30)) { isLater = true }
        stage.run("a while") { isLater }
        fill()
        #expect(!connection.isWritable)
        let drainedBefore = client.drainedCount
        stage.server.connection?.resumeReading()
        stage.run("the draining") { client.drainedCount > drainedBefore }
        stage.run("all messages") { stage.server.messages.count == sentCount }

        #expect(connection.isWritable)
        #expect(stage.server.messages.allSatisfy { $0.payload == message })
    }

    @Test func `an owner who ignores that loses the connection`() throws {
        let (stage, client) = try stage { $0.outgoingByteCountMax = 500_000 }
        let connection = try #require(client.connection)
        stage.server.connection?.pauseReading()

        var accepted = 0
        while connection.send([UInt8](repeating: 0, count: 50_000)) { accepted += 1 }
        stage.run("the end") { client.end != nil }

        #expect(accepted <= 10)
        #expect(client.error?.code == .peerTooSlow)
    }

    @Test func `a peer that takes nothing for long is given up`() throws {
        let (stage, client) = try stage {
            $0.stallTimeout = .milliseconds(60)
            $0.outgoingByteCountMax = 64_000_000
        }
        let connection = try #require(client.connection)
        stage.server.connection?.pauseReading()

        for _ in 0..<500 { connection.send([UInt8](repeating: 0, count: 65_536)) }
        stage.run("the end") { client.end != nil }

        #expect(client.error?.code == .peerTooSlow)
    }

    @Test func `what was sent before the goodbye arrives, however much it is`() throws {
        let (stage, client) = try stage { $0.outgoingByteCountMax = 64_000_000 }
        let connection = try #require(client.connection)

        for number in 0..<200 {
            connection.send([UInt8](repeating: UInt8(number), count: 60_000))
        }
        connection.close()
        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(stage.server.messages.count == 200)
        #expect(client.end == .closed(WebSocketClose(.normal)))
    }

    @Test func `the time to answer a goodbye begins when all is written`() throws {
        let (stage, client) = try stage {
            $0.outgoingByteCountMax = 64_000_000
            // Ample for a busy machine to read what is written, and less than it waits unread.
            $0.closeTimeout = .milliseconds(2_000)
        }
        let connection = try #require(client.connection)
        stage.server.connection?.pauseReading()

        for _ in 0..<400 { connection.send([UInt8](repeating: 1, count: 60_000)) }
        connection.close()
        connection.loop.schedule(after: .milliseconds(2_500)) {
            stage.server.connection?.resumeReading()
        }
        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(stage.server.messages.count == 400)
        #expect(client.end == .closed(WebSocketClose(.normal)))
    }

    @Test func `a client that does not answer our goodbye is left after a while`() throws {
        let (stage, client) = try stage { $0.closeTimeout = .milliseconds(50) }
        client.connection?.pauseReading()

        stage.server.connection?.close()
        stage.run("the end") { stage.server.end != nil }

        #expect(stage.server.error?.code == .timedOut)
        stage.run("the release") { stage.listener?.connectionCount == 0 }
    }

    @Test func `peers that do not read cost no more than the high water, and slow no other`() throws
    {
        let stage = try ClockStage()
        stage.limits.outgoingLowWater = 10_000
        stage.limits.outgoingHighWater = 40_000
        stage.limits.socketUnsentByteCountMax = 16_384
        try stage.listen()
        let reader = try stage.open()
        let slow = try (0..<20).map { _ in
            let (client, server) = try stage.open { $0.socketReceiveByteCount = 4_096 }
            client.connection?.pauseReading()
            return server
        }
        let message = [UInt8](repeating: 3, count: 1_000)

        // An owner who stops while a connection is not writable.
        for round in 1...500 {
            for connection in slow + [reader.server] where connection.isWritable {
                connection.send(message)
            }
            stage.run("round \(round)") { reader.client.messages.count == round }
        }

        for connection in slow {
            #expect(connection.phase == .open)
            #expect(!connection.isWritable)
            #expect(connection.queuedByteCount <= 40_000 + 1_100)
        }
    }
}
