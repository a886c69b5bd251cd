internal import CLinux
internal import Glibc

extension SecureConnection: HandshakeHandler {
    func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { planFlush() }
        // A peer that is gone is noticed also by who does not read: what is left is not much.
        guard readiness.contains(.hungUp) || readiness.contains(.readable) && isReading else {
            return
        }
        if phase == .securing { planHandshake() } else { readSocket() }
    }

    /// What comes is left in the socket until it is this handshake's turn.
    private func planHandshake() {
        guard !isHandshakePlanned else { return }
        isHandshakePlanned = true
        updateInterest()
        loop.whenHandshakesMayGoOn(self)
    }

    func continueHandshake() {
        isHandshakePlanned = false
        guard phase != .over else { return }
        readSocket()
        updateInterest()
    }

    private func readSocket() {
        let scratch = loop.cipherScratch
        var budget = limits.readByteCountPerTurn
        reading: while budget > 0, phase != .over, !isStreamEnded {
            let room = min(scratch.count, budget)
            let count = read(descriptor, scratch.baseAddress, room)
            if count > 0 {
                loop.counters.bytesReceived.add(count)
                lastReceivedAt = loop.now
                unansweredPingCount = 0
                take(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
                budget -= count
                // A short read has emptied the socket; asking again would cost a call.
                if count < room { break }
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
        caughtUp()
    }

    /// Bytes of the network, or none to begin a client's handshake.
    func take(_ bytes: UnsafeRawBufferPointer) {
        guard phase != .finishing, phase != .over, !traffic.hasEnded else { return }
        do throws(TransportError) {
            let state = try session.receive(bytes, scratch: loop.plainScratch) { route($0) }
            if state != .handshaking { becomeSecure() }
            if state == .ended, traffic.webSocket.isReading {
                finish(.failed(goneWithoutGoodbye))
            }
        } catch {
            fail(error)
        }
        if session.outputCount > 0 || !traffic.outgoing.isEmpty { planFlush() }
    }

    private func becomeSecure() {
        guard phase == .securing else { return }
        phase = .upgrading
        loop.counters.handshakesDone.add(1)
        if let client = upgrading?.client { traffic.outgoing.append(client.request) }
    }

    private func route(_ plain: UnsafeMutableRawBufferPointer) {
        becomeSecure()
        guard !traffic.hasEnded else { return }
        switch phase {
        case .upgrading: continueUpgrade(UnsafeRawBufferPointer(plain).bytes)
        case .open, .closing: deliver(plain)
        case .securing, .finishing, .over: break
        }
    }

    private func continueUpgrade(_ bytes: RawSpan) {
        let outcome = upgrading?.server?.receive(bytes, from: NetworkAddress(peer)) { admit($0) }
        if let outcome {
            switch outcome {
            case .upgraded(let subprotocol, let answer, let rest):
                traffic.outgoing.append(answer)
                opened(subprotocol, rest: rest)
            case .answered(let answer):
                traffic.outgoing.append(answer)
                requestDeadline = loop.now + limits.httpIdleTimeout
                armTimer()
            case .ended(let answer):
                traffic.outgoing.append(answer)
                finish(.failed(TransportError(.upgradeRefused, "\(peer) was given an answer.")))
            }
        } else if upgrading?.client != nil {
            do throws(TransportError) {
                guard let opening = try upgrading?.client?.receive(bytes) else { return }
                opened(opening.subprotocol, rest: opening.rest)
            } catch {
                finish(.failed(error))
            }
        }
    }

    /// A proxy speaks for somebody, whom the connection counts as from now on.
    private func admit(_ client: NetworkAddress) -> HTTPAnswer? {
        do throws(ConnectionCensus.Refusal) {
            try count(from: client)
            forwardedFor = client
            return nil
        } catch {
            return .refusal(503, "Too many connections come from this address.")
        }
    }

    private func opened(_ subprotocol: String, rest: [UInt8]) {
        self.subprotocol = subprotocol
        phase = .open
        if place?.strangerEnd == .opened { place?.setStranger(false) }
        lastMessageAt = loop.now
        armTimer()
        if handler == nil { handler = upgrading?.makeHandler?(self) }
        upgrading = nil
        guard let handler else { return close(.tryAgainLater) }
        handler.connectionOpened(self)
        guard !rest.isEmpty else { return }
        var rest = rest
        rest.withUnsafeMutableBytes { deliver($0) }
    }

    /// Tells the handler what came, message by message, where it lies.
    private func deliver(_ plain: UnsafeMutableRawBufferPointer) {
        // It stays the same: a handler is let go at the end of a turn.
        let handler = traffic.handler
        var offset = 0
        while let input = traffic.webSocket.next(
            plain, offset: &offset, output: &traffic.outgoing)
        {
            switch input {
            case .message(let kind, let payload): tell(handler, payload.bytes, kind)
            case .assembled(let message): tell(handler, message.payload.span.bytes, message.kind)
            case .pong: break
            case .closed(let close): lastWords = .closed(close)
            case .failed(let violation):
                lastWords = .failed(
                    TransportError(.protocolViolation, "\(peer) broke the protocol: \(violation)."))
            }
        }
    }

    private func tell(
        _ handler: (any ConnectionHandler)?, _ payload: RawSpan, _ kind: WebSocketMessage.Kind
    ) {
        // What came before the end is told, unless it was the owner who ended it.
        guard !traffic.isGivenUp else { return }
        traffic.untoldCount += 1
        handler?.connectionReceived(payload, as: kind, on: self)
    }

    /// The end of what could be read in this turn.
    private func caughtUp() {
        let count = traffic.untoldCount
        if count > 0 {
            traffic.untoldCount = 0
            loop.counters.messagesReceived.add(count)
            lastMessageAt = loop.now
            handler?.connectionCaughtUp(self)
        }
        if let lastWords {
            self.lastWords = nil
            traffic.webSocket.sendLastWords(to: &traffic.outgoing)
            finish(lastWords)
        }
        if !traffic.outgoing.isEmpty { planFlush() }
    }

    private func streamEnded() {
        isStreamEnded = true
        if phase == .finishing {
            // It may still read what is on its way to it.
            if queuedByteCount == 0 { release() } else { updateInterest() }
        } else if lastWords == nil || traffic.webSocket.isReading {
            fail(goneWithoutGoodbye)
        }
    }

    /// Whoever ends TLS first has at least meant it; without that, anybody on the way may have cut.
    private var goneWithoutGoodbye: TransportError {
        let when =
            switch phase {
            case .securing: "while the connection was being secured"
            case .upgrading: "instead of answering"
            case .open, .closing, .finishing, .over:
                isStreamEnded ? "without ending TLS, as if it was cut" : "without a goodbye"
            }
        return TransportError(.peerVanished, "\(peer) ended the connection \(when).")
    }
}
