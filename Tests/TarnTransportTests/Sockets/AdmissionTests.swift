import TarnTransport
import Testing

/// What a client sees of the limits on connections, from the one address that tests have.
@Suite struct AdmissionTests {
    private func stage(
        strangerEnd: ConnectionCensus.StrangerEnd = .opened,
        _ change: (inout TransportLimits) -> Void
    ) throws -> (Stage, ConnectionCensus) {
        let stage = try Stage()
        change(&stage.limits)
        let census = ConnectionCensus(
            limits: stage.limits, unlimited: [], strangerEnd: strangerEnd)
        try stage.listen(census: census)
        return (stage, census)
    }

    private func outcome(_ stage: Stage) throws -> Recorder {
        let client = try stage.connect(host: "127.0.0.1")
        stage.run("an outcome") { client.openedCount == 1 || client.end != nil }
        return client
    }

    @Test(arguments: [true, false])
    func `who is one too many is hung up on before TLS, and others go on`(isByAddress: Bool) throws
    {
        let (stage, census) = try stage {
            if isByAddress {
                $0.connectionCountByAddressMax = 2
            } else {
                $0.connectionCountMax = 2
            }
        }
        let clients = try (0..<3).map { _ in try outcome(stage) }

        #expect(clients.map(\.openedCount) == [1, 1, 0])
        #expect(clients[2].error?.code == .peerVanished)
        #expect(clients[0].end == nil && clients[1].end == nil)
        #expect(census.connectionCount == 2)

        clients[0].connection?.abort()
        stage.run("the release") { census.connectionCount == 1 }
        #expect(try outcome(stage).openedCount == 1)
    }

    @Test func `strangers do not take the room of those who are known`() throws {
        let (stage, census) = try stage(strangerEnd: .vouched) { $0.strangerCountMax = 1 }
        let known = try outcome(stage)
        #expect(try outcome(stage).openedCount == 0)

        stage.server.opened[0].isStranger = false
        let stranger = try outcome(stage)

        #expect(known.end == nil)
        #expect(stranger.openedCount == 1)
        #expect(census.strangerCount == 1)
        #expect(census.connectionCount == 2)
    }

    @Test func `without more to know, who has opened is no stranger`() throws {
        let (stage, census) = try stage { $0.strangerCountMax = 1 }

        for _ in 0..<3 { #expect(try outcome(stage).openedCount == 1) }
        stage.run("all of them") { stage.server.openedCount == 3 }

        #expect(census.strangerCount == 0)
    }

    @Test func `who is silent is a stranger until the time to open is over`() throws {
        let (stage, census) = try stage {
            $0.strangerCountMax = 1
            $0.handshakeTimeout = .milliseconds(50)
        }
        let port = try #require(stage.listener?.port)
        let silent = try RawSocket(port: port)
        stage.run("its admission") { census.strangerCount == 1 }

        stage.run("its end") { census.strangerCount == 0 }
        _ = silent

        #expect(try outcome(stage).openedCount == 1)
    }

    @Test func `an address that a proxy tells is counted instead of the proxy's`() throws {
        let (stage, census) = try stage { $0.connectionCountByAddressMax = 2 }
        let home = try #require(NetworkAddress("192.0.2.1"))
        var refusals: [ConnectionCensus.Refusal] = []
        stage.server.onOpened = { connection in
            do throws(ConnectionCensus.Refusal) {
                try connection.count(from: home)
            } catch {
                refusals.append(error)
            }
        }

        for _ in 0..<3 { _ = try outcome(stage) }
        stage.run("all of them") { stage.server.openedCount == 3 }

        #expect(refusals == [.connectionsByAddress])
        #expect(census.addressCount == 2)
        #expect(census.refusedCount(.connectionsByAddress) == 1)
    }
}
