import TarnTesting
import Testing

@testable import TarnTransport

/// What a server says on one connection that has not become a WebSocket.
@Suite struct HTTPConversationTests {
    private struct Answer: Equatable {
        let status: Int
        let headers: [String: String]
        let body: String
    }

    private static let health = #"{"healthy":true}"#

    private func server(limits: TransportLimits = TransportLimits()) -> ServerUpgrade {
        ServerUpgrade(
            policy: UpgradePolicy(health: { .json(Self.health) }), limits: limits,
            now: { HTTPDate(seconds: 784_111_777) })
    }

    private func send(_ text: String, to server: inout ServerUpgrade) -> ServerUpgrade.Outcome? {
        server.receive(Array(text.utf8).span.bytes)
    }

    private func bytes(_ outcome: ServerUpgrade.Outcome?) -> [UInt8] {
        switch outcome {
        case .upgraded(_, let answer, _): answer
        case .answered(let bytes), .ended(let bytes): bytes
        case nil: []
        }
    }

    private func isEnd(_ outcome: ServerUpgrade.Outcome?) -> Bool {
        if case .ended = outcome { true } else { false }
    }

    /// Reads answers as a client has to: a body is as long as its head says, but for HEAD.
    private func answers(_ bytes: [UInt8], toHead: Bool = false) throws -> [Answer] {
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        var answers: [Answer] = []
        while !rest.isEmpty {
            let end = try #require(rest.firstRange(of: "\r\n\r\n"))
            let lines = rest[..<end.lowerBound].split(separator: "\r\n")
            rest = rest[end.upperBound...]
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let colon = try #require(line.firstRange(of: ": "))
                let name = line[..<colon.lowerBound].lowercased()
                #expect(headers[name] == nil)
                headers[name] = String(line[colon.upperBound...])
            }
            let status = try #require(Int(lines[0].split(separator: " ")[1]))
            let count = toHead ? 0 : Int(headers["content-length"] ?? "0") ?? -1
            answers.append(
                Answer(status: status, headers: headers, body: String(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        return answers
    }

    private static func get(_ path: String, _ more: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(more)\r\n"
    }

    @Test func `a connection stays for the next request`() throws {
        var server = server()

        for path in ["/health", "/nothing", "/health"] {
            let outcome = send(Self.get(path), to: &server)
            let answer = try #require(try answers(bytes(outcome)).first)

            #expect(!isEnd(outcome))
            #expect(answer.status == (path == "/health" ? 200 : 404))
            #expect(answer.headers["connection"] == nil)
        }
    }

    @Test func `requests that come at once are answered in their order`() throws {
        var server = server()

        let outcome = send(
            Self.get("/health") + "HEAD /health HTTP/1.1\r\nHost: a\r\n\r\n", to: &server)
        let more = send(
            Self.get("/a") + Self.get("/health", "Connection: close\r\n") + Self.get("/b"),
            to: &server)

        let first = String(decoding: bytes(outcome), as: UTF8.self)
        #expect(first.components(of: Self.health) == 2)
        #expect(first.components(of: "HTTP/1.1 200 OK") == 3)
        #expect(try answers(bytes(more)).map(\.status) == [404, 200])
        #expect(isEnd(more))
    }

    @Test func `who says that it is the last request has the last answer`() throws {
        var server = server()

        let outcome = send(Self.get("/health", "Connection: x, Close\r\n"), to: &server)

        #expect(isEnd(outcome))
        #expect(try answers(bytes(outcome))[0].headers["connection"] == "close")
        #expect(bytes(send(Self.get("/health"), to: &server)) == [])
    }

    @Test func `HTTP 1.0 is answered once, and needs no host`() throws {
        var server = server()

        let outcome = send(
            "GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", to: &server)

        let answer = try #require(try answers(bytes(outcome)).first)
        #expect(isEnd(outcome))
        #expect(answer.status == 200)
        #expect(answer.headers["connection"] == "close")
        #expect(answer.body == Self.health)
    }

    @Test func `a later version of HTTP 1 is understood as 1.1`() {
        var server = server()

        #expect(!isEnd(send("GET /health HTTP/1.9\r\nHost: a\r\n\r\n", to: &server)))
    }

    @Test(arguments: [
        "GARBAGE", "GET /health", "GET /health HTTP/2.0\r\nHost: a", "GET /health HTTP/1.1",
        "GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 5",
        "FETCH / HTTP/1.1\r\nHost: a", "GET /health HTTP/1.1\r\nHost: a b",
    ])
    func `what makes no sense is answered last`(head: String) throws {
        var server = server()
        _ = send(Self.get("/health"), to: &server)

        let outcome = send("\(head)\r\n\r\n" + Self.get("/health"), to: &server)

        let told = try answers(bytes(outcome))
        #expect(isEnd(outcome))
        #expect(told.count == 1)
        #expect(told[0].headers["connection"] == "close")
        #expect((400...505).contains(told[0].status))
    }

    @Test(arguments: [
        "/health HTTP/1.1\r\nHost: a", "/nothing HTTP/1.1\r\nHost: a", "/sync HTTP/1.1\r\nHost: a",
        "/health HTTP/1.0", "/health HTTP/1.1", "/health HTTP/3.0\r\nHost: a", "/health",
        "/health HTTP/1.1\r\nHost: a\r\n b: c", "/health HTTP/1.1\r\nHost: a\r\nContent-Length: 2",
        "/a-path-of-more-than-a-hundred-bytes HTTP/1.1\r\nX: and-headers-that-do-not-fit-either\r\n"
            + "Y: because-the-limit-is-so-low",
    ])
    func `an answer to HEAD has no body, whatever it says`(rest: String) throws {
        var limits = TransportLimits()
        limits.httpHeadByteCountMax = 100
        var server = server(limits: limits)

        let output = bytes(send("HEAD \(rest)\r\n\r\n", to: &server))

        let told = try answers(output, toHead: true)
        #expect(told.count == 1)
        #expect(output.suffix(4) == Array("\r\n\r\n".utf8)[...])
        #expect(told.first?.headers["content-length"].flatMap { Int($0) } ?? 0 > 0)
    }

    @Test(
        arguments: ["GET /a HTTP/1.1", "GET /a", "GET /a HTTP/2.0", "FETCH /a HTTP/1.1"], [0, 1])
    func `whether an answer has a body is told by its own request, not by the next one`(
        line: String, cut: Int
    ) throws {
        var server = server()
        let request = "\(line)\r\nHost: a\r\n\r\n"
        let next = "HEAD /b HTTP/1.1\r\nHost: a\r\n\r\n"

        var output = bytes(send(cut == 0 ? request + next : request, to: &server))
        if cut == 1 { output += bytes(send(next, to: &server)) }

        #expect(try !#require(answers(output).first).body.isEmpty)
    }

    @Test func `every answer says the date and its length`() throws {
        for path in ["/health", "/nothing", "/sync"] {
            var server = server()

            let answer = try #require(try answers(bytes(send(Self.get(path), to: &server))).first)

            #expect(answer.headers["date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(answer.headers["content-length"] == "\(answer.body.utf8.count)")
        }
    }

    @Test(arguments: [(0, "Thu, 01 Jan 1970 00:00:00 GMT"), (1_796_083_199, nil)])
    func `dates are those of Greenwich`(seconds: Int, text: String?) {
        #expect(
            "\(HTTPDate(seconds: seconds))" == text ?? "Mon, 30 Nov 2026 23:59:59 GMT")
    }

    @Test func `an upgrade is possible after other requests`() {
        var server = server()
        _ = send(Self.get("/health"), to: &server)

        let outcome = send(
            Self.get("/nothing") + ServerUpgradeTests.request() + "more", to: &server)

        guard case .upgraded("tarn.1", let answer, let rest) = outcome else {
            Issue.record("it is not upgraded")
            return
        }
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(text.contains("\n\r\nHTTP/1.1 101 ") || text.contains("here.\nHTTP/1.1 101 "))
        #expect(rest == Array("more".utf8))
    }

    @Test func `what has to be upgraded is told to what`() throws {
        var server = server()

        let outcome = send(Self.get("/sync"), to: &server)

        let answer = try #require(try answers(bytes(outcome)).first)
        #expect(answer.status == 426)
        #expect(answer.headers["upgrade"] == "websocket")
        #expect(answer.headers["connection"] == "Upgrade")
    }

    @Test func `a target may name the whole address, and an empty line stand before it`() throws {
        var server = server()

        let outcome = send(
            "\r\n" + Self.get("HTTPS://a:1/health?x") + "\r\n" + Self.get("http://a?/health"),
            to: &server)

        #expect(try answers(bytes(outcome)).map(\.status) == [200, 404])
        #expect(isEnd(send("\r\n\r\n", to: &server)))
    }

    @Test func `after so many requests the connection ends`() throws {
        var limits = TransportLimits()
        limits.httpRequestCountMax = 3
        var server = server(limits: limits)

        let outcome = send(String(repeating: Self.get("/health"), count: 5), to: &server)

        #expect(try answers(bytes(outcome)).count == 3)
        #expect(isEnd(outcome))
    }

    @Test func `wherever requests are cut, the answers are the same`() {
        let text =
            Self.get("/health") + "\r\n" + Self.get("/nothing")
            + Self.get("/health", "Connection: close\r\n")
        let sent = Array(text.utf8)
        var once = server()
        let whole = bytes(once.receive(sent.span.bytes))

        for cut in 0...sent.count {
            var parted = server()
            let before = parted.receive(Array(sent[..<cut]).span.bytes)
            let after = parted.receive(Array(sent[cut...]).span.bytes)

            #expect(bytes(before) + bytes(after) == whole)
        }
    }
}

extension String {
    /// How many parts it has between the occurrences of a text.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count + 1 }
}
