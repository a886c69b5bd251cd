import TarnTransport
import Testing

/// The library `websockets` as a client of our server.
@Suite(.enabled(if: Peers.areSetUp, Peers.absence)) struct PythonWebSocketClientTests {
    @Test func `its messages, fragments, pings, goodbyes and offences are answered as they should`()
        throws
    {
        let stage = try Stage()
        let policy = UpgradePolicy(allowedOrigins: ["https://tarn.example"])
        let port = try stage.listen(policy: policy).port
        stage.server.onReceived = { messages, connection in
            for message in messages {
                let text =
                    message.kind == .text ? String(decoding: message.payload, as: UTF8.self) : ""
                let words = text.split(
                    separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
                if words.first == "close", words.count == 3, let code = UInt16(words[1]) {
                    connection.close(WebSocketCloseCode(rawValue: code), reason: String(words[2]))
                } else {
                    connection.send(message.payload, as: message.kind)
                }
            }
        }

        let output = try stage.output(
            of: Peers.command("peer_client.py", ["\(port)", Certificates.shared.authority]))

        #expect(output.hasSuffix("all held\n"), "\(output)")
        stage.run("the end of all") { stage.listener?.connectionCount == 0 }
    }
}
