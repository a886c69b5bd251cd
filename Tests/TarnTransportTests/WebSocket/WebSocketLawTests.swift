import TarnTesting
import TarnTransport
import Testing

@Suite struct WebSocketLawTests {
    /// A conversation of a client with everything in it, now and then with a fault.
    private func conversation(_ random: inout SeededGenerator) -> [UInt8] {
        var frames: [TestFrame] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let isText = Bool.random(using: &random)
            let count = [0, 3, 125, 126, 300].randomElement(using: &random) ?? 0
            let payload =
                isText
                ? Array(String(repeating: "aé€😀", count: count / 10).utf8) : random.bytes(count)
            let cut = Int.random(in: 0...payload.count, using: &random)
            let mask = random.bytes(4)
            if Bool.random(using: &random) {
                frames.append(TestFrame(isText ? 1 : 2, payload, mask: mask))
            } else {
                frames.append(
                    TestFrame(isText ? 1 : 2, Array(payload[..<cut]), isFinal: false, mask: mask))
                let control: UInt8 = Bool.random(using: &random) ? 9 : 10
                frames.append(TestFrame(control, random.bytes(2), mask: mask))
                frames.append(TestFrame(0, Array(payload[cut...]), mask: mask))
            }
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: frames.append(TestFrame(8, [3, 232]))
        case 1: frames.append(TestFrame(UInt8.random(in: 0..<16, using: &random), reserved: 1))
        case 2: frames.append(TestFrame(1, [0x61, 0xFF, 0x61]))
        default: break
        }
        return frames.flatMap(\.bytes)
    }

    @Test(arguments: [UInt64](1...30))
    func `wherever the bytes are cut, they give the same events`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = conversation(&random)
        var whole = WebSocketProbe()
        whole.receive(bytes)

        var single = WebSocketProbe()
        for byte in bytes { single.receive([byte]) }
        #expect(single.events == whole.events)
        #expect(single.output == whole.output)
        for cut in 0...min(bytes.count, 600) {
            var parted = WebSocketProbe()
            parted.receive(bytes[..<cut])
            parted.receive(bytes[cut...])
            guard parted.events == whole.events, parted.output == whole.output else {
                Issue.record("cut at \(cut) of \(bytes.count)")
                return
            }
        }
    }

    @Test(arguments: [UInt64](1...50))
    func `mutated bytes never trap, and nothing comes after a violation`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            var bytes = conversation(&random)
            for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            var probe = WebSocketProbe(Bool.random(using: &random) ? .server : .client)
            probe.receive(bytes)

            let violations = probe.events.count { if case .failed = $0 { true } else { false } }
            #expect(violations <= 1)
            #expect(violations == 0 || probe.violation != nil)
        }
    }

    @Test(arguments: [UInt64](1...50))
    func `random bytes never trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var probe = WebSocketProbe(Bool.random(using: &random) ? .server : .client)
            for _ in 0..<3 { probe.receive(random.bytes(.random(in: 0...300, using: &random))) }
            #expect(probe.events.count <= 900)
        }
    }
}
