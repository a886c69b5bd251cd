/// What a file of test vectors says. Just as much of RFC 8259 as those files use; numbers stand in
/// them as strings.
enum JSON {
    case null
    case bool(Bool)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Why a vector cannot be used.
    struct Fault: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    init(text: [UInt8]) throws {
        var reader = JSONReader(bytes: text)
        self = try reader.value()
        try reader.expectEnd()
    }

    subscript(_ name: String) -> JSON {
        get throws {
            guard case .object(let members) = self, let member = members[name] else {
                throw Fault("there is no \(name)")
            }
            return member
        }
    }

    /// Nil where the member is missing.
    func member(_ name: String) -> JSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var isNull: Bool { if case .null = self { true } else { false } }

    var elements: [JSON] {
        get throws {
            guard case .array(let elements) = self else { throw Fault("no array") }
            return elements
        }
    }

    var text: String {
        get throws {
            guard case .string(let text) = self else { throw Fault("no string") }
            return text
        }
    }

    var flag: Bool {
        get throws {
            guard case .bool(let flag) = self else { throw Fault("no boolean") }
            return flag
        }
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws -> Number {
        guard let number = Number(try text) else { throw Fault("\(try text) is no \(type)") }
        return number
    }

    /// What hexadecimal digits stand for.
    var bytes: [UInt8] {
        get throws {
            let digits = Array(try text.utf8)
            guard digits.count.isMultiple(of: 2) else { throw Fault("an odd count of digits") }
            return try stride(from: 0, to: digits.count, by: 2).map { index in
                let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
                guard let byte = UInt8(pair, radix: 16) else { throw Fault("no digits: \(pair)") }
                return byte
            }
        }
    }

    func orNil<Result>(_ read: (JSON) throws -> Result) rethrows -> Result? {
        isNull ? nil : try read(self)
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    var offset = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func expectEnd() throws {
        skipSpace()
        guard offset == bytes.count else { throw JSON.Fault("something is left") }
    }

    mutating func value() throws -> JSON {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw JSON.Fault("no value at \(offset)")
        }
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { offset += 1 }
    }

    /// Steps over a sign, if it comes next.
    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: sign) else { return false }
        offset += 1
        return true
    }

    private mutating func word(_ word: String, _ value: JSON) throws -> JSON {
        guard bytes[offset...].starts(with: word.utf8) else { throw JSON.Fault("no \(word)") }
        offset += word.utf8.count
        return value
    }

    private mutating func object() throws -> JSON {
        _ = take("{")
        var members: [String: JSON] = [:]
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            let name = try string()
            guard take(":") else { throw JSON.Fault("no colon at \(offset)") }
            members[name] = try value()
        } while take(",")
        guard take("}") else { throw JSON.Fault("no end at \(offset)") }
        return .object(members)
    }

    private mutating func array() throws -> JSON {
        _ = take("[")
        var elements: [JSON] = []
        if take("]") { return .array(elements) }
        repeat { elements.append(try value()) } while take(",")
        guard take("]") else { throw JSON.Fault("no end at \(offset)") }
        return .array(elements)
    }

    private mutating func string() throws -> String {
        guard take("\"") else { throw JSON.Fault("no string at \(offset)") }
        var units: [UInt16] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            offset += 1
            guard byte < 0x80 else { throw JSON.Fault("the files are ASCII") }
            units.append(byte == UInt8(ascii: "\\") ? try escape() : UInt16(byte))
        }
        guard take("\"") else { throw JSON.Fault("a string has no end") }
        return String(decoding: units, as: UTF16.self)
    }

    private mutating func escape() throws -> UInt16 {
        guard let byte = peek else { throw JSON.Fault("a string has no end") }
        offset += 1
        switch byte {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "u"):
            let digits = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
            guard let unit = UInt16(digits, radix: 16) else { throw JSON.Fault("no \\u") }
            offset += 4
            return unit
        default: return UInt16(byte)
        }
    }
}
