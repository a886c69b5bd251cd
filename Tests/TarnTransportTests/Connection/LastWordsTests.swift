import Testing

@testable import TarnTransport

/// What came before the end of a connection is answered before its last words, although both came
/// with one turn.
@Suite struct LastWordsTests {
    /// Two ends that are open; what the client sends comes back.
    private func stage() throws -> (Stage, client: Recorder) {
        let stage = try Stage()
        stage.server.echo()
        try stage.listen()
        let client = try stage.connect()
        stage.run("opening") { client.openedCount == 1 && stage.server.openedCount == 1 }
        return (stage, client)
    }

    /// Frames that no client of ours would send, in one turn.
    private func say(_ frames: [TestFrame], _ connection: SecureConnection) {
        connection.traffic.outgoing.append(frames.flatMap(\.bytes))
        connection.planFlush()
    }

    @Test(arguments: [[], [3, 232]] as [[UInt8]])
    func `messages are answered before a goodbye is`(code: [UInt8]) throws {
        let (stage, client) = try stage()
        let connection = try #require(client.connection)

        say([TestFrame(1, [0x61]), TestFrame(2, [7]), TestFrame(8, code)], connection)
        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(client.messages.map(\.payload) == [[0x61], [7]])
        let close = WebSocketClose(code.isEmpty ? nil : .normal)
        #expect(stage.server.end == .closed(close))
        #expect(client.end == .closed(close))
    }

    @Test func `messages are answered before a violation is told`() throws {
        let (stage, client) = try stage()
        let connection = try #require(client.connection)

        say([TestFrame(1, [0x61]), TestFrame(9, [7]), TestFrame(3), TestFrame(2)], connection)
        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(client.messages.map(\.payload) == [[0x61]])
        let violation = WebSocketViolation.unknownOpcode
        #expect(
            client.end
                == .closed(WebSocketClose(.protocolError, reason: violation.description)))
    }

    @Test func `an owner's own goodbye goes instead of the answer to the peer's`() throws {
        let (stage, client) = try stage()
        let connection = try #require(client.connection)
        stage.server.onReceived = { _, connection in connection.close(.policy, reason: "no") }

        say([TestFrame(2, [7]), TestFrame(8, [3, 232])], connection)
        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        #expect(client.end == .closed(WebSocketClose(.policy, reason: "no")))
        #expect(stage.server.ends == [.closed(WebSocketClose(.normal))])
    }

    @Test func `an answer longer than the network's buffers is sent before the goodbye`() throws {
        let stage = try Stage()
        stage.limits.messageByteCountMax = 8 << 20
        stage.limits.frameByteCountMax = 8 << 20
        stage.limits.outgoingByteCountMax = 64 << 20
        stage.server.echo()
        try stage.listen()
        let client = try stage.connect()
        stage.run("opening") { client.openedCount == 1 && stage.server.openedCount == 1 }
        let connection = try #require(client.connection)
        let long = [UInt8](repeating: 0x61, count: 8 << 20)

        say([TestFrame(1, long), TestFrame(8, [3, 232])], connection)
        stage.run("the end of both") { client.end != nil && stage.server.end != nil }

        // Not the messages themselves: a failure would print them.
        #expect(client.messages.count == 1 && client.messages.first?.payload == long)
        #expect(client.end == .closed(WebSocketClose(.normal)))
    }
}
