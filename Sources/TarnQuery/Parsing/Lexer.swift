import TarnModel

/// Cuts a query's text into tokens. Any text gives tokens or an error.
struct Lexer {
    private let bytes: [UInt8]
    var offset = 0
    /// The characters up to an offset, so that a position costs only the way from the last one.
    private var counted = (offset: 0, characters: 0)

    static func tokens(of text: String) throws(QueryError) -> [PlacedToken] {
        var lexer = Lexer(bytes: Array(text.utf8))
        var tokens: [PlacedToken] = []
        while true {
            let next = try lexer.next()
            tokens.append(next)
            if next.token == .end { return tokens }
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func next() throws(QueryError) -> PlacedToken {
        while let byte = peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
        let position = position(at: offset)
        return PlacedToken(token: try token(at: position), position: position)
    }

    private mutating func token(at position: TextPosition) throws(QueryError) -> Token {
        guard let byte = peek() else { return .end }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string(at: position))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number(at: position)
        case UInt8(ascii: "$"): return try argument(at: position)
        case UInt8(ascii: "["): return try fold(at: position)
        case UInt8(ascii: "@"):
            offset += 1
            return .aggregate(word())
        case UInt8(ascii: "B"), UInt8(ascii: "b"):
            if let data = try data(at: position) { return .data(data) }
            return .word(word())
        case _ where Self.isNamePart(byte): return .word(word())
        default: return try symbol(at: position)
        }
    }

    private mutating func symbol(at position: TextPosition) throws(QueryError) -> Token {
        for length in [2, 1] where offset + length <= bytes.count {
            let text = String(decoding: bytes[offset..<offset + length], as: UTF8.self)
            guard let token = Self.symbols[text] else { continue }
            offset += length
            return token
        }
        throw QueryError(.syntax, at: position, "this character means nothing here")
    }

    private static let symbols: [String: Token] = [
        "==": .comparator(.equal), "=": .comparator(.equal),
        "!=": .comparator(.notEqual), "<>": .comparator(.notEqual),
        "<": .comparator(.less), ">": .comparator(.greater),
        "<=": .comparator(.lessOrEqual), "=<": .comparator(.lessOrEqual),
        ">=": .comparator(.greaterOrEqual), "=>": .comparator(.greaterOrEqual),
        "&&": .and, "||": .or, "!": .not,
        "(": .open, ")": .close, "{": .openBrace, "}": .closeBrace, ",": .comma, ".": .dot,
    ]

    private mutating func fold(at position: TextPosition) throws(QueryError) -> Token {
        offset += 1
        let flags = word()
        guard flags == "c" || flags == "C", peek() == UInt8(ascii: "]") else {
            throw QueryError(.syntax, at: position, "the only modifier is [c]")
        }
        offset += 1
        return .fold
    }

    private mutating func argument(at position: TextPosition) throws(QueryError) -> Token {
        offset += 1
        let name = word()
        if name == "user" { return .user }
        guard let number = Int(name), (0..<QueryLimits.argumentsMax).contains(number) else {
            throw QueryError(
                .syntax, at: position,
                "after \"$\" comes \"user\" or the number of an argument, "
                    + "0 to \(QueryLimits.argumentsMax - 1)")
        }
        return .argument(number)
    }

    // MARK: What the readers of literals share

    func peek(_ distance: Int = 0) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    mutating func word() -> String { text { Self.isNamePart($0) } }

    /// Takes bytes as long as they please.
    mutating func text(while pleases: (UInt8) -> Bool) -> String {
        let start = offset
        while let byte = peek(), pleases(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    mutating func position(at offset: Int) -> TextPosition {
        while counted.offset < offset {
            // Continuation bytes begin no character.
            if bytes[counted.offset] & 0xC0 != 0x80 { counted.characters += 1 }
            counted.offset += 1
        }
        return TextPosition(character: counted.characters + 1)
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isNamePart(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_")
    }
}
