import TarnModel

extension Lexer {
    /// An int, a double, or a date: four digits and a hyphen begin one.
    mutating func number(at position: TextPosition) throws(QueryError) -> Token {
        let digitsAhead = (0..<4).allSatisfy { peek($0).map(Self.isDigit) == true }
        if digitsAhead, peek(4) == UInt8(ascii: "-") { return .date(try date(at: position)) }
        let isNegative = peek() == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        var digits = text { Self.isDigit($0) }
        if digits.isEmpty {
            guard isNegative, ["inf", "infinity"].contains(word().lowercased()) else {
                throw QueryError(.syntax, at: position, "a number was expected")
            }
            return .double(Real(-.infinity))
        }
        if isNegative { digits = "-" + digits }
        if let rest = fractionAndExponent() {
            guard peek().map(Self.isNamePart) != true, let value = Double(digits + rest) else {
                throw QueryError(.syntax, at: position, "a number was expected")
            }
            guard value.isFinite else {
                throw QueryError(.syntax, at: position, "the number is too large for a double")
            }
            return .double(Real(value))
        }
        guard peek().map(Self.isNamePart) != true else {
            throw QueryError(.syntax, at: position, "a number was expected")
        }
        guard let value = Int64(digits) else {
            throw QueryError(
                .syntax, at: position,
                "the number does not fit 64 bits; a double has a point or an exponent")
        }
        return .int(value)
    }

    /// `.25`, `e-10` or both, after the digits of a number; nil where neither stands.
    private mutating func fractionAndExponent() -> String? {
        var rest = ""
        if peek() == UInt8(ascii: "."), peek(1).map(Self.isDigit) == true {
            offset += 1
            rest = "." + text { Self.isDigit($0) }
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            let isSigned = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+")
            if peek(isSigned ? 2 : 1).map(Self.isDigit) == true {
                rest += peek(1) == UInt8(ascii: "-") ? "e-" : "e"
                offset += isSigned ? 2 : 1
                rest += text { Self.isDigit($0) }
            }
        }
        return rest.isEmpty ? nil : rest
    }

    /// `B64"…"`; nil where a word stands.
    mutating func data(at position: TextPosition) throws(QueryError) -> [UInt8]? {
        guard peek(1) == UInt8(ascii: "6"), peek(2) == UInt8(ascii: "4"),
            peek(3) == UInt8(ascii: "\"") || peek(3) == UInt8(ascii: "'")
        else { return nil }
        offset += 3
        guard let bytes = Base64.bytes(of: try string(at: position).string) else {
            throw QueryError(
                .syntax, at: position,
                "data is written as base64: groups of four characters, "
                    + "the last one filled up with =")
        }
        return bytes
    }

    private mutating func date(at position: TextPosition) throws(QueryError) -> Timestamp {
        let written = text { Self.isDigit($0) || "-:.@TZ".utf8.contains($0) }
        let parts = written.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 4 {
            // Realm's form: nanoseconds after a third colon.
            let time = Timestamp(parts[0..<3].joined(separator: ":"))
            let isCount = (1...9).contains(parts[3].utf8.count) && parts[3].allSatisfy(\.isNumber)
            if let time, time.nanoseconds == 0, isCount, let nanoseconds = Int32(parts[3]),
                let whole = Timestamp(seconds: time.seconds, nanoseconds: nanoseconds)
            {
                return whole
            }
        } else if let time = Timestamp(written) {
            return time
        }
        throw QueryError(
            .syntax, at: position, "a date is written YYYY-MM-DD or YYYY-MM-DD@HH:MM:SS, in UTC")
    }

    mutating func string(at position: TextPosition) throws(QueryError) -> Text {
        let quote = peek()
        offset += 1
        var content: [UInt8] = []
        while let byte = peek() {
            if byte == quote {
                offset += 1
                return Text(String(decoding: content, as: UTF8.self))
            }
            if byte == UInt8(ascii: "\\") {
                content.append(contentsOf: try escape())
            } else {
                content.append(byte)
                offset += 1
            }
        }
        throw QueryError(.syntax, at: position, "the string has no end")
    }

    private mutating func escape() throws(QueryError) -> [UInt8] {
        let position = position(at: offset)
        offset += 1
        let letter = peek()
        offset += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return letter.map { [$0] } ?? []
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "0"): return [0]
        case UInt8(ascii: "u"):
            if let scalar = scalar() { return Array(String(Character(scalar)).utf8) }
            throw QueryError(
                .syntax, at: position, "a character is written \\u00E9 or \\u{1F600}")
        default:
            throw QueryError(
                .syntax, at: position, "after \"\\\" comes one of \" ' \\ / n r t b f 0 u")
        }
    }

    /// Four hexadecimal digits, or up to six in braces.
    private mutating func scalar() -> Unicode.Scalar? {
        let isBraced = peek() == UInt8(ascii: "{")
        if isBraced { offset += 1 }
        var digits: [UInt8] = []
        while digits.count < (isBraced ? 6 : 4), let byte = peek(), Self.isHexDigit(byte) {
            digits.append(byte)
            offset += 1
        }
        if isBraced {
            guard peek() == UInt8(ascii: "}") else { return nil }
            offset += 1
        } else if digits.count != 4 {
            return nil
        }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(
            Unicode.Scalar.init)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
