import TarnCommands
import TarnModel
import TarnTesting
import Testing

struct TextTests {
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("Grüße, 你好 👩‍💻", "Grüße, 你好 👩‍💻"),
        ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("a\u{0}b", "a\\u{0}b"), ("a\u{7F}", "a\\u{7F}"),
        ("a\u{9B}2J", "a\\u{9B}2J"), ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\u{202E}abc\u{202C}", "\\u{202E}abc\\u{202C}"), ("a\u{2066}b", "a\\u{2066}b"),
        ("a\u{200F}b\u{61C}", "a\\u{200F}b\\u{61C}"),
        ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
        ("a\u{FEFF}", "a\\u{FEFF}"), ("\u{E0041}", "\\u{E0041}"),
    ])
    func `text is shown without what moves the cursor or turns the writing`(
        text: String, shown: String
    ) {
        #expect(text.escaped == shown)
    }

    @Test(arguments: [UInt64](1...20))
    func `no text at all gets a control through, in words or in JSON`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let scalars = (0..<2_000).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x30_00, using: &random))
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)

        for shown in [text.escaped, "\(JSONValue.string(text))"] {
            for scalar in shown.unicodeScalars {
                let category = scalar.properties.generalCategory
                #expect(category != .control && category != .lineSeparator)
                #expect(category != .format || scalar == "\u{200C}" || scalar == "\u{200D}")
            }
        }
    }

    @Test(arguments: [
        ("abc", 3), ("é", 1), ("e\u{301}", 1), ("你好", 4), ("👍", 2), ("👩‍💻", 2), ("🇩🇪", 2),
        ("ﾊ", 1), ("한글", 4), ("", 0), ("✔︎", 1), ("❤️", 2),
    ])
    func `text is as wide as a terminal shows it`(text: String, width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test(arguments: [UInt64](1...20), [1, 2, 5, 10, 40])
    func `cut and wrapped text keeps to its columns`(seed: UInt64, columns: Int) {
        var random = SeededGenerator(seed: seed)
        let pool: [Character] = ["a", "b", "é", "你", "👍", " ", " "]
        let text = String((0..<60).compactMap { _ in pool.randomElement(using: &random) })

        #expect(text.cut(to: columns).displayWidth <= columns)
        let lines = text.wrapped(to: columns)
        // A wide character alone is wider than one column.
        for line in lines { #expect(line.displayWidth <= max(columns, 2)) }
        #expect(
            lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }

    @Test(arguments: [
        ("true", Value.bool(true)), ("null", .null), ("42", .int(42)), ("-7", .int(-7)),
        ("\"42\"", .string("42")), ("'true'", .string("true")), ("milk", .string("milk")),
        ("2026-11-30", .date(Timestamp(seconds: 1_796_000_000 - 3_200, nanoseconds: 0)!)),
        ("99999999999999999999", .string("99999999999999999999")), ("", .string("")),
        ("1.5", .double(1.5)), ("-2e3", .double(-2000)), ("infinity", .double(.infinity)),
        ("-infinity", .double(-Double.infinity)), ("nan", .double(.nan)), ("NaN", .string("NaN")),
        ("B64\"AP8=\"", .data([0, 255])), ("1.5.5", .string("1.5.5")), ("1e", .string("1e")),
    ])
    func `an argument is read as what it looks like`(text: String, value: Value) {
        #expect(ArgumentValue.read(text) == value)
    }

    @Test(arguments: [
        (Int64(0), "just now"), (1_999, "just now"), (2_000, "2 s ago"), (59_999, "59 s ago"),
        (60_000, "1 min ago"), (3_600_000, "1 h ago"), (86_400_000, "2026-05-28T20:26:40Z"),
        (-5_000, "just now"),
    ])
    func `an age is told in the unit that fits`(age: Int64, text: String) {
        let now: Int64 = 1_780_086_400_000
        #expect("\(Age(of: now - age, now: now))" == text)
    }
}
