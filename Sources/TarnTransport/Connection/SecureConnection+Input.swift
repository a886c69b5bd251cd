internal import CLinux
internal import Glibc

extension SecureConnection {
    func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { planFlush() }
        // A peer that is gone is noticed also by who does not read: what is left is not much.
        if readiness.contains(.hungUp) || readiness.contains(.readable) && isReading {
            readSocket()
        }
    }

    private func readSocket() {
        let scratch = loop.cipherScratch
        var budget = limits.readByteCountPerTurn
        reading: while budget > 0, phase != .over, !isStreamEnded {
            let count = read(descriptor, scratch.baseAddress, scratch.count)
            if count > 0 {
                lastReceivedAt = loop.now
                unansweredPingCount = 0
                take(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
                budget -= count
                // A short read has emptied the socket; asking again would cost a call.
                if count < scratch.count { break }
            } else if count == 0 {
                streamEnded()
            } else {
                switch errno {
                case EINTR: continue
                case EAGAIN: break reading
                default:
                    isStreamEnded = true
                    fail(
                        SystemError.last(
                            "The connection with \(peer) is lost", code: .peerVanished))
                }
            }
        }
        deliver()
    }

    /// Bytes of the network, or none to begin a client's handshake.
    func take(_ bytes: UnsafeRawBufferPointer) {
        guard phase != .finishing, phase != .over, end == nil else { return }
        do throws(TransportError) {
            let state = try session.receive(bytes, scratch: loop.plainScratch) { route($0) }
            if state != .handshaking { becomeSecure() }
            if state == .ended, webSocket.state != .closed {
                finish(.failed(goneWithoutGoodbye))
            }
        } catch {
            fail(error)
        }
        if session.outputCount > 0 || !outgoing.isEmpty { planFlush() }
    }

    private func becomeSecure() {
        guard phase == .securing else { return }
        phase = .upgrading
        if let clientUpgrade { outgoing.append(clientUpgrade.request) }
    }

    private func route(_ plain: UnsafeRawBufferPointer) {
        becomeSecure()
        guard end == nil else { return }
        switch phase {
        case .upgrading: continueUpgrade(plain.bytes)
        case .open, .closing: webSocket.receive(plain.bytes, events: &events, output: &outgoing)
        case .securing, .finishing, .over: break
        }
    }

    private func continueUpgrade(_ bytes: RawSpan) {
        if let outcome = serverUpgrade?.receive(bytes) {
            switch outcome {
            case .upgraded(let subprotocol, let answer, let rest):
                outgoing.append(answer)
                opened(subprotocol, rest: rest)
            case .answered(let answer):
                outgoing.append(answer)
                finish(.failed(TransportError(.upgradeRefused, "\(peer) was given an answer.")))
            }
        } else if clientUpgrade != nil {
            do throws(TransportError) {
                guard let opening = try clientUpgrade?.receive(bytes) else { return }
                opened(opening.subprotocol, rest: opening.rest)
            } catch {
                finish(.failed(error))
            }
        }
    }

    private func opened(_ subprotocol: String, rest: [UInt8]) {
        self.subprotocol = subprotocol
        phase = .open
        serverUpgrade = nil
        clientUpgrade = nil
        mustTellOpened = true
        lastMessageAt = loop.now
        armTimer()
        webSocket.receive(rest.span.bytes, events: &events, output: &outgoing)
    }

    /// Tells the handler what came, when nothing of ours is in the middle of anything.
    private func deliver() {
        if mustTellOpened {
            mustTellOpened = false
            if handler == nil { handler = makeHandler?(self) }
            makeHandler = nil
            guard handler != nil else { return close(.tryAgainLater) }
            handler?.connectionOpened(self)
        }
        guard !events.isEmpty else { return }
        var messages: [WebSocketMessage] = []
        var last: ConnectionEnd?
        for event in events {
            switch event {
            case .message(let message): messages.append(message)
            case .pong: break
            case .closed(let close): last = .closed(close)
            case .failed(let violation):
                last = .failed(
                    TransportError(.protocolViolation, "\(peer) broke the protocol: \(violation)."))
            }
        }
        events.removeAll(keepingCapacity: events.count <= 64)
        if !messages.isEmpty, isStillWanted {
            lastMessageAt = loop.now
            handler?.connectionReceived(messages, on: self)
        }
        if let last { finish(last) }
        if !outgoing.isEmpty { planFlush() }
    }

    /// What came before the end is delivered, unless it was the owner who ended it.
    private var isStillWanted: Bool {
        if case .failed(let error) = end { return error.code != .cancelled }
        return true
    }

    private func streamEnded() {
        isStreamEnded = true
        if phase == .finishing {
            // It may still read what is on its way to it.
            if queuedByteCount == 0 { release() } else { updateInterest() }
        } else if events.isEmpty || webSocket.state != .closed {
            fail(goneWithoutGoodbye)
        }
    }

    private var goneWithoutGoodbye: TransportError {
        let when =
            switch phase {
            case .securing: "while the connection was being secured"
            case .upgrading: "instead of answering"
            case .open, .closing, .finishing, .over: "without a goodbye"
            }
        return TransportError(.peerVanished, "\(peer) ended the connection \(when).")
    }
}
