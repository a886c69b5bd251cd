import TarnModel
import TarnTesting
import Testing

struct UUIDValueTests {
    @Test func `a UUID is written in lower case and read in both`() {
        let value = UUIDValue(high: 0x0123_4567_89AB_CDEF, low: 0x0000_0000_0000_00FF)

        #expect(value.description == "01234567-89ab-cdef-0000-0000000000ff")
        #expect(UUIDValue("01234567-89AB-CDEF-0000-0000000000ff") == value)
    }

    @Test(arguments: [
        "", "0123456789abcdef00000000000000ff", "01234567-89ab-cdef-0000-0000000000f",
        "01234567-89ab-cdef-0000-0000000000fff", "0123456-789ab-cdef-0000-0000000000ff",
        "01234567-89ab-cdef-0000-0000000000fg", "+1234567-89ab-cdef-0000-0000000000ff",
        "{01234567-89ab-cdef-0000-0000000000ff}", "01234567-89ab-cdef-0000-00000000é0f",
        "٠1234567-9ab-cdef-0000-0000000000ff", "01234567-89ab-cdef-0000-0000000000ff-",
    ])
    func `anything else is no UUID`(text: String) {
        #expect(UUIDValue(text) == nil)
    }

    @Test(arguments: [UInt64](1...20))
    func `text and bytes give the UUID back, in one order`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (first, second) = (value(&random), value(&random))

        #expect(UUIDValue(first.description) == first)
        #expect(UUIDValue(bytes: first.bytes) == first)
        #expect((first < second) == first.bytes.lexicographicallyPrecedes(second.bytes))
        #expect((first < second) == (first.description < second.description))
        #expect(UUIDValue(bytes: Array(first.bytes.dropLast())) == nil)
    }

    private func value(_ random: inout SeededGenerator) -> UUIDValue {
        UUIDValue(high: random.next(), low: random.next())
    }

    @Test(arguments: [UInt64](1...20))
    func `one made with a time is of version 7, and later ones come later`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let time = UInt64.random(in: 0..<1 << 48 - 1, using: &random)
        let value = UUIDValue(milliseconds: time, random: (random.next(), random.next()))
        let later = UUIDValue(milliseconds: time + 1, random: (random.next(), random.next()))

        #expect(value.high >> 16 == time)
        #expect(value.bytes[6] >> 4 == 7)
        #expect(value.bytes[8] >> 6 == 0b10)
        #expect(value < later)
    }
}
