import TarnModel
import TarnQuery
import TarnTesting
import Testing

struct LiteralTests {
    @Test(arguments: [
        ("1.5", "1.5"), ("-2e10", "-20000000000.0"), ("2E+3", "2000.0"), ("1e-7", "1e-07"),
        ("0.1", "0.1"), ("-0.0", "-0.0"), ("1e400", nil), ("-1e400", nil), ("1e-400", "0.0"),
        ("infinity", "infinity"), ("INF", "infinity"), ("-Infinity", "-infinity"),
        ("nan", "nan"), ("NaN", "nan"), ("-nan", nil), ("+1.5", nil), (".5", nil), ("1.", nil),
        ("1.x", nil), ("1e", nil), ("1e+", nil), ("1.5e", nil), ("1.5x", nil), ("1.5.5", nil),
        ("--1.5", nil), ("0x1p3", nil), ("1,5", nil), ("-", nil), ("-x", nil),
        ("B64\"\"", "B64\"\""), ("b64'AP8='", "B64\"AP8=\""), ("B64\"+/+/\"", "B64\"+/+/\""),
        ("B64\"AP8\"", nil), ("B64\"AP9=\"", nil), ("B64\"A===\"", nil), ("B64\"AP8==\"", nil),
        ("B64\"AP=8\"", nil), ("B64\"AP-_\"", nil), ("B64\"AP 8\"", nil), ("B64\"AP8=", nil),
        ("B64 \"AP8=\"", nil), ("B64(\"AP8=\")", nil), ("B65\"AP8=\"", nil),
    ])
    func `a number or data gives its canonical form or an error`(
        literal: String, canonical: String?
    ) throws {
        let text = "Item WHERE a == \(literal)"
        guard let canonical else {
            #expect(throws: QueryError.self) { try Query.parse(text) }
            return
        }
        let query = try Query.parse(text)

        #expect(query.description == "Item WHERE a == \(canonical)")
        #expect(try Query.parse(query.description) == query)
    }

    @Test(arguments: [UInt64](1...20))
    func `whatever stands in a query's canonical text is read back as it was`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let value = value(&random)
            let text = "Item WHERE a IN {\(Literal.text(of: value))}"

            let query = try Query.parse(text)

            #expect(query.description == text)
            guard case .membership(let membership) = query.predicate else {
                Issue.record("\(text) is no membership")
                return
            }
            #expect(membership.values.map(\.content) == [.value(value)], "\(text)")
        }
    }

    private func value(_ random: inout SeededGenerator) -> Value {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .int(Int64(truncatingIfNeeded: random.next()))
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .uuid(UUIDValue(high: random.next(), low: random.next()))
        case 3:
            let scalars = (0..<6).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &random))
            }
            return .string(String(String.UnicodeScalarView(scalars)))
        case 4:
            let milliseconds = Int64.random(in: -9_000_000_000...9_000_000_000_000, using: &random)
            return .date(Timestamp(milliseconds: milliseconds))
        case 5:
            let count = Int.random(in: 0...20, using: &random)
            return .data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        case 6: return .null
        default:
            let bits = random.next()
            // One NaN stands for all of them in a text.
            return Double(bitPattern: bits).isNaN ? .double(.nan) : .double(Real(bits: bits))
        }
    }

    @Test(
        arguments: [
            ([], ""), ([0x66], "Zg=="), ([0x66, 0x6F], "Zm8="), ([0x66, 0x6F, 0x6F], "Zm9v"),
            ([0x66, 0x6F, 0x6F, 0x62], "Zm9vYg=="), ([0xFB, 0xFF], "+/8="),
        ] as [([UInt8], String)])
    func `base64 is that of RFC 4648`(bytes: [UInt8], text: String) {
        #expect(Base64.text(of: bytes) == text)
        #expect(Base64.bytes(of: text) == bytes)
    }
}
