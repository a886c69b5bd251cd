import TarnCommands
import Testing

struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue {
        try JSONReader.value(of: Array(text.utf8))
    }

    @Test(
        arguments: [
            ("null", JSONValue.null), (" true ", true), ("-0", 0), ("-42", -42),
            ("1.5", .number("1.5")), ("-1E+3", .number("-1E+3")),
            ("9223372036854775808", .number("9223372036854775808")), ("[]", .array([])),
            ("9223372036854775807", .int(Int64.max)),
            (#""a\"\\\/\b\f\n\r\t\u00e9""#, "a\"\\/\u{8}\u{C}\n\r\té"),
            (#""😀 \ud83d\ude00 é""#, "😀 😀 é"), ("{}", .object([])),
            (#"{"a":[1,{"b":null}],"c":"d"}"#, ["a": .array([1, ["b": .null]]), "c": "d"]),
        ] as [(String, JSONValue)])
    func `a text is the value that it says`(text: String, value: JSONValue) throws {
        #expect(try read(text) == value)
    }

    @Test(arguments: [
        "", "nul", "[1,]", "[1 2]", "{1:2}", #"{"a"}"#, #"{"a":1,"a":2}"#, #"{"a":1,}"#, "01",
        "1.5.",
        "1.", ".5", "1e", "1e+", "-01", "+1", "-", #"""#, #""\x""#, #""\ud83d""#, #""\ude00""#,
        #""\u12""#, #""\u+123""#, "\"\u{1}\"", "1 2", "[", "{",
        String(repeating: "[", count: 100_000),
    ])
    func `what is no value is refused with its place`(text: String) {
        let fault = #expect(throws: JSONReader.Fault.self) { try read(text) }

        #expect(fault?.sentence.contains("at byte ") == true)
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        #expect(throws: JSONReader.Fault.self) {
            try JSONReader.value(of: [0x22, 0xC3, 0x28, 0x22])
        }
    }

    @Test(arguments: [
        JSONValue.string("a\"\\\n\t\u{0}\u{7F}\u{202E}é😀"), .int(Int64.min),
        [nil, false, ["x": .array([.array([])])]],
    ])
    func `what is printed is read as it was`(value: JSONValue) throws {
        #expect(try read("\(value)") == value)
    }
}
