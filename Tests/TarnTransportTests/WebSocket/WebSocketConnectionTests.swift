import TarnTesting
import TarnTransport
import Testing

@Suite struct WebSocketConnectionTests {
    @Test(arguments: [0, 1, 7, 8, 9, 125, 126, 127, 65_535, 65_536])
    func `a binary message of any length arrives, at both lengths' borders`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let payload = random.bytes(count)
        var probe = WebSocketProbe()

        probe.receive(TestFrame(2, payload))

        #expect(probe.events == [.message(WebSocketMessage(.binary, payload))])
        #expect(probe.output.isEmpty)
    }

    @Test func `what one role sends, the other receives`() {
        var random = SeededGenerator(seed: 3)
        for count in [0, 5, 126, 65_536] {
            let payload = random.bytes(count)
            var server = WebSocketProbe(.server)
            var client = WebSocketProbe(.client)

            server.receive(client.send(payload))
            client.receive(server.send(payload))

            #expect(server.events == [.message(WebSocketMessage(.binary, payload))])
            #expect(client.events == server.events)
        }
    }

    @Test func `a client masks with another key every time`() {
        var client = WebSocketProbe(.client)

        let keys = (0..<100).map { _ in Array(client.send([1])[2..<6]) }

        #expect(Set(keys).count > 95)
    }

    @Test func `a server sends the frame of the specification`() {
        var server = WebSocketProbe(.server)
        var queue = ByteQueue()

        _ = server.connection.send(Array("Hello".utf8).span.bytes, as: .text, to: &queue)

        #expect(queue.takeAll() == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    }

    @Test func `a ping between fragments is answered, and the message is whole`() {
        var probe = WebSocketProbe()

        probe.receive(
            TestFrame(1, Array("Hel".utf8), isFinal: false), TestFrame(9, [1, 2]),
            TestFrame(0, [], isFinal: false), TestFrame(0, Array("lo".utf8)))

        #expect(probe.events == [.message(WebSocketMessage(.text, Array("Hello".utf8)))])
        #expect(probe.output == TestFrame(10, [1, 2], mask: nil).bytes)
    }

    @Test func `pings are answered in order, each with what it says`() {
        var probe = WebSocketProbe()

        probe.receive((0..<100).flatMap { TestFrame(9, [$0]).bytes })

        #expect(probe.output == (0..<100).flatMap { TestFrame(10, [$0], mask: nil).bytes })
    }

    @Test func `a flood of pings is answered with a bounded count of bytes, the last one last`() {
        var connection = WebSocketConnection(role: .server)
        var events: [WebSocketEvent] = []
        var queue = ByteQueue()
        let payload = [UInt8](repeating: 7, count: 125)

        for number in 0..<UInt8(20) {
            let flood = (0..<100).flatMap { _ in TestFrame(9, payload).bytes }
            let last = TestFrame(9, [number]).bytes
            connection.receive((flood + last).span.bytes, events: &events, output: &queue)
        }
        #expect(queue.count < 66_000)
        queue.removeFirst(queue.count)
        connection.receive([UInt8]().span.bytes, events: &events, output: &queue)

        #expect(queue.takeAll() == TestFrame(10, [19], mask: nil).bytes)
    }

    @Test func `a pong is passed on`() {
        var probe = WebSocketProbe()

        probe.receive(TestFrame(10, [7]))

        #expect(probe.events == [.pong([7])])
    }
}
