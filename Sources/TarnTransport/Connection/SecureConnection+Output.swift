internal import CLinux
internal import Glibc

extension SecureConnection: TurnEndHandler {
    /// Four full TLS records: enough to fill a system call, little enough to wait encrypted.
    private static let encryptedByteCount = 65_536

    func planFlush() {
        guard !traffic.isFlushPlanned, phase != .over else { return }
        traffic.isFlushPlanned = true
        loop.atTurnEnd(self)
    }

    func turnEnded() {
        traffic.isFlushPlanned = false
        guard phase != .over else { return }
        flush()
        if traffic.webSocket.answerPing(to: &traffic.outgoing) { planFlush() }
        checkQueue()
        countSent()
        if traffic.hasEnded, let end, !isEndTold {
            isEndTold = true
            let handler = self.handler
            self.handler = nil
            handler?.connectionEnded(end)
        }
        if traffic.mustTellDrained, !traffic.hasEnded,
            queuedByteCount <= limits.outgoingLowWater
        {
            traffic.mustTellDrained = false
            handler?.connectionDrained(self)
        }
        if phase == .closing { startCloseTimeout() }
        guard traffic.hasEnded else { return }
        if isBroken { return release() }
        continueFinishing()
    }

    /// Of what waits, not all is sent by the owner: a peer that asks and never reads makes
    /// WebSocket and TLS answer.
    private func checkQueue() {
        let count = queuedByteCount
        if count > limits.outgoingHighWater { traffic.mustTellDrained = true }
        guard count > limits.outgoingByteCountMax, !traffic.hasEnded else { return }
        fail(TransportError(.peerTooSlow, "\(peer) does not take what is sent to it."))
    }

    private func countSent() {
        if traffic.uncountedCount > 0 {
            loop.counters.messagesSent.add(traffic.uncountedCount)
            traffic.uncountedCount = 0
            lastMessageAt = loop.now
        }
        let count = queuedByteCount
        guard count != countedQueue else { return }
        loop.counters.bytesQueued.add(count - countedQueue)
        countedQueue = count
    }

    /// Writes until all is written or the socket takes no more.
    private func flush() {
        let waited = session.outputCount
        if waited > 0 {
            session.takeOutput { write($0) }
            if session.outputCount < waited { stalledSince = nil }
        }
        while session.outputCount == 0, !traffic.outgoing.isEmpty, phase != .securing {
            let count = min(traffic.outgoing.count, Self.encryptedByteCount)
            do throws(TransportError) {
                try traffic.outgoing.withFront(count) { (bytes) throws(TransportError) in
                    try session.send(bytes, scratch: loop.outgoingScratch) { write($0) }
                }
            } catch {
                return fail(error)
            }
            traffic.outgoing.removeFirst(count)
        }
        if session.outputCount > 0, stalledSince == nil {
            stalledSince = loop.now
            armTimer()
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
        if isReading, !isStreamEnded, !isHandshakePlanned { interest.insert(.readable) }
        if session.outputCount > 0 { interest.insert(.writable) }
        watch?.setInterest(interest)
    }
}
