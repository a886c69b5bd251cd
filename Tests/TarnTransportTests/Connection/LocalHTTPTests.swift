import TarnTransport
import Testing

/// HTTP without TLS, for programs on this machine.
@Suite struct LocalHTTPTests {
    private func listen(on stage: Stage, host: String = "127.0.0.1") throws -> LocalHTTPListener {
        try LocalHTTPListener(on: stage.loop, host: host, port: 0, limits: stage.limits) {
            request in
            guard request.path == "/metrics" else { return .refusal(404, "There is nothing here.") }
            return HTTPAnswer(status: 200, body: Array("numbers of \(request.method)".utf8))
        }
    }

    /// What a peer reads to the end after sending something, while the stage serves.
    private func answer(to sent: String, from port: UInt16, on stage: Stage) throws -> String {
        let socket = try RawSocket(port: port)
        socket.write(Array(sent.utf8))
        var received: [UInt8] = []
        stage.run("the end of the answer") {
            guard let more = socket.readWhatIsThere() else { return true }
            received += more
            return false
        }
        return String(decoding: received, as: UTF8.self)
    }

    @Test func `several requests are answered on one connection`() throws {
        let stage = try Stage()
        let listener = try listen(on: stage)
        defer { listener.stop() }

        let text = try answer(
            to: "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
                + "HEAD /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            from: listener.address.port, on: stage)

        #expect(text.ranges(of: "HTTP/1.1 200 OK").count == 2)
        #expect(text.ranges(of: "HTTP/1.1 404 Not Found").count == 1)
        #expect(text.ranges(of: "numbers of GET").count == 1)
        #expect(!text.contains("numbers of HEAD"))
        #expect(text.hasSuffix("Connection: close\r\n\r\n"))
    }

    @Test(arguments: ["\u{16}\u{3}\u{1}\u{0}\r\n\r\n", "hello\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"])
    func `what is no HTTP gets one answer and an end`(sent: String) throws {
        let stage = try Stage()
        let listener = try listen(on: stage)
        defer { listener.stop() }

        let text = try answer(to: sent, from: listener.address.port, on: stage)

        #expect(text.hasPrefix("HTTP/1.1 400 ") || text.hasPrefix("HTTP/1.1 505 "))
        #expect(text.contains("Connection: close\r\n"))
    }

    @Test func `who is silent is let go, before and after an answer`() throws {
        let stage = try Stage()
        stage.limits.handshakeTimeout = .milliseconds(20)
        stage.limits.httpIdleTimeout = .milliseconds(20)
        let listener = try listen(on: stage)
        defer { listener.stop() }

        #expect(try answer(to: "", from: listener.address.port, on: stage) == "")
        let text = try answer(
            to: "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", from: listener.address.port, on: stage)

        #expect(text.hasSuffix("numbers of GET"))
    }

    @Test func `a crowd is turned away, and those who were there are served`() throws {
        let stage = try Stage()
        let listener = try listen(on: stage)
        defer { listener.stop() }
        let crowd = try (0..<16).map { _ in try RawSocket(port: listener.address.port) }

        #expect(try answer(to: "", from: listener.address.port, on: stage) == "")
        crowd[0].write(Array("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".utf8))

        var received: [UInt8] = []
        stage.run("the answer") {
            received += crowd[0].readWhatIsThere() ?? []
            return String(decoding: received, as: UTF8.self).hasSuffix("numbers of GET")
        }
    }

    @Test(arguments: ["0.0.0.0", "::"])
    func `an address that others can reach is refused in a sentence`(host: String) throws {
        let stage = try Stage()

        let error = #expect(throws: TransportError.self) { try listen(on: stage, host: host) }

        #expect(error?.code == .badAddress)
        #expect(error?.sentence.contains("only the loopback is listened on") == true)
    }
}
