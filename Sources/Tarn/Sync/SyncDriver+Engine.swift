import TarnClient
import TarnProtocol
import TarnStorage
import TarnTransport

/// What the engine is told, and what it wants done.
extension SyncDriver {
    func tell(_ event: SyncEvent) {
        // It is out of reach while it works, so that nothing it causes can come between.
        guard var engine = engine.take() else { return }
        let actions = engine.handle(event, at: now(), random: &random)
        self.engine = engine
        for action in actions {
            // What an action makes a listener do may have ended this session.
            guard self.engine != nil else { return }
            carryOut(action)
        }
    }

    private func carryOut(_ action: SyncAction) {
        switch action {
        case .connect: connect()
        case .send(let message): link?.send(message)
        case .disconnect:
            link?.letGo(within: TarnLimits.goodbye)
            link = nil
            isFresh = false
        case .wake(let milliseconds):
            engineTimer?.cancel()
            engineTimer = loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in
                self?.tell(.timer)
            }
        case .replicaChanged:
            isFresh = true
            shared.announce()
            notice()
        case .statusChanged(var status):
            shared.announce()
            let stored = try? ReplicaMark(shared).status
            status.upToDate = stored?.upToDate ?? status.upToDate
            status.progress = stored?.progress
            show(status)
        case .loggedIn(_, let token): keep(token)
        case .loginNeeded(let error): askForLogin(error)
        case .stopped(let error):
            // Where another process has taken over this one has to follow, and nothing is wrong.
            if error.code == .fenced { look() }
            guard case .leading = role else { return }
            fault = TarnError(error)
            hear(.statusChanged(status))
        }
    }

    private func connect() {
        let trust: TLSClientContext
        do throws(TransportError) {
            trust = try currentTrust()
        } catch {
            let reason = ConnectionEnd.failed(error).reason
            // Not at once: the engine is still listing what it wants.
            loop.schedule(after: .zero) { [weak self] in self?.tell(.disconnected(reason)) }
            return
        }
        let link = ServerLink(on: loop) { [weak self] event in self?.heard(event) }
        self.link = link
        link.connect(to: account.server, trust: trust)
    }

    private func currentTrust() throws(TransportError) -> TLSClientContext {
        if let trust, trust.trust == account.trust, trust.isCurrent { return trust }
        let trust = try TLSClientContext(trust: account.trust)
        self.trust = trust
        return trust
    }

    private func heard(_ event: ServerLink.Event) {
        switch event {
        case .opened: tell(.connected)
        case .received(let message): tell(.received(message))
        // The channel's credit keeps what waits below what a connection takes.
        case .drained: break
        case .ended(let end):
            link = nil
            tell(.disconnected(end.reason))
        }
    }

    private func keep(_ token: String) {
        account.token = token
        do throws(TarnError) {
            try profile.alone { () throws(TarnError) in
                // A logout in another process is not taken back.
                guard try profile.account()?.user == account.user else { return }
                try profile.save(account)
            }
        } catch {
            show(
                SyncStatus(
                    connection: status.connection, upToDate: status.upToDate,
                    problem: error.description))
        }
    }

    private func askForLogin(_ error: ProtocolError?) {
        fault = error.map(TarnError.init) ?? TarnError(.notLoggedIn, "nobody is logged in.")
        hear(.statusChanged(status))
        // Not at once: the engine is still listing what it wants.
        loop.schedule(after: .zero) { [weak self] in self?.mendLogin() }
    }

    /// Somebody may have logged in again, in another process.
    func mendLogin() {
        guard fault?.code == .loginRefused || fault?.code == .notLoggedIn,
            let known = try? profile.account(), known.user == account.user,
            known.token != account.token
        else { return }
        account = known
        fault = nil
        tell(.credentials(.token(known.token)))
    }
}
