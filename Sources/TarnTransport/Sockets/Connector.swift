internal import CLinux
internal import Glibc

/// Makes one connection to a server: finds the name, tries its addresses in turn, and hands the
/// socket on. Its handler hears of the end whether or not it was ever opened. It belongs to its
/// loop's thread, which every entrance checks; it is Sendable, without the compiler's proof, so
/// that the answer to a look-up, which comes as a job, can hold it.
package final class Connector: @unchecked Sendable {
    private let endpoint: Endpoint
    private let loop: EventLoop
    private let trust: TLSClientContext
    private let subprotocols: [String]
    private let limits: TransportLimits
    private let deadline: MonotonicTime

    private var handler: (any ConnectionHandler)?
    private var connection: SecureConnection?
    private var addresses: ArraySlice<SocketAddress> = []
    private var descriptor: Int32 = -1
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?
    private var lastError: TransportError?

    /// What one address may take while others are left to try.
    private static let attemptTimeout = Duration.seconds(3)

    /// Begins at once. The deadline is for the socket; TLS and the upgrade have `handshakeTimeout`.
    @discardableResult
    package init(
        to endpoint: Endpoint, on loop: EventLoop, trust: TLSClientContext,
        subprotocols: [String] = ["tarn.1"], limits: TransportLimits = TransportLimits(),
        deadline: Duration = .seconds(10), handler: any ConnectionHandler
    ) {
        loop.preconditionOnThread()
        self.endpoint = endpoint
        self.loop = loop
        self.trust = trust
        self.subprotocols = subprotocols
        self.limits = limits
        self.handler = handler
        self.deadline = loop.readClock() + deadline
        timer = loop.schedule(after: deadline) { [self] in timeIsUp() }
        // Its answer may come at once, and the caller must have returned by then.
        loop.execute { [self] in resolve() }
    }

    /// Gives it up, connected or not; the handler is told.
    package func cancel() {
        loop.preconditionOnThread()
        if let connection { return connection.abort() }
        give(up: TransportError(.cancelled, "The connection was given up."))
    }

    private func resolve() {
        guard endpoint.isWellFormed else {
            return give(up: TransportError(.badAddress, "“\(endpoint)” is no address of a server."))
        }
        Resolver.resolve(endpoint, on: loop) { [self] result in
            guard handler != nil else { return }
            switch result {
            case .success(let found):
                addresses = found[...]
                tryNext()
            case .failure(let error):
                give(up: error)
            }
        }
    }

    private func tryNext() {
        abandonAttempt()
        guard let address = addresses.popFirst() else {
            return give(
                up: lastError ?? TransportError(.unreachable, "\(endpoint) cannot be reached."))
        }
        descriptor = tarn_socket_stream(address.family)
        if descriptor >= 0, let count = limits.socketReceiveByteCount {
            // Before it connects: what was offered to the peer cannot be taken back.
            var count = Int32(clamping: count)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &count, 4)
        }
        var storage = address.storage
        if descriptor >= 0, tarn_connect(descriptor, &storage, address.byteCount) == 0 {
            return connected(to: address)
        }
        guard descriptor >= 0, errno == EINPROGRESS else {
            lastError = SystemError.last("\(endpoint) cannot be reached", code: .unreachable)
            return tryNext()
        }
        do throws(TransportError) {
            watch = try loop.watch(descriptor, .writable) { [self] _ in attemptEnded(address) }
        } catch {
            lastError = error
            return tryNext()
        }
        guard !addresses.isEmpty else { return }
        // By its watch, as the next attempt may have a descriptor of the same number.
        let attempt = watch
        loop.schedule(after: Self.attemptTimeout) { [weak self] in
            guard let self, let attempt, watch === attempt else { return }
            lastError = TransportError(.timedOut, "\(address) did not answer in time.")
            tryNext()
        }
    }

    private func attemptEnded(_ address: SocketAddress) {
        var number: Int32 = 0
        var byteCount = socklen_t(4)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &byteCount)
        guard number == 0 else {
            lastError = SystemError.numbered(
                number, "\(endpoint) cannot be reached", code: .unreachable)
            return tryNext()
        }
        connected(to: address)
    }

    private func connected(to address: SocketAddress) {
        guard let handler else { return }
        let descriptor = self.descriptor
        watch?.cancel()
        watch = nil
        self.descriptor = -1
        do throws(TransportError) {
            let session = try TLSSession(
                client: trust, host: endpoint.host, port: endpoint.port)
            var generator = SecureGenerator()
            let upgrade = ClientUpgrade(
                host: endpoint.host, port: endpoint.port, path: endpoint.path,
                subprotocols: subprotocols, key: generator.bytes(16), limits: limits)
            let connection = SecureConnection(
                loop: loop, descriptor: descriptor, peer: address, session: session,
                upgrade: .client(upgrade, handler), limits: SharedLimits(limits))
            self.connection = connection
            letGo()
            connection.start()
        } catch {
            close(descriptor)
            give(up: error)
        }
    }

    private func timeIsUp() {
        give(up: TransportError(.timedOut, "\(endpoint) could not be reached in time."))
    }

    private func give(up error: TransportError) {
        guard let handler else { return }
        abandonAttempt()
        letGo()
        handler.connectionEnded(.failed(error))
    }

    private func abandonAttempt() {
        watch?.cancel()
        watch = nil
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func letGo() {
        timer?.cancel()
        timer = nil
        handler = nil
        addresses = []
    }
}
