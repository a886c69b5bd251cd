import TarnCommands
import TarnModel
import TarnTesting
import Testing

struct ShortIDTests {
    /// Keys of neighbouring moments, some of which begin alike: a few bits are the same in all.
    private static func keys(_ count: Int, _ random: inout SeededGenerator) -> [UUIDValue] {
        (0..<count).map {
            UUIDValue(
                milliseconds: 1_780_000_000_000 + UInt64($0),
                random: (random.next(), random.next() & 0x3F0F_0FFF_FFFF_FFFF))
        }
    }

    @Test(arguments: [UInt64](1...20))
    func `ids are unique, of four digits at least, and as short as can be`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let keys = Self.keys(200, &random)
        let ids = ShortIDs(keys)
        let texts = keys.map(ids.shortID)

        #expect(Set(texts).count == keys.count)
        for (key, text) in zip(keys, texts) {
            #expect(text.count >= 4)
            #expect(keys.count { ShortIDs.matches(text, $0) } == 1)
            if text.count > 4 {
                let shorter = String(text.dropLast())
                #expect(keys.count { ShortIDs.matches(shorter, $0) } > 1)
            }
            #expect(ShortIDs.matches(text, key))
        }
    }

    @Test(arguments: [UInt64](1...20))
    func `keys of one moment have ids as short as others`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let keys = (0..<50).map { _ in
            UUIDValue(milliseconds: 1_780_000_000_000, random: (random.next(), random.next()))
        }
        let ids = ShortIDs(keys)

        #expect(keys.count { ids.shortID(of: $0).count == 4 } >= 48)
    }

    @Test(arguments: [UInt64](1...20))
    func `while others come and go an id names its own or several, never another`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var keys = Self.keys(100, &random)
        let shown = ShortIDs(keys)
        let ids = keys.map { ($0, shown.shortID(of: $0)) }
        keys += Self.keys(200, &random)
        keys.shuffle(using: &random)
        let gone = Set(keys.prefix(50))
        keys.removeFirst(50)

        var sameCount = 0
        for (key, id) in ids where !gone.contains(key) {
            let meant = keys.filter { ShortIDs.matches(id, $0) }
            #expect(meant.contains(key))
            if meant.count == 1 { sameCount += 1 }
        }
        #expect(sameCount >= ids.count - gone.count - 20)
    }

    @Test func `keys that differ in the last bit alone are told apart`() {
        let time = UUIDValue(milliseconds: 1, random: (5, 9))
        for bit in 0..<128 {
            let other = UUIDValue(
                high: time.high ^ (bit < 64 ? 1 << UInt64(bit) : 0),
                low: time.low ^ (bit >= 64 ? 1 << UInt64(bit - 64) : 0))
            // What is the same in all version 7 keys is not read.
            guard !(12...15).contains(bit), bit < 126 else { continue }
            let ids = ShortIDs([time, other])
            #expect(ids.shortID(of: time) != ids.shortID(of: other), "bit \(bit)")
        }
    }

    @Test func `capitals and look-alikes are read as what is meant`() {
        let key = UUIDValue(milliseconds: 1, random: (0, 0x0042_1084_2108_4210))
        let id = ShortIDs([key]).shortID(of: key)

        #expect(ShortIDs.matches(id.uppercased(), key))
        #expect(
            ShortIDs.matches(
                id.replacing("1", with: "l").replacing("0", with: "O"), key))
        #expect(!ShortIDs.matches(String(id.prefix(3)), key))
        #expect(!ShortIDs.matches("", key))
    }
}
