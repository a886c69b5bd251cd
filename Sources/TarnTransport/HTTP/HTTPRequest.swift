/// A request as its head tells it; bodies are not taken here (RFC 9112, section 3).
package struct HTTPRequest: Equatable, Sendable {
    package let method: String
    /// Without what follows a question mark.
    package let path: String
    let head: HTTPHead
    /// HTTP/1.0 knows no upgrade, and no connection that stays.
    let isOfVersion10: Bool

    package var isHead: Bool { method == "HEAD" }

    /// Whether the client has said that it is its last.
    var isLast: Bool { isOfVersion10 || head.list("connection", contains: "close") }

    /// Throws the answer to a request that makes no sense here, after which the connection ends.
    init(_ head: HTTPHead) throws(HTTPAnswer) {
        let words = head.firstLine.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words.allSatisfy({ !$0.isEmpty }) else {
            throw .refusal(400, "The request has no request line.")
        }
        isOfVersion10 = try Self.version(words[2]) == 0
        try Self.checkHost(head, isOptional: isOfVersion10)
        // A body would have to be read past; nothing that is served here takes one.
        guard head.values("transfer-encoding").isEmpty,
            head.values("content-length").allSatisfy({ $0 == "0" })
        else { throw .refusal(400, "A request here has no body.") }
        guard Self.methods.contains(String(words[0])) else {
            throw .refusal(501, "There is no such method.")
        }
        method = String(words[0])
        path = Self.path(of: words[1])
        self.head = head
    }

    /// Those of RFC 9110, section 9, and PATCH: what is no method at all is another mistake than a
    /// method that does not fit.
    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
    ]

    /// The digit after the point. A version 1 of later days has to be understood as this one (RFC
    /// 9110, section 2.5).
    private static func version(_ word: Substring) throws(HTTPAnswer) -> UInt8 {
        let bytes = Array(word.utf8)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), digits.contains(bytes[5]),
            bytes[6] == UInt8(ascii: "."), digits.contains(bytes[7])
        else { throw .refusal(400, "The request has no request line.") }
        guard bytes[5] == UInt8(ascii: "1") else {
            throw .refusal(505, "Only HTTP/1.1 is spoken here.")
        }
        return bytes[7] - UInt8(ascii: "0")
    }

    private static func checkHost(_ head: HTTPHead, isOptional: Bool) throws(HTTPAnswer) {
        let hosts = head.values("host")
        guard hosts.count == 1 || hosts.isEmpty && isOptional else {
            throw .refusal(400, "The request does not name one host.")
        }
        guard hosts.allSatisfy({ $0.utf8.allSatisfy(isHostByte) }) else {
            throw .refusal(400, "The request's host cannot be one.")
        }
    }

    /// What may stand in a host and its port (RFC 3986, section 3.2).
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "A"..."Z", "a"..."z", "0"..."9", "-", ".", "_", "~", "%", ":", "[", "]": true
        case "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": true
        default: false
        }
    }

    /// Also of a target that names scheme and host, as requests to a proxy do: a server has to take
    /// those, too (RFC 9112, section 3.2.2).
    private static func path(of target: Substring) -> String {
        var path = target
        for scheme in ["http://", "https://"]
        where path.prefix(scheme.count).lowercased() == scheme {
            let rest = path.dropFirst(scheme.count)
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            path = rest[end...]
            if path.first != "/" { return "/" }
            break
        }
        return String(path.prefix { $0 != "?" })
    }
}
