import TarnTransport

/// `tarn-bench echo-client`: our client under the test of a fuzzing server that is spoken to as
/// Autobahn's is. It asks how many cases there are, echoes in a connection for each, and has the
/// report written at the end.
struct EchoClient {
    private let run: LoopRun
    private let server: Endpoint
    private let trust: TLSClientContext

    /// What the server calls us in its report.
    private static let agent = "tarn"

    static func run(_ words: [String]) throws(BenchError) {
        guard words.count == 3, words[1] == "--authority" else {
            throw .usage("It is: tarn-bench echo-client HOST:PORT --authority FILE")
        }
        guard let server = Endpoint(words[0], defaultPort: 443) else {
            throw .usage("\"\(words[0])\" is no address of a server.")
        }
        let run = try LoopRun()
        let client = EchoClient(run: run, server: server, trust: try LoopRun.trust(words[2]))
        let answer = try client.visit("/getCaseCount", isEchoing: false)
        guard let count = Int(answer), count > 0 else {
            throw BenchError("\(server) does not say how many cases it has.")
        }
        for number in 1...count { try client.visit("/runCase?case=\(number)&agent=\(agent)") }
        try client.visit("/updateReports?agent=\(agent)")
        BenchProgram.say("\(count) cases were run")
    }

    /// One connection, from its beginning to its end: the text of its last message.
    @discardableResult
    private func visit(_ path: String, isEchoing: Bool = true) throws(BenchError) -> String {
        let visit = Visit(isEchoing: isEchoing, in: run)
        try run.phase(path, atMost: .seconds(120)) {
            Connector(
                to: Endpoint(host: server.host, port: server.port, path: path), on: run.loop,
                trust: trust, subprotocols: [], limits: EchoHandler.limits, handler: visit)
        }
        return visit.text
    }

    private final class Visit: ConnectionHandler {
        private(set) var text = ""
        private let echo = EchoHandler()
        private let isEchoing: Bool
        private let run: LoopRun
        private var isOpened = false

        init(isEchoing: Bool, in run: LoopRun) {
            self.isEchoing = isEchoing
            self.run = run
        }

        func connectionOpened(_ connection: SecureConnection) { isOpened = true }

        func connectionReceived(
            _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
        ) {
            if isEchoing { return echo.connectionReceived(payload, as: kind, on: connection) }
            text = payload.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }

        func connectionCaughtUp(_ connection: SecureConnection) {
            echo.connectionCaughtUp(connection)
        }

        func connectionDrained(_ connection: SecureConnection) {
            echo.connectionDrained(connection)
        }

        /// However a case ends is for its server to judge; that there is a server, for us.
        func connectionEnded(_ end: ConnectionEnd) {
            if isOpened { run.finish() } else { run.fail("\(end)") }
        }
    }
}
