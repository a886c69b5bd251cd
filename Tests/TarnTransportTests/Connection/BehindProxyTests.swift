import Synchronization
import TarnTransport
import Testing

/// A connection that comes from a proxy, which openssl plays.
@Suite struct BehindProxyTests {
    private func upgrade(
        on stage: Stage, port: UInt16, forwardedFor value: String
    ) throws -> String {
        let result = Mutex<String?>(nil)
        let commands = try EventLoop(name: "commands")
        try commands.startThread()
        let request = ServerUpgradeTests.request(extra: "X-Forwarded-For: \(value)\r\n")
        commands.execute {
            let output = Shell.run(
                """
                printf '\(request.replacing("\r\n", with: "\\r\\n"))' | timeout 5 openssl s_client \
                -quiet -connect 127.0.0.1:\(port) -ign_eof
                """
            ).output
            result.withLock { $0 = output }
        }
        stage.run("the answer") { result.withLock { $0 } != nil }
        commands.stop()
        return result.withLock { $0 } ?? ""
    }

    private func stage(trusted: [String]) throws -> (Stage, UInt16, ConnectionCensus) {
        let stage = try Stage()
        stage.limits.connectionCountByAddressMax = 1
        // openssl says no goodbye.
        stage.limits.closeTimeout = .milliseconds(50)
        stage.limits.httpIdleTimeout = .milliseconds(50)
        let census = ConnectionCensus(limits: stage.limits)
        let policy = UpgradePolicy(trustedProxies: trusted.compactMap { AddressRange($0) })
        let port = try stage.listen(policy: policy, census: census).port
        return (stage, port, census)
    }

    @Test func `a client is who a trusted proxy says, and counts as that`() throws {
        let (stage, port, census) = try stage(trusted: ["127.0.0.0/8"])
        var addresses = -1
        var client: String?
        stage.server.onOpened = { connection in
            client = connection.forwardedFor?.description
            addresses = census.addressCount
            connection.close()
        }

        let output = try upgrade(on: stage, port: port, forwardedFor: "203.0.113.9")

        #expect(output.contains("101 Switching Protocols"))
        #expect(client == "203.0.113.9")
        #expect(addresses == 1)
        stage.run("the release") { census.connectionCount == 0 }
        #expect(census.addressCount == 0)
    }

    @Test func `a client that has too many connections is told so through its proxy`() throws {
        let (stage, port, census) = try stage(trusted: ["127.0.0.1"])
        var second = ""
        var error: (any Error)?
        stage.server.onOpened = { connection in
            do {
                try connection.count(from: try #require(NetworkAddress("203.0.113.9")))
            } catch let failure {
                error = failure
            }
        }
        let first = try stage.connect()
        stage.run("the first") { first.openedCount == 1 && stage.server.openedCount == 1 }

        second = try upgrade(on: stage, port: port, forwardedFor: "203.0.113.9")

        #expect(error == nil)
        #expect(second.contains("503 Service Unavailable"))
        #expect(stage.server.openedCount == 1)
        #expect(census.refusedCount(.connectionsByAddress) == 1)
    }

    @Test func `whoever else says for whom it speaks is not listened to`() throws {
        let (stage, port, census) = try stage(trusted: ["10.0.0.0/8"])
        var client: NetworkAddress?
        stage.server.onOpened = { connection in
            client = connection.forwardedFor
            connection.close()
        }

        let output = try upgrade(on: stage, port: port, forwardedFor: "203.0.113.9")

        #expect(output.contains("101 Switching Protocols"))
        #expect(client == nil)
        #expect(census.addressCount == 0)
    }
}
