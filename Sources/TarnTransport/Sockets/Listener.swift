internal import CLinux
internal import Glibc
internal import Synchronization

/// Accepts connections on one port and makes them WebSockets over TLS. It belongs to its loop's
/// thread; the connections are dealt in turn to the loops that it is given.
package final class Listener {
    /// Makes the handler of a connection that has just opened, on the thread of its loop. Nil
    /// refuses it.
    package typealias Accept = @Sendable (SecureConnection) -> (any ConnectionHandler)?

    /// Where it listens; with port 0 asked for, the port that the system chose.
    package let address: SocketAddress
    package var port: UInt16 { address.port }

    private let loop: EventLoop
    private let descriptor: Int32
    private let policy: UpgradePolicy
    private let limits: TransportLimits
    private let shared: SharedLimits
    private let accept: Accept
    private var credentials: TLSServerContext
    /// Of this listener, and of others that it is shared with.
    package let census: ConnectionCensus
    private let dealer: LoopDealer
    private var watch: DescriptorWatch?
    /// Given up when there are no descriptors left, so that one more can be accepted and closed.
    private var reserve: Int32 = -1
    private var isExhausted = false

    /// Without a host it listens on all addresses, of IPv6 and IPv4. Connections live on `loop` if
    /// there are no others for them, and count in a census of their own if they are given none.
    package init(
        on loop: EventLoop, host: String? = nil, port: UInt16, credentials: TLSServerContext,
        policy: UpgradePolicy = UpgradePolicy(), limits: TransportLimits = TransportLimits(),
        connectionLoops: [EventLoop] = [], census: ConnectionCensus? = nil,
        accept: @escaping Accept
    ) throws(TransportError) {
        self.loop = loop
        dealer = LoopDealer(connectionLoops.isEmpty ? [loop] : connectionLoops)
        self.census = census ?? ConnectionCensus(limits: limits)
        self.credentials = credentials
        self.policy = policy
        self.limits = limits
        shared = SharedLimits(limits)
        self.accept = accept
        descriptor = try Self.open(host: host, port: port, backlog: limits.backlogCountMax)
        guard let address = SocketAddress.local(of: descriptor) else {
            let error = SystemError.last("The port cannot be told")
            close(descriptor)
            throw error
        }
        self.address = address
        reserve = Self.openReserve()
        do throws(TransportError) {
            watch = try loop.watch(descriptor, .readable) { [weak self] _ in self?.acceptAll() }
        } catch {
            close(descriptor)
            closeReserve()
            throw error
        }
    }

    deinit {
        precondition(watch == nil, "a listener is stopped before it is let go")
    }

    /// Of all time, also those that never became a WebSocket.
    package private(set) var acceptedCount = 0

    /// Hung up on since there was no descriptor for them.
    package private(set) var turnedAwayCount = 0

    /// Of now, also those that are not a WebSocket yet or any more.
    package var connectionCount: Int { dealer.connectionCount }

    /// New connections are shown another certificate, which has been renewed.
    package func use(_ credentials: TLSServerContext) {
        loop.preconditionOnThread()
        self.credentials = credentials
    }

    /// Accepts nothing more. Connections go on; their handlers end them.
    package func stop() {
        loop.preconditionOnThread()
        guard let watch else { return }
        watch.cancel()
        self.watch = nil
        close(descriptor)
        closeReserve()
    }

    // MARK: - Opening

    private static func open(
        host: String?, port: UInt16, backlog: Int
    ) throws(TransportError) -> Int32 {
        if let host {
            let addresses = try Resolver.addresses(of: host, port, flags: AI_PASSIVE)
            return try open(addresses[0], backlog: backlog)
        }
        do throws(TransportError) {
            let everywhere = try Resolver.addresses(
                of: "::", port, flags: AI_PASSIVE | AI_NUMERICHOST)
            return try open(everywhere[0], backlog: backlog)
        } catch {
            // A machine may have no IPv6; a port in use is in use with IPv4 as well.
            guard error.code != .addressInUse else { throw error }
            let everywhere = try Resolver.addresses(
                of: "0.0.0.0", port, flags: AI_PASSIVE | AI_NUMERICHOST)
            return try open(everywhere[0], backlog: backlog)
        }
    }

    static func open(
        _ address: SocketAddress, backlog: Int
    ) throws(TransportError) -> Int32 {
        let descriptor = tarn_socket_stream(address.family)
        guard descriptor >= 0 else { throw SystemError.last("A socket cannot be made") }
        var one: Int32 = 1
        var zero: Int32 = 0
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        if address.family == AF_INET6 {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &zero, 4)
        }
        var storage = address.storage
        if tarn_bind(descriptor, &storage, address.byteCount) == 0,
            listen(descriptor, Int32(clamping: backlog)) == 0
        {
            return descriptor
        }
        let number = errno
        close(descriptor)
        if number == EADDRINUSE {
            throw TransportError(
                .addressInUse,
                "Another program listens on \(address) already; choose another port or stop it.")
        }
        throw SystemError.numbered(
            number, "\(address) cannot be listened on", code: .badAddress)
    }

    // MARK: - Accepting

    private func acceptAll() {
        // As many as a turn should take, half a millisecond; the rest comes with the next.
        for _ in 0..<16 {
            var storage = sockaddr_storage()
            var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let accepted = tarn_accept(descriptor, &storage, &byteCount)
            if accepted >= 0 {
                isExhausted = false
                if reserve < 0 { reserve = Self.openReserve() }
                admit(accepted, SocketAddress(storage: storage, byteCount: byteCount))
                continue
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return
            default: return rest()
            }
        }
    }

    /// Descriptors or memory have run out. The waiting connections would wake us without end, so
    /// they are not looked at for a while; if there is none then either, they are turned away.
    private func rest() {
        if isExhausted { turnAway() }
        isExhausted = true
        watch?.setInterest([])
        loop.schedule(after: limits.exhaustedPause) { [weak self] in
            self?.watch?.setInterest(.readable)
        }
    }

    /// Who would wait without end sees an end instead, and tries again later, here or elsewhere.
    private func turnAway() {
        closeReserve()
        for _ in 0..<max(limits.backlogCountMax, 1) {
            var storage = sockaddr_storage()
            var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let accepted = tarn_accept(descriptor, &storage, &byteCount)
            guard accepted >= 0 || errno == EINTR || errno == ECONNABORTED else { break }
            guard accepted >= 0 else { continue }
            close(accepted)
            turnedAwayCount += 1
        }
        reserve = Self.openReserve()
    }

    /// -1 where there is none any more; then all wait.
    private static func openReserve() -> Int32 { tarn_open_nothing() }

    private func closeReserve() {
        if reserve >= 0 { close(reserve) }
        reserve = -1
    }

    private func admit(_ accepted: Int32, _ peer: SocketAddress) {
        acceptedCount += 1
        loop.counters.connectionsAccepted.add(1)
        let place: ConnectionPlace
        do throws(ConnectionCensus.Refusal) {
            place = try census.admit(NetworkAddress(peer))
        } catch {
            // Before TLS: a handshake for the sake of a refusal would cost what is short.
            close(accepted)
            return
        }
        let target = dealer.next()
        let job: EventLoop.Job = { [credentials, policy, shared, accept, dealer] in
            guard let session = try? TLSSession(server: credentials) else {
                close(accepted)
                place.leave()
                dealer.ended(on: target)
                return
            }
            let connection = SecureConnection(
                loop: target.loop, descriptor: accepted, peer: peer, session: session,
                upgrade: .server(
                    ServerUpgrade(policy: policy, limits: shared.values), makeHandler: accept),
                limits: shared)
            connection.place = place
            connection.released = { dealer.ended(on: target) }
            connection.start()
        }
        if target.loop === loop { job() } else { target.loop.execute(job) }
    }
}
