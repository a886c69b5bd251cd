import TarnTesting
import Testing

@testable import TarnTransport

/// Every limit of bytes that wait or come: below, at and above.
@Suite struct ByteLimitTests {
    private func status(_ head: String, _ change: (inout TransportLimits) -> Void) -> Int? {
        var limits = TransportLimits()
        change(&limits)
        var upgrade = ServerUpgrade(policy: UpgradePolicy(), limits: limits)
        switch upgrade.receive(Array(head.utf8).span.bytes) {
        case .upgraded: return 101
        case .answered(let bytes), .ended(let bytes):
            return Int(String(decoding: bytes, as: UTF8.self).split(separator: " ")[1])
        case nil: return nil
        }
    }

    @Test(arguments: [(499, 101), (500, 101), (501, 431)])
    func `a head has at most so many bytes`(count: Int, expected: Int) {
        let bare = ServerUpgradeTests.request(extra: "X-Padding: \r\n")
        let padding = String(repeating: "x", count: count - bare.utf8.count)
        let head = ServerUpgradeTests.request(extra: "X-Padding: \(padding)\r\n")
        #expect(head.utf8.count == count)

        #expect(status(head) { $0.httpHeadByteCountMax = 500 } == expected)
    }

    @Test(arguments: [(499, nil), (500, nil), (501, 431)] as [(Int, Int?)])
    func `a head without an end is refused when it has more bytes than that`(
        count: Int, expected: Int?
    ) {
        let head = "GET /sync HTTP/1.1\r\nX: " + String(repeating: "x", count: count - 23)
        #expect(head.utf8.count == count)

        #expect(status(head) { $0.httpHeadByteCountMax = 500 } == expected)
    }

    @Test(arguments: [(9, 101), (10, 101), (11, 431)])
    func `a head has at most so many headers`(count: Int, expected: Int) {
        let more = (ServerUpgradeTests.headers.count..<count).map { "X-\($0): y\r\n" }.joined()
        let head = ServerUpgradeTests.request(extra: more)

        #expect(status(head) { $0.httpHeaderCountMax = 10 } == expected)
    }

    /// A server's connection that nobody reads, and nothing of which is written within a turn.
    private func connection(
        _ change: (inout TransportLimits) -> Void
    ) throws -> (ClockStage, Recorder, SecureConnection) {
        let stage = try ClockStage()
        change(&stage.limits)
        try stage.listen()
        let (client, server) = try stage.open()
        stage.settle()
        return (stage, client, server)
    }

    /// With the header of a server's frame.
    private func message(queueing byteCount: Int) -> [UInt8] {
        [UInt8](repeating: 7, count: byteCount - (byteCount < 65_540 ? 4 : 10))
    }

    @Test(arguments: [(9_999, true), (10_000, true), (10_001, false)])
    func `a connection is writable up to the high water`(count: Int, isWritable: Bool) throws {
        let (stage, client, server) = try connection {
            $0.outgoingLowWater = 100
            $0.outgoingHighWater = 10_000
        }

        server.send(message(queueing: count))
        #expect(server.queuedByteCount == count)
        #expect(server.isWritable == isWritable)

        stage.run("its arrival") { client.messages.count == 1 }
        stage.settle()
        #expect(server.isWritable)
        #expect(stage.server.drainedCount == (isWritable ? 0 : 1))
    }

    @Test(arguments: [(9_999, true), (10_000, true), (10_001, false)])
    func `what waits to be sent is at most so much`(count: Int, isSent: Bool) throws {
        let (stage, client, server) = try connection {
            $0.outgoingHighWater = 5_000
            $0.outgoingLowWater = 100
            $0.outgoingByteCountMax = 10_000
        }
        server.send(message(queueing: 4_000))

        #expect(server.send([UInt8](repeating: 1, count: count - 4_000)) == isSent)
        // A frame's few bytes of header are not counted before it is there.
        if isSent { #expect(server.queuedByteCount == count + 4) }
        stage.run("an outcome") { client.messages.count == 2 || stage.server.end != nil }

        #expect((stage.server.error?.code == .peerTooSlow) == !isSent)
    }

    @Test func `a connection is drained at the low water, and not above`() throws {
        let (stage, client, server) = try connection {
            $0.outgoingLowWater = 30_000
            $0.outgoingHighWater = 200_000
            $0.outgoingByteCountMax = 64 << 20
            $0.socketUnsentByteCountMax = 16_384
        }
        client.connection?.pauseReading()
        for _ in 0..<300 { server.send([UInt8](repeating: 0, count: 60_000)) }
        stage.settle()
        #expect(!server.isWritable)
        #expect(stage.server.drainedCount == 0)

        client.connection?.resumeReading()
        stage.run("the draining") {
            #expect((stage.server.drainedCount == 1) == (server.queuedByteCount <= 30_000))
            return stage.server.drainedCount == 1
        }
        stage.run("the rest") { client.messages.count == 300 }

        #expect(stage.server.drainedCount == 1)
    }

    @Test func `the kernel keeps little unsent for a peer that does not read, if it is told so`()
        throws
    {
        func sentByteCount(unsentMax: Int?) throws -> Int {
            let stage = try ClockStage()
            stage.limits.socketUnsentByteCountMax = unsentMax
            stage.limits.outgoingByteCountMax = 64 << 20
            try stage.listen()
            let (client, server) = try stage.open { $0.socketReceiveByteCount = 4_096 }
            client.connection?.pauseReading()
            stage.settle()
            let before = stage.loop.counters.bytesSent.count
            for _ in 0..<200 { server.send([UInt8](repeating: 0, count: 60_000)) }
            stage.settle()
            return stage.loop.counters.bytesSent.count - before
        }

        let told = try sentByteCount(unsentMax: 16_384)
        let free = try sentByteCount(unsentMax: nil)

        // What is sent and not acknowledged, and one record above the bound, are not counted.
        #expect(told < 150_000)
        #expect(free > 2 * told)
    }

    @Test(arguments: [1_000, 65_536, 100_000, 262_144])
    func `a connection reads at most so much in a turn`(limit: Int) throws {
        let (stage, client, server) = try connection { $0.readByteCountPerTurn = limit }
        for _ in 0..<30 { client.connection?.send([UInt8](repeating: 0, count: 60_000)) }
        server.pauseReading()
        stage.settle()

        var most = 0
        var before = stage.loop.counters.bytesReceived.count
        server.resumeReading()
        stage.run("all of it") {
            most = max(most, stage.loop.counters.bytesReceived.count - before)
            before = stage.loop.counters.bytesReceived.count
            return stage.server.messages.count == 30
        }

        #expect(most == limit)
    }

    @Test func `a peer that asks for pongs and never reads has at most one to come`() throws {
        let (stage, client, server) = try connection { $0.outgoingByteCountMax = 64 << 20 }
        let connection = try #require(client.connection)
        connection.pauseReading()
        for _ in 0..<400 { server.send([UInt8](repeating: 0, count: 60_000)) }
        stage.settle()
        let waiting = server.queuedByteCount
        #expect(waiting > 1_000_000)

        for number in 0..<1_000 {
            connection.traffic.sendPing([UInt8](repeating: UInt8(number % 256), count: 125))
            connection.planFlush()
            _ = stage.loop.runOneTurn(waiting: 20)
        }

        #expect(server.queuedByteCount <= waiting)
        #expect(stage.server.end == nil)
    }
}
