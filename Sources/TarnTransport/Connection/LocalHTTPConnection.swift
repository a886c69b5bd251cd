internal import CLinux
internal import Glibc

/// One connection of a program on this machine that asks by HTTP without TLS. While an answer is
/// not taken nothing more is read, so a slow peer costs one answer's memory.
///
/// It lives until it is released, whoever holds it, and belongs to its loop's thread.
final class LocalHTTPConnection {
    private let loop: EventLoop
    private let descriptor: Int32
    private let limits: TransportLimits
    private let answer: LocalHTTPListener.Answer
    private var conversation: HTTPConversation
    private var outgoing = ByteQueue()
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?
    /// Everything is said, and the peer is to end the stream.
    private var isFinishing = false
    /// Called once, when the descriptor is closed.
    var released: (() -> Void)?

    init(
        loop: EventLoop, descriptor: Int32, limits: TransportLimits,
        answer: @escaping LocalHTTPListener.Answer
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.limits = limits
        self.answer = answer
        conversation = HTTPConversation(limits: limits)
    }

    func start() {
        do throws(TransportError) {
            watch = try loop.watch(descriptor, .readable) { [self] in ready($0) }
            wait(for: limits.handshakeTimeout)
        } catch {
            release()
        }
    }

    func release() {
        guard let released else { return }
        self.released = nil
        watch?.cancel()
        watch = nil
        timer?.cancel()
        timer = nil
        close(descriptor)
        released()
    }

    private func wait(for duration: Duration) {
        timer?.cancel()
        timer = loop.schedule(after: duration) { [self] in release() }
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.hungUp) { return release() }
        if readiness.contains(.readable), outgoing.isEmpty { read() }
        if readiness.contains(.writable) { advance() }
    }

    private func read() {
        let scratch = loop.cipherScratch
        let count = Glibc.read(descriptor, scratch.baseAddress, scratch.count)
        if count > 0 {
            // What comes after the last answer is read so that closing does not reset.
            guard !isFinishing else { return }
            conversation.receive(UnsafeRawBufferPointer(rebasing: scratch[..<count]).bytes)
            advance()
        } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
            release()
        }
    }

    /// Writes, and answers what has been asked, one after the other.
    private func advance() {
        guard released != nil else { return }
        while flush(), !conversation.isOver {
            var output: [UInt8] = []
            if let request = conversation.nextRequest(output: &output) {
                conversation.answer(request, answer(request), output: &output)
            }
            guard !output.isEmpty else { break }
            outgoing.append(output)
            wait(for: limits.httpIdleTimeout)
        }
        guard released != nil else { return }
        watch?.setInterest(outgoing.isEmpty ? .readable : .writable)
        guard conversation.isOver, outgoing.isEmpty, !isFinishing else { return }
        isFinishing = true
        shutdown(descriptor, Int32(SHUT_WR))
        wait(for: limits.closeTimeout)
    }

    /// Whether all is written.
    private func flush() -> Bool {
        while !outgoing.isEmpty {
            let count = outgoing.withFront { tarn_send(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                outgoing.removeFirst(count)
            } else if errno == EAGAIN {
                return false
            } else if errno != EINTR {
                release()
                return false
            }
        }
        return true
    }
}
