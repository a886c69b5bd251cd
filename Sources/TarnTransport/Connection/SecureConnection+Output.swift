internal import CLinux
internal import Glibc

extension SecureConnection: TurnEndHandler {
    /// Four full TLS records: enough to fill a system call, little enough to wait encrypted.
    private static let encryptedByteCount = 65_536

    func planFlush() {
        guard !isFlushPlanned, phase != .over else { return }
        isFlushPlanned = true
        loop.atTurnEnd(self)
    }

    func turnEnded() {
        isFlushPlanned = false
        guard phase != .over else { return }
        flush()
        countQueue()
        if let end, !isEndTold {
            isEndTold = true
            let handler = self.handler
            self.handler = nil
            handler?.connectionEnded(end)
        }
        if mustTellDrained, end == nil, queuedByteCount <= limits.outgoingLowWater {
            mustTellDrained = false
            handler?.connectionDrained(self)
        }
        if phase == .closing { startCloseTimeout() }
        guard end != nil else { return }
        if isBroken { return release() }
        continueFinishing()
    }

    private func countQueue() {
        let count = queuedByteCount
        guard count != countedQueue else { return }
        loop.counters.bytesQueued.add(count - countedQueue)
        countedQueue = count
    }

    /// Writes until all is written or the socket takes no more.
    private func flush() {
        while true {
            let before = queuedByteCount
            if session.outputCount > 0 {
                session.takeOutput { write($0) }
                if session.outputCount < before - outgoing.count { stalledSince = nil }
            }
            guard session.outputCount == 0 else {
                if stalledSince == nil {
                    stalledSince = loop.now
                    armTimer()
                }
                break
            }
            guard !outgoing.isEmpty, phase != .securing else { break }
            let count = min(outgoing.count, Self.encryptedByteCount)
            do throws(TransportError) {
                try outgoing.withFront(count) { (bytes) throws(TransportError) in
                    try session.send(bytes)
                }
            } catch {
                return fail(error)
            }
            outgoing.removeFirst(count)
        }
        updateInterest()
    }

    /// How much of it the socket took.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        var offset = 0
        while offset < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
            let count = tarn_send(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                loop.counters.bytesSent.add(count)
                offset += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: return offset
            default:
                fail(
                    SystemError.last("The connection with \(peer) is lost", code: .peerVanished))
                // Nobody will take the rest.
                return bytes.count
            }
        }
        return offset
    }

    func updateInterest() {
        var interest: Readiness = []
        if isReading, !isStreamEnded { interest.insert(.readable) }
        if session.outputCount > 0 { interest.insert(.writable) }
        watch?.setInterest(interest)
    }
}
