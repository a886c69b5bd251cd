import TarnTransport
import Testing

/// What RFC 6455 forbids, said to a server and to a client.
@Suite struct WebSocketViolationTests {
    struct Violation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frames: [TestFrame]
        let expected: WebSocketViolation

        init(_ name: String, _ frames: [TestFrame], _ expected: WebSocketViolation) {
            testDescription = name
            self.frames = frames
            self.expected = expected
        }

        /// Masked for a server, not for a client.
        func bytes(for role: WebSocketConnection.Role) -> [UInt8] {
            frames.flatMap { frame in
                var frame = frame
                if role == .client { frame.mask = nil }
                return frame.bytes
            }
        }
    }

    static let violations: [Violation] = headers + lengths + orders + texts + closes

    private static let headers: [Violation] =
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
        + [8, 9, 10].map {
            Violation("endless control \($0)", [TestFrame($0, announced: .max)], .longControl)
        }

    private static let lengths: [Violation] =
        [0, 1, 125].map { (count: UInt64) in
            Violation(
                "\(count) in 16 bits", [TestFrame(2, lengthBits: 16, announced: count)], .badLength)
        }
        + [0, 125, 126, 65_535].map { (count: UInt64) in
            Violation(
                "\(count) in 64 bits", [TestFrame(2, lengthBits: 64, announced: count)], .badLength)
        }
        + [0, 1, 2].flatMap { (opcode: UInt8) in
            [
                Violation("2^63 at \(opcode)", [TestFrame(opcode, announced: 1 << 63)], .badLength),
                Violation("2^64-1 at \(opcode)", [TestFrame(opcode, announced: .max)], .badLength),
                Violation(
                    "2^63-1 at \(opcode)", [TestFrame(opcode, announced: .max >> 1)],
                    .frameTooLong),
            ]
        }
        + [Violation("a byte too many", [TestFrame(2, announced: 65_537)], .frameTooLong)]

    private static let orders = [
        Violation("a continuation of nothing", [TestFrame(0)], .unexpectedContinuation),
        Violation(
            "a continuation after the last",
            [TestFrame(2, isFinal: false), TestFrame(0), TestFrame(0)], .unexpectedContinuation),
        Violation(
            "text within binary", [TestFrame(2, isFinal: false), TestFrame(1)], .unfinishedMessage),
        Violation(
            "binary within text", [TestFrame(1, isFinal: false), TestFrame(9), TestFrame(2)],
            .unfinishedMessage),
    ]

    private static let texts = [
        Violation("text that is none", [TestFrame(1, [0xC0, 0x80])], .invalidText),
        Violation("text cut in a scalar", [TestFrame(1, [0xE2, 0x82])], .invalidText),
        Violation("a surrogate", [TestFrame(1, [0xED, 0xA0, 0x80])], .invalidText),
        Violation("a reason that is no text", [TestFrame(8, [3, 232, 0xFF])], .invalidText),
        Violation("a reason cut in a scalar", [TestFrame(8, [3, 232, 0xC3])], .invalidText),
    ]

    private static let closes = [
        Violation("a close of one byte", [TestFrame(8, [3])], .badClose),
        Violation("a bad code before a bad reason", [TestFrame(8, [0, 0, 0xFF])], .badClose),
    ]

    private static let roles: [WebSocketConnection.Role] = [.server, .client]

    @Test(arguments: violations, roles)
    func `who breaks the rules is told and not read any more`(
        violation: Violation, role: WebSocketConnection.Role
    ) {
        var probe = WebSocketProbe(role)

        probe.receive(violation.bytes(for: role))
        let output = probe.output
        probe.receive(TestFrame(2, [1]), TestFrame(9))

        #expect(probe.violation == violation.expected)
        #expect(probe.output == output)
        // A server's words; those of a client are masked.
        guard role == .server else { return }
        let words = Array(violation.expected.description.utf8)
        let code = violation.expected.closeCode.rawValue
        let said = [0x88, UInt8(words.count + 2), UInt8(code >> 8), UInt8(code & 0xFF)] + words
        #expect(Array(output.suffix(said.count)) == said)
    }

    @Test(arguments: violations, roles)
    func `and wherever its bytes are cut, it is the same mistake`(
        violation: Violation, role: WebSocketConnection.Role
    ) {
        let bytes = violation.bytes(for: role)
        var single = WebSocketProbe(role)

        for byte in bytes { single.receive([byte]) }

        #expect(single.violation == violation.expected)
    }

    @Test(arguments: [0, 1, 2, 8, 9, 10] as [UInt8])
    func `a client masks every frame, and a server none`(opcode: UInt8) {
        var server = WebSocketProbe(.server)
        var client = WebSocketProbe(.client)

        server.receive(TestFrame(opcode, mask: nil))
        client.receive(TestFrame(opcode))

        #expect(server.events == [.failed(.unmaskedClient)])
        #expect(client.events == [.failed(.maskedServer)])
    }

    @Test(arguments: roles)
    func `a first byte that can begin no frame is refused without the second`(
        role: WebSocketConnection.Role
    ) {
        for first in UInt8.min...UInt8.max {
            var probe = WebSocketProbe(role)
            probe.receive([first])

            let isControl = [0x8, 0x9, 0xA].contains(first & 0x0F)
            let isKnown = isControl || first & 0x0F <= 2
            let mayBegin = first & 0x70 == 0 && isKnown && (first & 0x80 != 0 || !isControl)
            #expect(probe.events.isEmpty == mayBegin)
        }
    }

    @Test func `a key of zeros is a mask, too`() {
        var server = WebSocketProbe(.server)
        var client = WebSocketProbe(.client)

        server.receive(TestFrame(2, [1], mask: [0, 0, 0, 0]))
        client.receive(TestFrame(2, [1], mask: [0, 0, 0, 0]))

        #expect(server.events == [.message(WebSocketMessage(.binary, [1]))])
        #expect(client.events == [.failed(.maskedServer)])
    }

    @Test func `no length traps, even where none is too much`() {
        var limits = TransportLimits()
        limits.frameByteCountMax = .max
        limits.messageByteCountMax = .max
        for announced in [UInt64.max >> 1, 1 << 62, 1 << 40] {
            var whole = WebSocketProbe(limits: limits)
            whole.receive(TestFrame(2, [1, 2, 3], announced: announced))
            whole.receive([4, 5, 6])
            #expect(whole.events.isEmpty)
        }

        var parts = WebSocketProbe(limits: limits)
        parts.receive(
            TestFrame(2, [1], isFinal: false), TestFrame(0, [1], announced: .max >> 1))
        #expect(parts.events == [.failed(.messageTooLong)])
    }

    @Test(arguments: roles)
    func `a violation after our close is no more told`(role: WebSocketConnection.Role) {
        var probe = WebSocketProbe(role)

        _ = probe.close(WebSocketClose(.normal))
        probe.receive(TestFrame(3, mask: role == .server ? [1, 2, 3, 4] : nil))

        #expect(probe.events == [.failed(.unknownOpcode)])
        #expect(probe.output.isEmpty)
        #expect(probe.connection.state == .closed)
    }
}
