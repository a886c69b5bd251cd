import Glibc
import Testing

@testable import TarnTransport

@Suite struct PingFloodTests {
    @Test func `who pings and does not read costs no more than the room for answers`() throws {
        let stage = try Stage()
        try stage.listen()
        let client = try stage.connect()
        stage.run("opening") { client.openedCount == 1 && stage.server.openedCount == 1 }
        let peer = try #require(client.connection)
        let server = try #require(stage.server.connection)
        peer.pauseReading()
        shrink(SO_SNDBUF, of: server)
        shrink(SO_RCVBUF, of: peer)
        let pings = (0..<1_000).flatMap { _ in
            TestFrame(9, [UInt8](repeating: 7, count: 125)).bytes
        }

        // More than the buffers of the system take.
        var most = 0
        for _ in 0..<8 {
            peer.traffic.outgoing.append(pings)
            peer.planFlush()
            stage.run("the pings") {
                most = max(most, server.queuedByteCount)
                return peer.queuedByteCount == 0
            }
        }
        peer.resumeReading()
        stage.run("the answers") { server.queuedByteCount == 0 }

        // The room, the answer that filled it, and one piece that was encrypted before.
        #expect(most > 65_536)
        #expect(most < 65_536 + 127 + 70_000)
        #expect(client.end == nil && stage.server.end == nil)
    }

    private func shrink(_ buffer: Int32, of connection: SecureConnection) {
        var byteCount: Int32 = 65_536
        setsockopt(connection.descriptor, SOL_SOCKET, buffer, &byteCount, 4)
    }
}
