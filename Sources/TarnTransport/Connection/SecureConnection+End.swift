internal import CLinux
internal import Glibc

extension SecureConnection {
    /// It is over, and the peer is there to be told: what waits is still written.
    func finish(_ end: ConnectionEnd) {
        guard self.end == nil else { return }
        self.end = end
        planFlush()
    }

    /// It is over, and there is nobody to talk to, or nothing to say: what TLS has to say about it
    /// is tried once.
    func fail(_ error: TransportError) {
        isBroken = true
        if phase == .securing, end == nil { loop.counters.handshakesFailed.add(1) }
        if end == nil { end = .failed(error) }
        if error.code == .cancelled { traffic.isGivenUp = true }
        planFlush()
    }

    /// Closing a socket at once would reset it if the peer has sent something, and our last words
    /// would be lost: so both sides end their streams first.
    func continueFinishing() {
        if phase != .finishing {
            phase = .finishing
            closeDeadline = nil
            isReading = true
            updateInterest()
        }
        guard traffic.outgoing.isEmpty, session.outputCount == 0 else { return }
        if !isGoodbyeWritten {
            isGoodbyeWritten = true
            session.sendEnd()
            if session.outputCount > 0 { return planFlush() }
        }
        shutdown(descriptor, Int32(SHUT_WR))
        if isStreamEnded { release() } else { startCloseTimeout() }
    }

    /// Gives everything back to the system.
    func release() {
        guard phase != .over else { return }
        phase = .over
        loop.counters.connections.add(-1)
        loop.counters.bytesQueued.add(-countedQueue)
        countedQueue = 0
        watch?.cancel()
        watch = nil
        timer?.cancel()
        timer = nil
        Glibc.close(descriptor)
        traffic.outgoing.removeAll()
        upgrading = nil
        place?.leave()
        place = nil
        let released = self.released
        self.released = nil
        released?()
    }
}
