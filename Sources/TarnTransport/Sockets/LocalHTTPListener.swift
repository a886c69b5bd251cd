internal import CLinux
internal import Glibc

/// Answers programs on this machine by HTTP without TLS: what it says crosses no network. It
/// belongs to its loop's thread.
package final class LocalHTTPListener {
    package typealias Answer = (HTTPRequest) -> HTTPAnswer

    /// Where it listens; with port 0 asked for, the port that the system chose.
    package let address: SocketAddress

    private let loop: EventLoop
    private let descriptor: Int32
    private let limits: TransportLimits
    private let answer: Answer
    private var watch: DescriptorWatch?
    private var connections: [ObjectIdentifier: LocalHTTPConnection] = [:]

    /// A monitor has one or two connections; more are a mistake of somebody's.
    private static let connectionCountMax = 16

    /// An address that other machines could reach is refused.
    package init(
        on loop: EventLoop, host: String, port: UInt16, limits: TransportLimits = TransportLimits(),
        answer: @escaping Answer
    ) throws(TransportError) {
        self.loop = loop
        self.limits = limits
        self.answer = answer
        let addresses = try Resolver.addresses(of: host, port, flags: AI_PASSIVE)
        guard let own = NetworkAddress(addresses[0]),
            AddressRange.loopback.contains(where: { $0.contains(own) })
        else {
            throw TransportError(
                .badAddress,
                "\(addresses[0]) can be reached by other machines; without TLS only the loopback "
                    + "is listened on, as 127.0.0.1 or [::1].")
        }
        descriptor = try Listener.open(addresses[0], backlog: Self.connectionCountMax)
        guard let address = SocketAddress.local(of: descriptor) else {
            let error = SystemError.last("The port cannot be told")
            close(descriptor)
            throw error
        }
        self.address = address
        do throws(TransportError) {
            watch = try loop.watch(descriptor, .readable) { [weak self] _ in self?.acceptOne() }
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        precondition(watch == nil, "a listener is stopped before it is let go")
    }

    /// Accepts nothing more, and ends what is open.
    package func stop() {
        loop.preconditionOnThread()
        guard let watch else { return }
        watch.cancel()
        self.watch = nil
        close(descriptor)
        for connection in connections.values { connection.release() }
    }

    /// One a turn: nobody is in a hurry here.
    private func acceptOne() {
        var storage = sockaddr_storage()
        var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let accepted = tarn_accept(descriptor, &storage, &byteCount)
        guard accepted >= 0 else { return restIfExhausted() }
        guard connections.count < Self.connectionCountMax else {
            close(accepted)
            return
        }
        let connection = LocalHTTPConnection(
            loop: loop, descriptor: accepted, limits: limits, answer: answer)
        let id = ObjectIdentifier(connection)
        connections[id] = connection
        connection.released = { [weak self] in self?.connections[id] = nil }
        connection.start()
    }

    private func restIfExhausted() {
        guard ![EINTR, ECONNABORTED, EAGAIN].contains(errno) else { return }
        watch?.setInterest([])
        loop.schedule(after: limits.exhaustedPause) { [weak self] in
            self?.watch?.setInterest(.readable)
        }
    }
}
