import TarnTransport
import Testing

/// Text is judged byte by byte (RFC 6455, section 8.1): whatever is wrong is refused with the byte
/// that makes it wrong, also when neither its frame nor its message have ended.
@Suite struct WebSocketTextTests {
    struct Wrong: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        var testDescription: String {
            bytes.map { String($0, radix: 16) }.joined(separator: " ")
        }

        /// Its last byte is the first that cannot be.
        init(_ bytes: UInt8...) { self.bytes = bytes }
    }

    static let wrong: [Wrong] =
        [
            // A byte that begins nothing.
            Wrong(0x80), Wrong(0xBF), Wrong(0xC0), Wrong(0xC1), Wrong(0xF5), Wrong(0xF8),
            Wrong(0xFE), Wrong(0xFF),
            // Long forms, surrogates, and what is beyond the last scalar.
            Wrong(0xE0, 0x80), Wrong(0xE0, 0x9F), Wrong(0xED, 0xA0), Wrong(0xED, 0xBF),
            Wrong(0xF0, 0x80), Wrong(0xF0, 0x8F), Wrong(0xF4, 0x90), Wrong(0xF4, 0xBF),
            // Scalars that break off.
            Wrong(0xC3, 0x28), Wrong(0xC3, 0xC3), Wrong(0xE2, 0x28), Wrong(0xE2, 0x82, 0x28),
            Wrong(0xE2, 0x82, 0xE2), Wrong(0xF0, 0x9F, 0x28), Wrong(0xF0, 0x9F, 0x98, 0x28),
            Wrong(0xF4, 0x8F, 0xBF, 0xFF),
        ]

    /// Before it, so that the wrong byte comes at every place of a word.
    static let beginnings = ["", "a", "κόσμε", "sixteen letters.", "seventeen letters", "日本語😀"]

    private static let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    private func judge(
        _ beginning: String, _ wrong: Wrong, opcode: UInt8, prefix: [UInt8] = []
    ) -> Bool {
        let good = prefix + Array(beginning.utf8) + wrong.bytes.dropLast()
        let header = TestFrame(opcode, announced: 120).bytes
        var probe = WebSocketProbe()
        probe.receive(header)
        for (index, byte) in (good + wrong.bytes.suffix(1)).enumerated() {
            guard probe.events.isEmpty else { return false }
            probe.receive([byte ^ Self.mask[index % 4]])
        }
        return probe.events == [.failed(.invalidText)]
    }

    @Test(arguments: wrong, beginnings)
    func `a wrong byte is refused at once in a frame that has not ended`(
        wrong: Wrong, beginning: String
    ) {
        #expect(judge(beginning, wrong, opcode: 1))
    }

    @Test(arguments: wrong, beginnings)
    func `and in a close's reason`(wrong: Wrong, beginning: String) {
        #expect(judge(beginning, wrong, opcode: 8, prefix: [3, 232]))
    }

    @Test(arguments: wrong, beginnings)
    func `and in a fragment whose message has not ended`(wrong: Wrong, beginning: String) {
        let good = Array(beginning.utf8) + wrong.bytes.dropLast()
        var probe = WebSocketProbe()

        probe.receive(TestFrame(1, [], isFinal: false))
        for byte in good { probe.receive(TestFrame(0, [byte], isFinal: false)) }
        #expect(probe.events.isEmpty)
        probe.receive(TestFrame(0, [wrong.bytes[wrong.bytes.count - 1]], isFinal: false))

        #expect(probe.events == [.failed(.invalidText)])
    }

    @Test(arguments: wrong, beginnings)
    func `and in a frame that is all here`(wrong: Wrong, beginning: String) {
        var probe = WebSocketProbe()

        probe.receive(TestFrame(1, Array(beginning.utf8) + wrong.bytes + Array("more".utf8)))

        #expect(probe.events == [.failed(.invalidText)])
    }

    /// The first and the last scalar of each length, and those around the surrogates.
    private static let borders =
        "\u{0}\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}"

    @Test func `every scalar passes, wherever its text is cut into fragments`() {
        let text = Array(("a" + Self.borders + "sixteen letters." + Self.borders).utf8)

        for cut in 0...text.count {
            var probe = WebSocketProbe()
            probe.receive(
                TestFrame(1, Array(text[..<cut]), isFinal: false), TestFrame(9),
                TestFrame(0, Array(text[cut...])))
            #expect(probe.events == [.message(WebSocketMessage(.text, text))])
        }
        var single = WebSocketProbe()
        for (index, byte) in text.enumerated() {
            let isFinal = index == text.count - 1
            single.receive(TestFrame(index == 0 ? 1 : 0, [byte], isFinal: isFinal))
        }
        #expect(single.events == [.message(WebSocketMessage(.text, text))])
    }

    @Test(arguments: ["é", "€", "\u{D7FF}", "😀", "\u{10FFFF}"])
    func `text that ends within a scalar is refused when it ends`(scalar: String) {
        for count in 1..<scalar.utf8.count {
            let begun = Array(scalar.utf8.prefix(count))
            var frame = WebSocketProbe()
            frame.receive(TestFrame(1, begun))
            var fragments = WebSocketProbe()
            fragments.receive(TestFrame(1, begun, isFinal: false))
            #expect(fragments.events.isEmpty)
            fragments.receive(TestFrame(0, []))
            var reason = WebSocketProbe()
            reason.receive(TestFrame(8, [3, 232] + begun))

            for probe in [frame, fragments, reason] {
                #expect(probe.events == [.failed(.invalidText)])
            }
        }
    }

    @Test func `binary is not judged, and text begins anew with every message`() {
        var probe = WebSocketProbe()

        probe.receive(
            TestFrame(2, [0xFF, 0xE2]), TestFrame(1, [0x61]), TestFrame(2, [0xC3], isFinal: false),
            TestFrame(0, [0x28]), TestFrame(1, [], isFinal: false), TestFrame(0, []))

        let expected = [
            WebSocketMessage(.binary, [0xFF, 0xE2]), WebSocketMessage(.text, [0x61]),
            WebSocketMessage(.binary, [0xC3, 0x28]), WebSocketMessage(.text, []),
        ]
        #expect(probe.events == expected.map { .message($0) })
    }
}
