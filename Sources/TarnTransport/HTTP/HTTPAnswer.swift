/// An answer of a server to a request that did not become a WebSocket. The connection ends after
/// it, which keeps this small server free of everything that goes on in HTTP.
package struct HTTPAnswer: Equatable, Sendable {
    package let status: Int
    package let contentType: String
    package let body: [UInt8]
    package let headers: [String]

    package init(
        status: Int, contentType: String = "text/plain; charset=utf-8", body: [UInt8],
        headers: [String] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.headers = headers
    }

    /// The body is JSON in UTF-8.
    package static func json(status: Int = 200, _ body: String) -> HTTPAnswer {
        HTTPAnswer(status: status, contentType: "application/json", body: Array(body.utf8))
    }

    static func refusal(
        _ status: Int, _ sentence: String, headers: [String] = []
    ) -> HTTPAnswer {
        HTTPAnswer(status: status, body: Array((sentence + "\n").utf8), headers: headers)
    }

    /// The bytes to send; the answer to HEAD has all but the body.
    func bytes(isHead: Bool = false) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\n"
        for header in headers { head += header + "\r\n" }
        head += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n"
        head += "Cache-Control: no-store\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + (isHead ? [] : body)
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 426: "Upgrade Required"
        case 431: "Request Header Fields Too Large"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Status \(status)"
        }
    }
}
