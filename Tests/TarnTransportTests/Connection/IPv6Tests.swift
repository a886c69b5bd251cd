import TarnTransport
import Testing

@Suite struct IPv6Tests {
    @Test(arguments: ["::1", "127.0.0.1", "localhost"])
    func `a server listens at the address that it is told, and a client finds it there`(
        host: String
    ) throws {
        let stage = try Stage()
        stage.server.echo()
        let server = stage.server
        let credentials = try Certificates.shared.credentials()
        let listener: Listener
        do throws(TransportError) {
            listener = try Listener(
                on: stage.loop, host: host, port: 0, credentials: credentials,
                accept: { _ in server })
        } catch {
            // A machine may have no IPv6; it says so, and nothing worse.
            #expect(host == "::1" && error.code == .systemFailure)
            return
        }
        defer { listener.stop() }
        #expect(host == "localhost" || listener.address.host == host)
        let client = Recorder()
        client.onOpened = { connection in connection.send([7]) }
        Connector(
            to: Endpoint(host: host, port: listener.port), on: stage.loop,
            trust: try TLSClientContext(trust: .authority(Certificates.shared.authority)),
            handler: client)

        stage.run("the echo") { client.messages.count == 1 || client.end != nil }
        client.connection?.close()
        stage.run("the end") { client.end != nil && stage.server.end != nil }

        #expect(client.messages.map(\.payload) == [[7]])
        #expect(client.end == .closed(WebSocketClose(.normal)))
    }
}
