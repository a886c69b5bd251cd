/// An answer of a server to a request that did not become a WebSocket.
package struct HTTPAnswer: Error, Equatable, Sendable {
    package let status: Int
    package let contentType: String
    package let body: [UInt8]
    package let headers: [String]
    /// What is said in the header Connection, but for `close`.
    let connectionOptions: [String]

    package init(
        status: Int, contentType: String = "text/plain; charset=utf-8", body: [UInt8],
        headers: [String] = []
    ) {
        self.init(
            status: status, contentType: contentType, body: body, headers: headers,
            connectionOptions: [])
    }

    private init(
        status: Int, contentType: String, body: [UInt8], headers: [String],
        connectionOptions: [String]
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.headers = headers
        self.connectionOptions = connectionOptions
    }

    /// The body is JSON in UTF-8.
    package static func json(status: Int = 200, _ body: String) -> HTTPAnswer {
        HTTPAnswer(status: status, contentType: "application/json", body: Array(body.utf8))
    }

    package static func refusal(
        _ status: Int, _ sentence: String, headers: [String] = []
    ) -> HTTPAnswer {
        HTTPAnswer(status: status, body: Array((sentence + "\n").utf8), headers: headers)
    }

    /// 426, which has to say to what (RFC 9110, sections 7.8 and 15.5.22).
    static func upgradeRequired(_ sentence: String, headers: [String] = []) -> HTTPAnswer {
        HTTPAnswer(
            status: 426, contentType: "text/plain; charset=utf-8",
            body: Array((sentence + "\n").utf8), headers: ["Upgrade: websocket"] + headers,
            connectionOptions: ["Upgrade"])
    }

    /// After these nobody can be sure where the next request begins, or whether it makes sense.
    var mustBeLast: Bool { [400, 431, 501, 505].contains(status) }

    /// The bytes to send; the answer to HEAD has all but the body. An origin server with a clock
    /// says the date (RFC 9110, section 6.6.1).
    func bytes(isHead: Bool, isLast: Bool, date: HTTPDate) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\nDate: \(date)\r\n"
        for header in headers { head += header + "\r\n" }
        head += "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n"
        head += "Cache-Control: no-store\r\n"
        let options = connectionOptions + (isLast ? ["close"] : [])
        if !options.isEmpty { head += "Connection: \(options.joined(separator: ", "))\r\n" }
        return Array((head + "\r\n").utf8) + (isHead ? [] : body)
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
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Status \(status)"
        }
    }
}
