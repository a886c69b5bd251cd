import TarnTransport
import Testing

@Suite struct WebSocketLimitTests {
    private var limits: TransportLimits {
        var limits = TransportLimits()
        limits.frameByteCountMax = 100
        limits.messageByteCountMax = 150
        limits.fragmentCountMax = 3
        return limits
    }

    private func bytes(_ count: Int) -> [UInt8] {
        [UInt8](repeating: 7, count: count)
    }

    @Test(arguments: [(99, nil), (100, nil), (101, .frameTooLong)] as [(Int, WebSocketViolation?)])
    func `a frame is at most as long as the limit`(count: Int, violation: WebSocketViolation?) {
        var probe = WebSocketProbe(limits: limits)

        probe.receive(TestFrame(2, bytes(count)))

        #expect(probe.violation == violation)
        #expect(probe.events.count == 1)
    }

    @Test(
        arguments: [(49, nil), (50, nil), (51, .messageTooLong)] as [(Int, WebSocketViolation?)])
    func `a message is at most as long as the limit`(count: Int, violation: WebSocketViolation?) {
        var probe = WebSocketProbe(limits: limits)

        probe.receive(TestFrame(2, bytes(100), isFinal: false), TestFrame(0, bytes(count)))

        #expect(probe.violation == violation)
        #expect(probe.events.count == 1)
    }

    @Test(
        arguments: [(2, nil), (3, nil), (4, .tooManyFragments)] as [(Int, WebSocketViolation?)])
    func `a message has at most as many fragments as the limit`(
        count: Int, violation: WebSocketViolation?
    ) {
        var probe = WebSocketProbe(limits: limits)

        for index in 0..<count {
            probe.receive(TestFrame(index == 0 ? 2 : 0, isFinal: index == count - 1))
        }

        #expect(probe.violation == violation)
        #expect(probe.events.count == 1)
    }

    @Test func `a frame over the limit is refused before its payload has come`() {
        var probe = WebSocketProbe(limits: limits)

        probe.receive(TestFrame(2, announced: 1 << 40).bytes)

        #expect(probe.violation == .frameTooLong)
    }

    @Test func `the limits stand in order`() {
        let limits = TransportLimits()

        #expect(limits.frameByteCountMax <= limits.messageByteCountMax)
        #expect(limits.outgoingLowWater < limits.outgoingHighWater)
        #expect(limits.outgoingHighWater < limits.outgoingByteCountMax)
        #expect(limits.messageByteCountMax <= limits.outgoingHighWater)
        #expect(limits.closeTimeout < limits.handshakeTimeout)
        #expect(limits.pingInterval < limits.stallTimeout)
    }
}
