extension SecureConnection {
    /// Makes sure that the next deadline is not missed. A deadline that moves further away, as with
    /// every byte that comes, costs nothing: the timer finds out when it fires.
    func armTimer() {
        guard phase != .over, let next = nextDeadline else { return }
        if let timer, timer.isArmed, timer.time <= next { return }
        timer?.cancel()
        // Strongly: `release` cancels it, and an object that was ever weakly referred to is counted
        // slowly for the rest of its life.
        timer = loop.schedule(after: next - loop.readClock()) { [self] in timerFired() }
    }

    /// The peer's time to answer begins when everything is written: what was sent before a goodbye
    /// may be much, and the network slow.
    func startCloseTimeout() {
        guard closeDeadline == nil, queuedByteCount == 0 else { return }
        closeDeadline = loop.now + limits.closeTimeout
        armTimer()
    }

    private var nextDeadline: MonotonicTime? {
        guard !isBroken else { return nil }
        switch phase {
        case .securing, .upgrading:
            return requestDeadline ?? startedAt + limits.handshakeTimeout
        case .open:
            var next = pingDeadline
            if let stalledSince { next = min(next, stalledSince + limits.stallTimeout) }
            if let idle = limits.idleTimeout { next = min(next, lastMessageAt + idle) }
            return next
        case .closing, .finishing:
            return closeDeadline ?? stalledSince.map { $0 + limits.stallTimeout }
        case .over:
            return nil
        }
    }

    private var pingDeadline: MonotonicTime {
        lastReceivedAt + limits.pingInterval * (unansweredPingCount + 1)
    }

    private func timerFired() {
        guard let next = nextDeadline else { return }
        if next <= loop.now { deadlinePassed() }
        armTimer()
    }

    private func deadlinePassed() {
        let now = loop.now
        switch phase {
        case .upgrading where requestDeadline != nil:
            finish(.failed(TransportError(.timedOut, "\(peer) asked nothing more.")))
        case .securing, .upgrading:
            fail(TransportError(.timedOut, "\(peer) took too long to open the connection."))
        case .open:
            if let stalledSince, stalledSince + limits.stallTimeout <= now {
                fail(TransportError(.peerTooSlow, "\(peer) does not take what is sent to it."))
            } else if let idle = limits.idleTimeout, lastMessageAt + idle <= now {
                close(.goingAway, reason: "idle")
            } else if pingDeadline <= now {
                pingIsDue()
            }
        case .closing where closeDeadline == nil:
            fail(TransportError(.peerTooSlow, "\(peer) does not take what is sent to it."))
        case .closing:
            fail(TransportError(.timedOut, "\(peer) did not answer our goodbye."))
        case .finishing:
            release()
        case .over:
            break
        }
    }

    private func pingIsDue() {
        // Who does not read cannot see an answer.
        guard isReading else {
            lastReceivedAt = loop.now
            return
        }
        guard unansweredPingCount < limits.missedPingCountMax else {
            return fail(TransportError(.peerVanished, "\(peer) does not answer any more."))
        }
        unansweredPingCount += 1
        traffic.sendPing()
        planFlush()
    }
}
