import TarnTransport
import Testing

@Suite struct WebSocketCloseTests {
    @Test(arguments: [1000, 1001, 1003, 1007, 1014, 3000, 4999] as [UInt16])
    func `a close is answered with its code`(code: UInt16) {
        var probe = WebSocketProbe()
        let bytes = [UInt8(code >> 8), UInt8(code & 0xFF)]

        probe.receive(TestFrame(8, bytes + Array("später".utf8)))

        let close = WebSocketClose(WebSocketCloseCode(rawValue: code), reason: "später")
        #expect(probe.events == [.closed(close)])
        #expect(probe.output == TestFrame(8, bytes, mask: nil).bytes)
        #expect(probe.connection.state == .closed)
    }

    /// RFC 6455, section 7.4, with what was registered since.
    private func maySend(_ code: UInt16) -> Bool {
        switch code {
        case 1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014: true
        case 3000...4999: true
        default: false
        }
    }

    @Test func `every code that may stand in a frame is taken, and every other refused`() {
        for code in UInt16.min...UInt16.max {
            guard code <= 5_100 || code % 97 == 0 || code == .max else { continue }
            var probe = WebSocketProbe()
            probe.receive(TestFrame(8, [UInt8(code >> 8), UInt8(code & 0xFF)]))

            let close = WebSocketClose(WebSocketCloseCode(rawValue: code))
            #expect(probe.events == [maySend(code) ? .closed(close) : .failed(.badClose)])
            #expect(close.code?.isSendable == maySend(code))
        }
    }

    @Test func `a wrong code is refused before its reason has come`() {
        var probe = WebSocketProbe()

        probe.receive(TestFrame(8, [3, 237], announced: 100))

        #expect(probe.events == [.failed(.badClose)])
    }

    @Test func `a close without a code is answered without one`() {
        var probe = WebSocketProbe()

        probe.receive(TestFrame(8))

        #expect(probe.events == [.closed(WebSocketClose(nil))])
        #expect(probe.output == [0x88, 0])
    }

    @Test func `messages may be sent until the peer's close is answered, and not after`() {
        var connection = WebSocketConnection(role: .server)
        var queue = ByteQueue()
        var events: [WebSocketEvent] = []
        let message: [UInt8] = [5]

        connection.receive(
            (TestFrame(9, [1]).bytes + TestFrame(8, [3, 232]).bytes).span.bytes, events: &events,
            output: &queue)
        #expect(connection.state == .parting)
        let isSent = connection.send(message.span.bytes, to: &queue)
        connection.sendLastWords(to: &queue)
        connection.sendLastWords(to: &queue)

        #expect(isSent)
        #expect(connection.state == .closed)
        #expect(!connection.send(message.span.bytes, to: &queue))
        let said = [
            TestFrame(10, [1], mask: nil), TestFrame(2, message, mask: nil),
            TestFrame(8, [3, 232], mask: nil),
        ]
        #expect(queue.takeAll() == said.flatMap(\.bytes))
    }

    @Test func `nothing is read after a close`() {
        var probe = WebSocketProbe()

        probe.receive(TestFrame(8), TestFrame(2, [1]), TestFrame(3))

        #expect(probe.events == [.closed(WebSocketClose(nil))])
    }

    @Test func `after our close messages are dropped and the answer ends it`() {
        var probe = WebSocketProbe()

        let sent = probe.close(WebSocketClose(.goingAway))
        probe.receive(TestFrame(2, [1]), TestFrame(9, [1]), TestFrame(8, [3, 233]))

        #expect(sent == [0x88, 2, 3, 233])
        #expect(probe.events == [.closed(WebSocketClose(.goingAway))])
        #expect(probe.output.isEmpty)
        #expect(probe.send([1]).isEmpty)
        #expect(probe.close(WebSocketClose(.normal)).isEmpty)
    }

    @Test func `a long reason is cut between scalars`() {
        let close = WebSocketClose(.normal, reason: String(repeating: "€", count: 60))
        var sender = WebSocketProbe(.server)
        var receiver = WebSocketProbe(.client)

        receiver.receive(sender.close(close))

        #expect(close.reason == String(repeating: "€", count: 41))
        #expect(receiver.events == [.closed(close)])
    }
}
