/// The first line and the headers of a request or an answer, read strictly: what is doubtful is
/// refused, so that no proxy in front of us can understand it in another way.
struct HTTPHead: Equatable, Sendable {
    enum Fault: Error, Equatable {
        case malformed(String)
        case tooLong
    }

    let firstLine: String
    private let headers: [(name: String, value: String)]

    static func == (one: HTTPHead, other: HTTPHead) -> Bool {
        one.firstLine == other.firstLine
            && one.headers.elementsEqual(other.headers) { $0 == $1 }
    }

    /// Reads the bytes before the empty line, without it.
    init(_ bytes: ArraySlice<UInt8>, headerCountMax: Int) throws(Fault) {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let end = rest.firstIndex(of: Self.lineFeed) {
            let line = rest[rest.startIndex..<end]
            guard line.last == Self.carriageReturn else {
                throw .malformed("a line does not end in CR LF")
            }
            lines.append(line.dropLast())
            rest = rest[(end + 1)...]
            guard lines.count <= headerCountMax + 1 else { throw .tooLong }
        }
        guard rest.isEmpty, let first = lines.first else { throw .malformed("there are no lines") }
        guard first.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw .malformed("the first line has a byte that it may not have")
        }
        firstLine = String(decoding: first, as: UTF8.self)
        var headers: [(name: String, value: String)] = []
        for line in lines.dropFirst() { headers.append(try Self.header(line)) }
        self.headers = headers
    }

    private static let lineFeed: UInt8 = 10
    private static let carriageReturn: UInt8 = 13

    private static func header(
        _ line: ArraySlice<UInt8>
    ) throws(Fault) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            throw .malformed("a header has no name")
        }
        let name = line[line.startIndex..<colon]
        guard isToken(name) else {
            throw .malformed("a header's name has a byte that it may not have")
        }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value = value.dropFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value = value.dropLast() }
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }),
            let text = String(validating: value, as: UTF8.self)
        else { throw .malformed("a header's value has a byte that it may not have") }
        return (lowercase(name), text)
    }

    private static func lowercase(_ name: ArraySlice<UInt8>) -> String {
        String(decoding: name.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    /// Whether it is a name, as those of headers and of subprotocols (RFC 9110, section 5.6.2).
    static func isToken(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy(isTokenByte)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "A"..."Z", "a"..."z", "0"..."9": true
        case "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~": true
        default: false
        }
    }

    /// All values of a header, by its name in lower case.
    func values(_ name: String) -> [String] {
        headers.filter { $0.name == name }.map(\.value)
    }

    /// The value of a header that stands exactly once.
    func value(_ name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values[0] : nil
    }

    /// The elements of a header that is a list, over all its lines.
    func list(_ name: String) -> [String] {
        // By bytes: some characters would join with the comma that follows them.
        values(name).flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .map { Substring($0).trimmingSpaces() }.filter { !$0.isEmpty }
    }

    /// Whether a list has this element, in any case.
    func list(_ name: String, contains element: String) -> Bool {
        list(name).contains { $0.lowercased() == element }
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> String {
        var text = utf8
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return String(Substring(text))
    }
}
