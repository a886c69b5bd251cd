import TarnModel
import TarnProtocol
import TarnTesting
import Testing

/// What holds for every message, group and delta, and for any bytes at all.
@Suite struct CodingLawTests {
    @Test(arguments: [UInt64](1...20))
    func `what is written is read again`(seed: UInt64) throws {
        var forms = RandomForms(seed: seed)
        for _ in 0..<50 {
            let said = forms.clientMessage()
            #expect(try ClientMessage(decoding: said.encoded()) == said)
            let answer = forms.serverMessage()
            #expect(try ServerMessage(decoding: answer.encoded()) == answer)
            let delta = forms.delta()
            #expect(try ViewDelta(decoding: delta.encoded()) == delta)
            let group = forms.group()
            #expect(try Group(decoding: group.encoded()) == group)
        }
    }

    @Test(arguments: [UInt64](1...20))
    func `half of a message is refused`(seed: UInt64) throws {
        var forms = RandomForms(seed: seed)
        for _ in 0..<20 {
            let said = forms.clientMessage().encoded()
            let group = forms.group().encoded()
            let cut = forms.below(said.count)
            #expect(throws: FormatError.self) { try ClientMessage(decoding: Array(said[..<cut])) }
            let groupCut = forms.below(group.count)
            #expect(throws: FormatError.self) { try Group(decoding: Array(group[..<groupCut])) }
        }
    }

    @Test(arguments: [UInt64](1...20))
    func `fields of a later version are stepped over, and nothing else is`(seed: UInt64) throws {
        var forms = RandomForms(seed: seed)
        for _ in 0..<20 {
            let said = forms.clientMessage()
            var bytes = said.encoded()
            // Every message has fewer than 22 fields, so its header is one byte.
            bytes[0] += 2
            #expect(throws: FormatError.self) { try ClientMessage(decoding: bytes) }
            bytes += [0x63, 0x6E, 0x65, 0x77, 0xA1, 0x01, 0x80]
            #expect(try ClientMessage(decoding: bytes) == said)
            #expect(throws: FormatError.self) { try ClientMessage(decoding: bytes + [0]) }
        }
    }

    /// What can be read from damaged bytes is something that can be said, so it survives a round.
    @Test(arguments: [UInt64](1...40))
    func `damaged bytes are refused or mean something`(seed: UInt64) throws {
        var forms = RandomForms(seed: seed)
        for _ in 0..<60 {
            let client = forms.damaged(forms.clientMessage().encoded())
            if let read = try? ClientMessage(decoding: client) {
                #expect(try ClientMessage(decoding: read.encoded()) == read)
            }
            let server = forms.damaged(forms.serverMessage().encoded())
            if let read = try? ServerMessage(decoding: server) {
                #expect(try ServerMessage(decoding: read.encoded()) == read)
            }
            let delta = forms.damaged(forms.delta().encoded())
            if let read = try? ViewDelta(decoding: delta) {
                #expect(try ViewDelta(decoding: read.encoded()) == read)
            }
            let group = forms.damaged(forms.group().encoded())
            if let read = try? Group(decoding: group) {
                #expect(try Group(decoding: read.encoded()) == read)
            }
            let upload = SealedTransaction(body: group, hash: .zero, clockTicks: .max).encoded()
            _ = try? SealedTransaction(decoding: forms.damaged(upload))
        }
    }

    @Test(arguments: [UInt64](1...20))
    func `random bytes never trap`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for count in 0..<200 {
            let bytes = generator.bytes(count)
            _ = try? ClientMessage(decoding: bytes)
            _ = try? ServerMessage(decoding: bytes)
            _ = try? Group(decoding: bytes)
            _ = try? ViewDelta(decoding: bytes)
            _ = try? SealedTransaction(decoding: bytes)
        }
    }

    @Test func `nothing is reserved for what is promised and not there`() {
        // Arrays of 2^32 and 2^64 - 1 items, and a string as long.
        let promises: [[UInt8]] = [
            [0x9A, 0xFF, 0xFF, 0xFF, 0xFF], [0x9B] + [UInt8](repeating: 0xFF, count: 8),
            [0x82, 0x01, 0x9A, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x84, 0x5B] + [UInt8](repeating: 0xFF, count: 8),
        ]
        for bytes in promises {
            #expect(throws: FormatError.self) { try ClientMessage(decoding: bytes) }
            #expect(throws: FormatError.self) { try Group(decoding: bytes) }
            #expect(throws: FormatError.self) { try ViewDelta(decoding: bytes) }
        }
    }
}

extension RandomForms {
    /// One to four bytes changed, taken out or put in.
    fileprivate mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(4) where !bytes.isEmpty {
            let index = below(bytes.count)
            let byte = UInt8(truncatingIfNeeded: generator.next())
            switch below(4) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(byte, at: index)
            case 2: bytes[index] ^= 1 << UInt8(below(8))
            default: bytes[index] = byte
            }
        }
        return bytes
    }
}
