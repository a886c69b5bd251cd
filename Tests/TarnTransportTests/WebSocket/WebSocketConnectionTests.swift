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

    struct Violation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let expected: WebSocketViolation

        init(_ name: String, _ frames: [TestFrame], _ expected: WebSocketViolation) {
            testDescription = name
            bytes = frames.flatMap(\.bytes)
            self.expected = expected
        }
    }

    static let violations: [Violation] =
        (1...7).map {
            Violation("reserved bits \($0)", [TestFrame(2, reserved: $0)], .reservedBits)
        }
        + [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map {
            Violation("opcode \($0)", [TestFrame($0)], .unknownOpcode)
        }
        + [8, 9, 10].map {
            Violation("control \($0) in parts", [TestFrame($0, isFinal: false)], .fragmentedControl)
        }
        + [8, 9, 10].map {
            Violation(
                "long control \($0)", [TestFrame($0, [UInt8](repeating: 0, count: 126))],
                .longControl)
        }
        + [
            Violation("no mask", [TestFrame(2, [1], mask: nil)], .unmaskedClient),
            Violation("125 in 16 bits", [TestFrame(2, lengthBits: 16, announced: 125)], .badLength),
            Violation("65535 in 64", [TestFrame(2, lengthBits: 64, announced: 65_535)], .badLength),
            Violation("a negative length", [TestFrame(2, announced: 1 << 63)], .badLength),
            Violation("the greatest length", [TestFrame(2, announced: .max)], .badLength),
            Violation("2^63 - 1 bytes", [TestFrame(2, announced: .max >> 1)], .frameTooLong),
            Violation("a byte too many", [TestFrame(2, announced: 65_537)], .frameTooLong),
            Violation("a continuation of nothing", [TestFrame(0)], .unexpectedContinuation),
            Violation(
                "two beginnings", [TestFrame(2, isFinal: false), TestFrame(2)], .unfinishedMessage),
            Violation("text that is none", [TestFrame(1, [0xC0, 0x80])], .invalidText),
            Violation("text cut in a scalar", [TestFrame(1, [0xE2, 0x82])], .invalidText),
            Violation("a surrogate", [TestFrame(1, [0xED, 0xA0, 0x80])], .invalidText),
            Violation("a close of one byte", [TestFrame(8, [3])], .badClose),
            Violation("a reason that is no text", [TestFrame(8, [3, 232, 0xFF])], .invalidText),
        ]
        + [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535].map { (code: UInt16) in
            Violation(
                "close code \(code)", [TestFrame(8, [UInt8(code >> 8), UInt8(code & 0xFF)])],
                .badClose)
        }

    @Test(arguments: violations)
    func `who breaks the rules is told and not read any more`(violation: Violation) {
        var probe = WebSocketProbe()

        probe.receive(violation.bytes)
        let output = probe.output
        probe.receive(TestFrame(2, [1]), TestFrame(9))

        #expect(probe.events == [.failed(violation.expected)])
        #expect(probe.output == output)
        let code = violation.expected.closeCode.rawValue
        #expect(output.first == 0x88)
        #expect(Array(output[2..<4]) == [UInt8(code >> 8), UInt8(code & 0xFF)])
    }

    @Test func `a server's frame that is masked is refused by a client`() {
        var client = WebSocketProbe(.client)

        client.receive(TestFrame(2, [1]))

        #expect(client.violation == .maskedServer)
    }

    @Test func `text may be cut inside a scalar`() {
        var probe = WebSocketProbe()
        let text = Array("a€😀é".utf8)

        for (index, byte) in text.enumerated() {
            let isFinal = index == text.count - 1
            probe.receive(TestFrame(index == 0 ? 1 : 0, [byte], isFinal: isFinal))
        }

        #expect(probe.events == [.message(WebSocketMessage(.text, text))])
    }

    @Test func `wrong text is refused before its message has ended`() {
        var probe = WebSocketProbe()

        probe.receive(TestFrame(1, [0x61, 0xF5], isFinal: false))

        #expect(probe.violation == .invalidText)
    }
}
