import TarnCBOR
import TarnCrypto
import TarnModel
import TarnProtocol
import Testing

/// Our coding against the data that another implementation is given, too.
@Suite struct VectorTests {
    /// Everything in a file: written in just these bytes, read from them, and the rest refused for
    /// the reason that is named.
    private func check<Meaning: Equatable>(
        _ name: String, as meaning: (JSON) throws -> Meaning, encode: (Meaning) -> [UInt8],
        decode: ([UInt8]) throws(FormatError) -> Meaning
    ) throws {
        let file = try VectorFile(name)
        for vector in try file.vectors {
            let meant = try meaning(try vector.meaning)
            #expect(encode(meant) == vector.bytes, "\(vector.name)")
            #expect(try decode(vector.bytes) == meant, "\(vector.name)")
        }
        for vector in try file.accepted {
            #expect(try decode(vector.bytes) == meaning(try vector.meaning), "\(vector.name)")
        }
        for vector in try file.refused {
            let why = try vector.why
            do throws(FormatError) {
                _ = try decode(vector.bytes)
                Issue.record("\(vector.name) is not refused")
            } catch {
                #expect(reason(error) == why, "\(vector.name)")
            }
        }
        #expect(try file.vectors.count > 2)
    }

    @Test func `values are as the vectors say`() throws {
        try check("values") {
            try $0.value
        } encode: { value in
            var writer = CBORWriter()
            writer.write(value)
            return writer.bytes
        } decode: { bytes throws(FormatError) in
            do throws(CBORError) {
                var reader = CBORReader(bytes)
                let value = try reader.readValue()
                try reader.expectEnd()
                return value
            } catch {
                throw FormatError(reading: "value", .cbor(error))
            }
        }
    }

    @Test func `the client's messages are as the vectors say`() throws {
        try check("client-messages") {
            try $0.clientMessage
        } encode: {
            $0.encoded()
        } decode: { bytes throws(FormatError) in
            try ClientMessage(decoding: bytes)
        }
    }

    @Test func `the server's messages are as the vectors say`() throws {
        try check("server-messages") {
            try $0.serverMessage
        } encode: {
            $0.encoded()
        } decode: { bytes throws(FormatError) in
            try ServerMessage(decoding: bytes)
        }
    }

    @Test func `transactions are as the vectors say`() throws {
        try check("transactions") {
            try $0.transaction
        } encode: {
            TransactionEncoder.body(of: $0)
        } decode: { bytes throws(FormatError) in
            try TransactionDecoder.transaction(from: bytes)
        }
    }

    @Test func `uploads are as the vectors say`() throws {
        try check("uploads") {
            try $0.sealed
        } encode: {
            $0.encoded()
        } decode: { bytes throws(FormatError) in
            try SealedTransaction(decoding: bytes)
        }
    }

    @Test func `groups are as the vectors say`() throws {
        try check("groups") {
            try $0.group
        } encode: {
            $0.encoded()
        } decode: { bytes throws(FormatError) in
            try Group(decoding: bytes)
        }
    }

    @Test func `view deltas are as the vectors say`() throws {
        try check("deltas") {
            try $0.delta
        } encode: {
            $0.encoded()
        } decode: { bytes throws(FormatError) in
            try ViewDelta(decoding: bytes)
        }
    }

    @Test func `a chain of three hashes is as the vectors say`() throws {
        var hash = ChainHash.zero
        for link in try VectorFile("chain").content["links"].elements {
            #expect(try link["previous"].hash == hash)
            hash = hash.extended(by: try link["body"].bytes, sha256: SHA256.hash)
            #expect(try link["hash"].hash == hash)
        }
        #expect(hash != .zero)
    }

    @Test func `parts make the wholes that the vectors say`() throws {
        for vector in try VectorFile("parts").content["accepted"].elements {
            var assembler = PartAssembler(bytesMax: try vector["limit"].integer())
            var wholes: [[UInt8]] = []
            for part in try vector["parts"].elements {
                if let whole = try assembler.append(try part.part) { wholes.append(whole) }
            }
            #expect(try wholes == vector["wholes"].elements.map { try $0.bytes })
        }
    }

    @Test func `parts that do not fit are refused`() throws {
        for vector in try VectorFile("parts").content["refused"].elements {
            var assembler = PartAssembler(bytesMax: try vector["limit"].integer())
            let parts = try vector["parts"].elements.map { try $0.part }
            for part in parts.dropLast() {
                #expect(try assembler.append(part) == nil)
            }
            let name = try vector["name"].text
            #expect(throws: FormatError.self, "\(name)") {
                try assembler.append(parts[parts.count - 1])
            }
        }
    }

    @Test func `a message is at most 64 KB`() throws {
        let room = [UInt8](repeating: 7, count: ProtocolLimits.partBytesMax)
        let part = Part(total: .max, offset: .max - UInt64(room.count), bytes: room)
        let longest = ClientMessage.upload(Channel(.max), sequence: .max, part)
        let tooLong = ClientMessage.upload(
            Channel(1), sequence: 1,
            Part(total: .max, offset: 0, bytes: room + [UInt8](repeating: 0, count: 128)))

        #expect(longest.encoded().count <= ProtocolLimits.messageBytesMax)
        #expect(try ClientMessage(decoding: longest.encoded()) == longest)
        #expect(throws: FormatError.self) { try ClientMessage(decoding: tooLong.encoded()) }
    }
}
