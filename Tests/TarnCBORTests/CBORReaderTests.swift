import TarnCBOR
import TarnTesting
import Testing

struct CBORReaderTests {
    @Test(arguments: [UInt64](1...30))
    func `an item that ends early is truncated, wherever it ends`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var writer = CBORWriter()
        write(depth: 4, &writer, &random)

        for count in writer.bytes.indices {
            var reader = CBORReader(Array(writer.bytes.prefix(count)))
            let error = #expect(throws: CBORError.self) { try reader.skipItem() }
            #expect(error?.code == .truncated)
        }
        var reader = CBORReader(writer.bytes)
        try reader.skipItem()
        try reader.expectEnd()
    }

    private func write(depth: Int, _ writer: inout CBORWriter, _ random: inout SeededGenerator) {
        let count = Int.random(in: 0...3, using: &random)
        switch Int.random(in: depth > 0 ? 0..<8 : 3..<8, using: &random) {
        case 0:
            writer.writeArrayHeader(count)
            for _ in 0..<count { write(depth: depth - 1, &writer, &random) }
        case 1:
            writer.writeMapHeader(count)
            for _ in 0..<2 * count { write(depth: depth - 1, &writer, &random) }
        case 2:
            writer.writeTag(random.next())
            write(depth: depth - 1, &writer, &random)
        case 3: writer.write(random.next())
        case 4: writer.write(Int64(bitPattern: random.next()))
        case 5: writer.write(bytes: random.bytes(count * 20))
        case 6: writer.write(String(repeating: "é", count: count * 20))
        default: writer.write(count == 0)
        }
    }

    @Test(arguments: [UInt64](1...30))
    func `no bytes make a reader trap or pass the end`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let input = random.bytes(Int.random(in: 0...24, using: &random))
            var reader = CBORReader(input, limits: CBORLimits(depthMax: 4, stringBytesMax: 8))
            do {
                while !reader.isAtEnd {
                    let start = reader.offset
                    try readAnything(&reader, &random)
                    #expect(reader.offset > start)
                    #expect(reader.offset <= input.count)
                }
            } catch {
                #expect(error is CBORError)
            }
        }
    }

    private func readAnything(_ reader: inout CBORReader, _ random: inout SeededGenerator) throws {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: _ = try reader.readUInt64()
        case 1: _ = try reader.readInt64()
        case 2: _ = try reader.readUInt32()
        case 3: _ = try reader.readInt()
        case 4: _ = try reader.readText()
        case 5: #expect(try reader.readBytes().count <= 8)
        case 6: _ = try reader.readBytes(count: 3)
        case 7: _ = try reader.readBool()
        case 8: try reader.readNull()
        case 9: _ = try reader.readTag()
        case 10: #expect(try reader.readArrayHeader() <= 24)
        case 11: #expect(try reader.readMapHeader() <= 12)
        default: try reader.skipItem()
        }
    }

    @Test(arguments: [
        // A length that would need all memory is refused before any is taken.
        ("9bffffffffffffffff", CBORError.Code.truncated), ("bb7fffffffffffffff", .truncated),
        ("9a00010000", .truncated), ("a301020304", .truncated),
        ("5bffffffffffffffff", .tooLarge), ("7a7fffffff", .tooLarge), ("4a", .truncated),
    ])
    func `a length is checked before it is believed`(encoded: String, code: CBORError.Code) {
        var reader = CBORReader(bytes(encoded))
        let error = #expect(throws: CBORError.self) { try reader.skipItem() }

        #expect(error?.code == code)
    }

    @Test func `nesting and strings have limits`() throws {
        let limits = CBORLimits(depthMax: 4, stringBytesMax: 3)
        var within = CBORReader(bytes("81 81 81 01 63616263"), limits: limits)
        try within.skipItem()
        #expect(try within.readText() == "abc")

        var deep = CBORReader(bytes("81 81 81 81 01"), limits: limits)
        let tooDeep = #expect(throws: CBORError.self) { try deep.skipItem() }
        #expect(tooDeep?.code == .tooLarge)
        var long = CBORReader(bytes("6461626364"), limits: limits)
        let tooLong = #expect(throws: CBORError.self) { try long.readText() }
        #expect(tooLong?.code == .tooLarge)
        var tags = CBORReader([UInt8](repeating: 0xC1, count: 100_000))
        #expect(throws: CBORError.self) { try tags.skipItem() }
    }

    @Test func `a reader says what it met and where`() {
        func error(_ encoded: String, _ read: (inout CBORReader) throws -> Void) -> CBORError? {
            var reader = CBORReader(bytes(encoded))
            return #expect(throws: CBORError.self) { try read(&reader) }
        }

        #expect(error("61") { _ = try $0.readText() } == CBORError(.truncated, at: 0))
        #expect(error("61ff") { _ = try $0.readText() } == CBORError(.notUTF8, at: 0))
        #expect(error("63eda080") { _ = try $0.readText() } == CBORError(.notUTF8, at: 0))
        #expect(error("01") { _ = try $0.readText() } == CBORError(.unexpectedType, at: 0))
        #expect(error("0101") { try $0.expectEnd() } == CBORError(.trailingBytes, at: 0))
        #expect(
            error("1b8000000000000000") { _ = try $0.readInt64() } == CBORError(.outOfRange, at: 0))
        #expect(
            error("3b8000000000000000") { _ = try $0.readInt64() } == CBORError(.outOfRange, at: 0))
        #expect(
            error("1b0000000100000000") { _ = try $0.readUInt32() } == CBORError(.outOfRange, at: 0)
        )
        #expect(error("820102") { try $0.expectArray(3) } == CBORError(.malformed, at: 0))
        #expect(error("") { _ = try $0.peekType() } == CBORError(.truncated, at: 0))
        #expect(CBORError(.truncated, at: 7).description == "CBOR is truncated at byte 7")
    }

    @Test func `the next item tells its type`() throws {
        let types: [(String, CBORType)] = [
            ("00", .unsigned), ("20", .negative), ("40", .bytes), ("60", .text), ("80", .array),
            ("a0", .map), ("c0", .tag), ("f4", .boolean), ("f5", .boolean), ("f6", .null),
            ("f9", .float), ("fa", .float), ("fb", .float), ("f7", .other), ("f8", .other),
            ("ff", .other),
        ]
        for (encoded, type) in types {
            #expect(try CBORReader(bytes(encoded)).peekType() == type)
        }
    }
}
