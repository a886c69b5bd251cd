/// An identifier, keyword or number in masked code, with what stands beside it.
struct Word: Sendable {
    let text: String
    /// Counted from 1.
    let line: Int
    /// In bytes of the file.
    let start: Int
    let end: Int
    /// The byte before and the byte behind, or a newline at either end of the file.
    let before: UInt8
    let behind: UInt8

    var isCall: Bool { behind == UInt8(ascii: "(") }
    var isMember: Bool { before == UInt8(ascii: ".") }

    static func all(in code: [UInt8]) -> [Word] {
        var words: [Word] = []
        var line = 1
        var index = 0
        while index < code.count {
            guard isWordByte(code[index]) else {
                if code[index] == UInt8(ascii: "\n") { line += 1 }
                index += 1
                continue
            }
            let start = index
            while index < code.count, isWordByte(code[index]) { index += 1 }
            words.append(
                Word(
                    text: String(decoding: code[start..<index], as: UTF8.self), line: line,
                    start: start, end: index,
                    before: start > 0 ? code[start - 1] : UInt8(ascii: "\n"),
                    behind: index < code.count ? code[index] : UInt8(ascii: "\n")))
        }
        return words
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }
}
