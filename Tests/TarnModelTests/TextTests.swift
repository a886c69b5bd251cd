import TarnModel
import Testing

struct TextTests {
    @Test func `strings that Swift holds for equal are two texts`() {
        let (composed, decomposed) = (Text("é"), Text("e\u{301}"))

        #expect(composed.string == decomposed.string)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(Value.string(composed) != Value.string(decomposed))
        #expect(PrimaryKey.string(composed) != PrimaryKey.string(decomposed))
    }

    @Test func `the order is that of the bytes, which is that of the scalars`() {
        let ordered = ["", "\0", "A", "a", "a\0", "ab", "b", "é", "\u{FFFF}", "\u{10000}", "😀"]
        let texts = ordered.map { Text($0) }

        #expect(texts.reversed().sorted() == texts)
        for (earlier, later) in zip(texts, texts.dropFirst()) {
            #expect(earlier < later)
            #expect(!(later < earlier))
            #expect(earlier.string.utf8.lexicographicallyPrecedes(later.string.utf8))
        }
    }

    @Test func `keys of one class are in the order of their values`() {
        #expect(PrimaryKey.int(-1) < PrimaryKey.int(0))
        #expect(PrimaryKey.string("Z") < PrimaryKey.string("a"))
        #expect(
            PrimaryKey.uuid(UUIDValue(high: 0, low: .max)) < .uuid(UUIDValue(high: 1, low: 0)))
        #expect(PrimaryKey.int(9) < PrimaryKey.string("1"))
        #expect(!(PrimaryKey.uuid(UUIDValue(high: 0, low: 0)) < PrimaryKey.string("x")))
    }
}
