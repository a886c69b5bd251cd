import Synchronization
import TarnTesting
import TarnTransport
import Testing

/// Going on from an earlier session verifies nothing, so it must never get around what a full
/// handshake would have found.
@Suite struct ResumptionTests {
    private let server: TLSServerContext
    private let authority = TLSClientContext.Trust.authority(Certificates.shared.authority)

    init() throws {
        server = try Certificates.shared.credentials()
    }

    /// A whole handshake, with the ticket that comes after it.
    private func client(
        _ context: TLSClientContext, of server: TLSServerContext? = nil,
        host: String = "localhost", port: UInt16 = 1
    ) throws -> TLSSide {
        let client = try TLSSide(TLSSession(client: context, host: host, port: port))
        let other = try TLSSide(TLSSession(server: server ?? self.server))
        client.receive([])
        client.exchange(with: other)
        return client
    }

    private func isResumed(
        _ context: TLSClientContext, of server: TLSServerContext? = nil,
        host: String = "localhost", port: UInt16 = 1
    ) throws -> Bool {
        let client = try client(context, of: server, host: host, port: port)
        #expect(client.state == .established)
        return client.isResumed
    }

    /// Seconds since 1970 that a test sets.
    private final class Clock: Sendable {
        let time: Atomic<Int64>

        init(_ time: Int64) { self.time = Atomic(time) }

        func set(_ time: Int64) { self.time.store(time, ordering: .relaxed) }

        var now: @Sendable () -> Int64 { { self.time.load(ordering: .relaxed) } }
    }

    @Test func `each session goes on from the one before`() throws {
        let context = try TLSClientContext(trust: authority)

        let first = try client(context)
        let later = try (1...3).map { _ in try client(context) }

        #expect(!first.isResumed)
        #expect(later.allSatisfy { $0.isResumed })
        #expect(later[0].session.peerFingerprint == (try Certificates.shared.fingerprint()))
    }

    @Test func `a session that goes on carries bytes`() throws {
        let context = try TLSClientContext(trust: authority)
        _ = try client(context)
        let one = try TLSSide(TLSSession(client: context, host: "localhost", port: 1))
        let other = try TLSSide(TLSSession(server: server))
        one.receive([])
        one.exchange(with: other)

        try one.send([1, 2, 3])
        try other.send([4])
        one.exchange(with: other)

        #expect(one.isResumed && other.isResumed)
        #expect(other.plain == [1, 2, 3] && one.plain == [4])
    }

    @Test func `a ticket is used once`() throws {
        let context = try TLSClientContext(trust: authority)
        _ = try client(context)

        let offering = try TLSSession(client: context, host: "localhost", port: 1)
        let isSecondResumed = try isResumed(context)

        #expect(!isSecondResumed)
        #expect(offering.outputCount == 0)
    }

    @Test func `who does not wish it makes full handshakes`() throws {
        let context = try TLSClientContext(trust: authority, resumes: false)

        #expect(try !isResumed(context))
        #expect(try !isResumed(context))
    }

    @Test func `the tickets of many servers are bounded, and the oldest goes`() throws {
        let context = try TLSClientContext(trust: authority)
        for port in 1...33 { _ = try client(context, port: UInt16(port)) }

        #expect(try !isResumed(context, port: 1))
        #expect(try isResumed(context, port: 33))
    }

    @Test func `another port is another server`() throws {
        let context = try TLSClientContext(trust: authority)
        _ = try client(context, port: 1)

        #expect(try !isResumed(context, port: 2))
    }

    @Test func `another name is verified anew`() throws {
        let context = try TLSClientContext(trust: authority)
        _ = try client(context)

        #expect(try !isResumed(context, host: "127.0.0.1"))
        let wrong = try client(context, host: "example.org")

        #expect(wrong.error?.code == .wrongHostName)
    }

    @Test func `another trust is verified anew`() throws {
        _ = try client(TLSClientContext(trust: authority))
        let other = try #require(try Certificates.shared.fingerprint("other"))

        let stranger = try client(
            TLSClientContext(trust: .authority(Certificates.shared.strangersAuthority)))
        let pinned = try client(TLSClientContext(trust: .pinned(other)))

        #expect(stranger.error?.code == .untrustedCertificate)
        #expect(pinned.error?.code == .wrongFingerprint)
    }

    @Test func `a context tells when its authorities are others now`() throws {
        let folder = TemporaryFolder("tarn-authority")
        let path = folder.file("ca.pem")
        let copy = { (from: String) in _ = Shell.run("cp '\(from)' '\(path)'") }
        copy(Certificates.shared.authority)
        let context = try TLSClientContext(trust: .authority(path))
        let wasCurrent = context.isCurrent

        copy(Certificates.shared.strangersAuthority)

        #expect(wasCurrent && !context.isCurrent)
        #expect(try TLSClientContext(trust: .system).isCurrent)
    }

    @Test func `a pinned certificate is the one that the session remembers`() throws {
        let fingerprint = try #require(try Certificates.shared.fingerprint())
        let context = try TLSClientContext(trust: .pinned(fingerprint))
        _ = try client(context)

        let again = try client(context)

        #expect(again.isResumed)
        #expect(again.session.peerFingerprint == fingerprint)
    }

    @Test func `a server that took the place of another is verified, ticket or not`() throws {
        let shared = Certificates.shared
        let context = try TLSClientContext(trust: authority)
        _ = try client(context)
        let thief = try TLSServerContext(
            certificatePath: shared.stranger.file("server.pem"),
            keyPath: shared.stranger.file("server.key"))

        let client = try client(context, of: thief)

        #expect(client.error?.code == .untrustedCertificate)
        #expect(client.state == .handshaking)
    }

    @Test func `a session ends with the certificate that was verified for it`() throws {
        let end = server.validityEnd
        let clock = Clock(end - 3600)
        let context = try TLSClientContext(trust: authority, now: clock.now)
        _ = try client(context)

        clock.set(end - 1)
        #expect(try isResumed(context))
        clock.set(end)
        #expect(try !isResumed(context))
    }

    @Test func `a certificate is verified again after a day, however often it went on`() throws {
        let clock = Clock(1_800_000_000)
        let context = try TLSClientContext(trust: authority, now: clock.now)
        _ = try client(context)

        for hour: Int64 in [1, 12, 23] {
            clock.set(1_800_000_000 + hour * 3600)
            #expect(try isResumed(context))
        }
        clock.set(1_800_000_000 + 24 * 3600)
        #expect(try !isResumed(context))
        #expect(try isResumed(context))
    }

    @Test func `after a certificate was renewed nobody goes on from before`() throws {
        let context = try TLSClientContext(trust: authority)
        _ = try client(context)

        let renewed = try Certificates.shared.credentials()

        #expect(try !isResumed(context, of: renewed))
        #expect(try isResumed(context, of: renewed))
    }

    @Test func `the key of a ticket changes, and the last one serves for a while`() throws {
        let clock = Clock(0)
        let start = MonotonicTime.now()
        let keys = TicketKeys(period: .seconds(100)) { start + .seconds(clock.now()) }
        let server = try Certificates.shared.credentials(ticketKeys: keys)
        let context = try TLSClientContext(trust: authority)
        _ = try client(context, of: server)

        clock.set(150)
        #expect(try isResumed(context, of: server))
        clock.set(249)
        #expect(try isResumed(context, of: server))
        clock.set(500)
        #expect(try !isResumed(context, of: server))
    }
}
