import TarnTransport

/// The listener of `/metrics`, with a thread of its own: to gather figures may take a while, and
/// nobody's messages should wait for it.
///
/// It crosses threads: once its loop runs, the listener is touched there alone. That is why it is
/// Sendable without the compiler's proof.
final class MetricsServer: @unchecked Sendable {
    private let loop: EventLoop
    private let listener: LocalHTTPListener

    /// Listens; nobody is answered yet.
    init(at endpoint: Endpoint, page: MetricsPage) throws(TransportError) {
        loop = try EventLoop(name: "metrics")
        listener = try LocalHTTPListener(on: loop, host: endpoint.host, port: endpoint.port) {
            page.answer($0)
        }
    }

    var address: String { "\(listener.address)" }

    func start() throws(TransportError) { try loop.startThread() }

    func stop() {
        loop.execute { [self] in
            listener.stop()
            loop.stop()
        }
    }

    /// Before it was started.
    func giveUp() { listener.stop() }
}
