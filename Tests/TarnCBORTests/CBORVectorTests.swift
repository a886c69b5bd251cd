import TarnCBOR
import Testing

/// RFC 8949, appendix A, as far as Tarn speaks it.
struct CBORVectorTests {
    @Test(
        arguments: [
            ("00", 0), ("01", 1), ("0a", 10), ("17", 23), ("1818", 24), ("1819", 25), ("1864", 100),
            ("1903e8", 1000), ("1a000f4240", 1_000_000), ("1b000000e8d4a51000", 1_000_000_000_000),
            ("1bffffffffffffffff", 18_446_744_073_709_551_615),
        ] as [(String, UInt64)])
    func `unsigned numbers`(encoded: String, value: UInt64) throws {
        var writer = CBORWriter()
        writer.write(value)
        var reader = CBORReader(bytes(encoded))

        #expect(writer.bytes == bytes(encoded))
        #expect(try reader.readUInt64() == value)
        #expect(reader.isAtEnd)
    }

    @Test(
        arguments: [
            ("20", -1), ("29", -10), ("3863", -100), ("3903e7", -1000), ("1903e8", 1000),
            ("3b7fffffffffffffff", .min), ("1b7fffffffffffffff", .max),
        ] as [(String, Int64)])
    func `signed numbers`(encoded: String, value: Int64) throws {
        var writer = CBORWriter()
        writer.write(value)
        var reader = CBORReader(bytes(encoded))

        #expect(writer.bytes == bytes(encoded))
        #expect(try reader.readInt64() == value)
    }

    @Test(arguments: [
        ("60", ""), ("6161", "a"), ("6449455446", "IETF"), ("62225c", "\"\\"), ("62c3bc", "ü"),
        ("63e6b0b4", "水"), ("64f0908591", "\u{10151}"),
    ])
    func `texts`(encoded: String, value: String) throws {
        var writer = CBORWriter()
        writer.write(value)
        var reader = CBORReader(bytes(encoded))

        #expect(writer.bytes == bytes(encoded))
        #expect(try reader.readText() == value)
    }

    @Test func `booleans, null and byte strings`() throws {
        var writer = CBORWriter()
        writer.write(false)
        writer.write(true)
        writer.writeNull()
        writer.write(bytes: [])
        writer.write(bytes: [1, 2, 3, 4])
        writer.write(bytes: [0, 1, 2, 3, 4][1...])
        var reader = CBORReader(writer.bytes)

        #expect(writer.bytes == bytes("f4 f5 f6 40 4401020304 4401020304"))
        #expect(try !reader.readBool())
        #expect(try reader.readBool())
        #expect(try reader.skipNull())
        #expect(try !reader.skipNull())
        #expect(try reader.readBytes() == [])
        #expect(try reader.readBytes(count: 4) == [1, 2, 3, 4])
        #expect(throws: CBORError(.malformed, at: 9)) { try reader.readBytes(count: 3) }
    }

    @Test func `arrays, maps and tags`() throws {
        var writer = CBORWriter()
        writer.writeArrayHeader(3)
        writer.write(1)
        writer.writeArrayHeader(2)
        writer.write(2)
        writer.write(3)
        writer.writeMapHeader(1)
        writer.write("a")
        writer.writeEncoded([0x01])
        writer.writeTag(1)
        writer.write(1_363_896_240)

        #expect(writer.bytes == bytes("83 01 820203 a1616101 c11a514b67b0"))
        var reader = CBORReader(writer.bytes)
        #expect(try reader.readArrayHeader() == 3)
        #expect(try reader.readInt() == 1)
        try reader.expectArray(2)
        try reader.skipItem()
        try reader.skipItem()
        #expect(try reader.readMapHeader() == 1)
        #expect(try reader.readText() == "a")
        #expect(try reader.readInt() == 1)
        #expect(try reader.readTag() == 1)
        #expect(try reader.readUInt32() == 1_363_896_240)
        try reader.expectEnd()
    }

    @Test(arguments: [
        ("9818" + String(repeating: "00", count: 24), 24),
        ("80", 0),
    ])
    func `long headers`(encoded: String, count: Int) throws {
        var reader = CBORReader(bytes(encoded))
        #expect(try reader.readArrayHeader() == count)
        for _ in 0..<count { try reader.skipItem() }
        try reader.expectEnd()
    }

    @Test(arguments: [
        "00", "3903e7", "1bffffffffffffffff", "3bffffffffffffffff", "f90000", "f97e00",
        "fa47c35000", "fb3ff199999999999a", "f4", "f6",
        "c074323031332d30332d32315432303a30343a30305a",
        "d74401020304", "4401020304", "64f0908591", "80", "83010203", "8301820203820405", "a0",
        "a201020304", "a26161016162820203", "826161a161626163",
    ])
    func `one item of any shape is stepped over`(encoded: String) throws {
        var reader = CBORReader(bytes(encoded) + [0x01])
        try reader.skipItem()

        #expect(reader.offset == bytes(encoded).count)
    }

    @Test(arguments: [
        "5f42010243030405ff", "7f657374726561646d696e67ff", "9fff", "9f018202039f0405ffff", "bfff",
        "f7", "f0", "f8ff", "ff", "1c", "1d", "1e", "1f",
    ])
    func `what Tarn does not speak is refused`(encoded: String) {
        var reader = CBORReader(bytes(encoded))
        #expect(throws: CBORError.self) { try reader.skipItem() }
    }
}
