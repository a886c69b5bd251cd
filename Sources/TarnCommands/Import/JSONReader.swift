/// Reads one JSON text (RFC 8259), of bytes that anybody may have written.
package struct JSONReader {
    /// Objects and arrays that may stand within one another; ours go four deep.
    private static let depthMax = 64

    private let bytes: [UInt8]
    private var place = 0

    /// What is wrong, without a full stop.
    package struct Fault: Error, Equatable {
        package let sentence: String
    }

    package static func value(of bytes: [UInt8]) throws(Fault) -> JSONValue {
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.place == bytes.count else {
            throw reader.fault("there is more behind the value")
        }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func fault(_ what: String) -> Fault {
        Fault(sentence: "\(what), at byte \(place + 1)")
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func value(depth: Int) throws(Fault) -> JSONValue {
        guard depth < Self.depthMax else { throw fault("values stand too deep in one another") }
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try number()
        case nil: throw fault("the text ends where a value should stand")
        default: throw fault("no value begins so")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(Fault) -> JSONValue {
        guard bytes[place...].starts(with: word.utf8) else { throw fault("no value begins so") }
        place += word.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(Fault) -> JSONValue {
        place += 1
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        skipBlanks()
        if take("}") { return .object([]) }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else {
                throw fault("a member's name should stand here")
            }
            let name = try string()
            guard names.insert(name).inserted else { throw fault("\"\(name)\" stands twice") }
            skipBlanks()
            guard take(":") else { throw fault("a colon should stand here") }
            members.append(.init(name: name, value: try value(depth: depth + 1)))
            skipBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { throw fault("a comma or the object's end should stand here") }
        }
    }

    private mutating func array(depth: Int) throws(Fault) -> JSONValue {
        place += 1
        var elements: [JSONValue] = []
        skipBlanks()
        if take("]") { return .array([]) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipBlanks()
            if take("]") { return .array(elements) }
            guard take(",") else { throw fault("a comma or the array's end should stand here") }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func number() throws(Fault) -> JSONValue {
        let start = place
        _ = take("-")
        let first = place
        guard try digits(orElse: "no number begins so") == 1 || bytes[first] != UInt8(ascii: "0")
        else { throw fault("a number does not begin with 0") }
        var isInt = true
        if take(".") {
            isInt = false
            _ = try digits(orElse: "digits should stand behind the point")
        }
        if take("e") || take("E") {
            isInt = false
            if !take("+") { _ = take("-") }
            _ = try digits(orElse: "digits should stand in the exponent")
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isInt, let value = Int64(text) { return .int(value) }
        return .number(text)
    }

    private mutating func digits(orElse what: String) throws(Fault) -> Int {
        let start = place
        while let byte = next, Self.isDigit(byte) { place += 1 }
        guard place > start else { throw fault(what) }
        return place - start
    }

    // MARK: Strings

    private mutating func string() throws(Fault) -> String {
        place += 1
        var text: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw fault("the text is not in UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): text += Array(String(try escaped()).utf8)
            case 0..<0x20: throw fault("a control character stands in a text")
            default: text.append(byte)
            }
        }
        throw fault("a text has no end")
    }

    private mutating func escaped() throws(Fault) -> Unicode.Scalar {
        guard let byte = next else { throw fault("a text has no end") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unit()
        default: throw fault("no character is escaped so")
        }
    }

    /// One of four digits, or a pair of them for what UTF-16 says by two.
    private mutating func unit() throws(Fault) -> Unicode.Scalar {
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), take("\\"), take("u") else {
            throw fault("half a character stands alone")
        }
        let second = try fourDigits()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("half a character stands alone") }
        return scalar
    }

    private mutating func fourDigits() throws(Fault) -> UInt32 {
        guard place + 4 <= bytes.count else { throw fault("a text has no end") }
        let text = String(decoding: bytes[place..<place + 4], as: UTF8.self)
        guard let number = UInt32(text, radix: 16), !text.hasPrefix("+") else {
            throw fault("four digits should stand here")
        }
        place += 4
        return number
    }
}
