import TarnTesting
import TarnTransport
import Testing

/// Our client against the library `websockets` as its server.
@Suite(.enabled(if: Peers.areSetUp, Peers.absence)) struct PythonWebSocketServerTests {
    private let stage: Stage
    private let server: PythonServer

    init() throws {
        stage = try Stage()
        server = try PythonServer()
    }

    private func connect(_ path: String, _ client: Recorder = Recorder()) throws -> Recorder {
        try stage.connect(port: server.port, path: path, client: client)
    }

    private func end(of path: String) throws -> Recorder {
        let client = try connect(path)
        stage.run("the end") { client.end != nil }
        return client
    }

    @Test func `it echoes messages of all sizes, and answers our goodbye`() throws {
        var random = SeededGenerator(seed: 3)
        let sizes = [0, 1, 125, 126, 127, 16_384, 65_535, 65_536]
        var sent = sizes.map { WebSocketMessage(.binary, random.bytes($0)) }
        sent += ["", "é€😀", String(repeating: "x", count: 65_536)]
            .map { WebSocketMessage(.text, Array($0.utf8)) }
        let client = Recorder()
        client.onOpened = { connection in
            for message in sent { connection.send(message.payload, as: message.kind) }
        }

        _ = try connect("/echo", client)
        stage.run("the echo") { client.messages.count == sent.count }
        client.connection?.close(.goingAway, reason: "später")
        stage.run("the end") { client.end != nil }

        #expect(client.messages == sent)
        // This library answers with the reason, too.
        #expect(client.end == .closed(WebSocketClose(.goingAway, reason: "später")))
        #expect(server.line() == "asked /echo")
        #expect(server.line() == "closed 1001 später")
    }

    @Test func `its messages come whole, however they were cut`() throws {
        let client = try end(of: "/sizes")

        let sizes = [0, 1, 125, 126, 127, 16_384, 65_535, 65_536]
        let contents = sizes.map { size in (0..<size).map { UInt8($0 % 251) } }
        let expected =
            contents.flatMap { [WebSocketMessage(.binary, $0), WebSocketMessage(.binary, $0)] }
            + [WebSocketMessage(.text, Array("€😀".utf8))]
        #expect(client.messages == expected)
        #expect(client.end == .closed(WebSocketClose(.normal, reason: "sizes")))
    }

    @Test func `messages that come byte by byte come whole`() throws {
        let client = try end(of: "/byte-by-byte")

        #expect(client.messages.map(\.payload) == (0..<3).map { Array(repeating: $0, count: 130) })
        #expect(client.end == .closed(WebSocketClose(.normal, reason: "slowly")))
    }

    @Test func `its pings are answered, and its pongs taken`() throws {
        let client = try end(of: "/pings")

        #expect(client.end == .closed(WebSocketClose(.normal, reason: "all answered")))
    }

    @Test func `its goodbye is heard, after what it said before`() throws {
        for code in [1000, 1001, 1008, 1011, 1013, 4000] as [UInt16] {
            let client = try end(of: "/goodbye/\(code)/until-later")

            let close = WebSocketClose(WebSocketCloseCode(rawValue: code), reason: "until later")
            #expect(client.messages.map(\.payload) == [Array("before".utf8)])
            #expect(client.ends == [.closed(close)])
        }
    }

    @Test func `whoever breaks the rules is told how, and the connection ends`() throws {
        for (how, code) in [
            ("long", 1009), ("masked", 1002), ("compressed", 1002), ("continuation", 1002),
            ("not-text", 1007), ("opcode", 1002),
        ] {
            let client = try end(of: "/broken/\(how)")

            #expect(client.error?.code == .protocolViolation, "\(how)")
            #expect(client.messages.isEmpty)
            #expect(server.line() == "asked /broken/\(how)")
            #expect(server.line() == "answered \(code)")
        }
    }

    @Test func `a server that vanishes has not said goodbye`() throws {
        for how in ["end", "inside", "reset"] {
            let client = try end(of: "/vanish/\(how)")

            #expect(client.openedCount == 1)
            #expect(client.error?.code == .peerVanished, "\(how)")
        }
    }

    @Test func `an answer of HTTP is a refusal that says which`() throws {
        for status in [200, 400, 401, 403, 404, 426, 429, 500, 503] {
            let client = try end(of: "/answer/\(status)")

            #expect(client.openedCount == 0)
            #expect(client.error?.code == .upgradeRefused, "\(status)")
            #expect(client.error?.sentence.contains("\(status)") == true)
        }
    }

    @Test func `nobody is followed to another place`() throws {
        for status in [301, 302, 303, 307, 308] {
            let client = try end(of: "/answer/\(status)")
            // Were it followed, this request would not be the second one.
            _ = try end(of: "/goodbye/1000")

            #expect(client.error?.code == .upgradeRefused, "\(status)")
            #expect(server.line() == "asked /answer/\(status)")
            #expect(server.line() == "asked /goodbye/1000")
        }
    }

    @Test func `an upgrade that is not what was asked for is no WebSocket`() throws {
        for how in ["other", "none", "key", "extension", "no-upgrade", "no-connection"] {
            let client = try end(of: "/upgrade/\(how)")

            #expect(client.openedCount == 0)
            #expect(client.error?.code == .notWebSocket, "\(how)")
        }
    }

    @Test func `a server that takes its time gets all, and holds up what is to be sent`() throws {
        let piece = [UInt8](repeating: 7, count: 65_536)
        let pieceCount = 400
        let client = Recorder()
        var sentCount = 0
        func send(_ connection: SecureConnection) {
            while sentCount < pieceCount, connection.isWritable {
                connection.send(piece)
                sentCount += 1
            }
            guard sentCount == pieceCount else { return }
            sentCount += 1
            connection.send(Array("the end".utf8))
        }
        client.onOpened = send
        client.onDrained = send

        _ = try connect("/count", client)
        stage.run("its answer", seconds: 30) { client.messages.count == 1 }

        let answer = String(decoding: client.messages.first?.payload ?? [], as: UTF8.self)
        #expect(answer.hasPrefix("\(pieceCount * piece.count) "))
        #expect(client.drainedCount > 1)
    }

    @Test func `a server that never answers the request is given up in time`() throws {
        stage.limits.handshakeTimeout = .milliseconds(200)

        let client = try end(of: "/silence")

        #expect(client.error?.code == .timedOut)
        #expect(client.openedCount == 0)
    }

    @Test func `a server that hangs up on the request has vanished`() throws {
        let client = try end(of: "/hang-up")

        #expect(client.error?.code == .peerVanished)
        #expect(client.openedCount == 0)
    }

    @Test func `a server whose certificate nobody vouches for is not talked to`() throws {
        let client = try stage.connect(
            port: server.port, trust: .authority(Certificates.shared.strangersAuthority),
            path: "/echo")
        stage.run("the end") { client.end != nil }
        _ = try end(of: "/goodbye/1000")

        #expect(client.error?.code == .untrustedCertificate)
        #expect(server.line() == "asked /goodbye/1000")
    }
}
