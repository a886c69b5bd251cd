import TarnClient
import TarnProtocol
import TarnTransport

/// One short connection that logs somebody in or out, run on the current thread.
final class LoginConversation {
    enum Answer {
        case loggedIn(user: String, token: String?)
        case loggedOut
    }

    /// Kept apart, since the certificate's refusal can be mended by asking.
    enum Failure: Error {
        case certificate(TransportError)
        case other(TarnError)
    }

    private let loop: EventLoop
    private let server: Endpoint
    private var exchange: LoginExchange
    private let program: String
    private var link: ServerLink?
    private var result: Result<Answer, Failure>?

    /// - Throws: also for what the protocol has no room for, before anything is sent.
    static func hold(
        with server: Endpoint, trust: TLSClientContext.Trust, goal: LoginExchange.Goal,
        program: String, upTo limit: Duration
    ) throws(Failure) -> Answer {
        do throws(TarnError) {
            try goal.expectFitting()
        } catch {
            throw .other(error)
        }
        let conversation: LoginConversation
        let context: TLSClientContext
        do throws(TransportError) {
            context = try TLSClientContext(trust: trust)
            conversation = try LoginConversation(server, goal, program)
        } catch {
            throw .other(TarnError(error))
        }
        return try conversation.run(context, upTo: limit)
    }

    private init(
        _ server: Endpoint, _ goal: LoginExchange.Goal, _ program: String
    ) throws(TransportError) {
        loop = try EventLoop(name: "login")
        self.server = server
        self.program = program
        exchange = LoginExchange(goal)
    }

    private func run(
        _ context: TLSClientContext, upTo limit: Duration
    ) throws(Failure) -> Answer {
        let link = ServerLink(on: loop) { [unowned self] event in heard(event) }
        self.link = link
        let timer = loop.schedule(after: limit) { [unowned self] in
            finish(
                .failure(.other(TarnError(.cannotConnect, "\(server) does not answer in time."))))
        }
        defer { timer.cancel() }
        link.connect(to: server, trust: context)
        loop.runOnCurrentThread()
        guard let result else {
            throw .other(TarnError(.cannotConnect, "\(server) did not answer."))
        }
        return try result.get()
    }

    private func heard(_ event: ServerLink.Event) {
        switch event {
        case .opened: act(on: exchange.connected(program: program, at: Clock.moment()))
        case .received(let message): act(on: exchange.received(message))
        case .drained: break
        case .ended(.failed(let error)) where error.isAboutCertificate:
            finish(.failure(.certificate(error)))
        case .ended(.failed(let error)): finish(.failure(.other(TarnError(error))))
        case .ended(let end): finish(.failure(.other(TarnError(.serverRefused, end.reason))))
        }
    }

    private func act(on step: LoginExchange.Step) {
        switch step {
        case .send(let message): link?.send(message)
        case .loggedIn(let user, let token):
            finish(.success(.loggedIn(user: user, token: token)))
        case .loggedOut: finish(.success(.loggedOut))
        case .failed(let error): finish(.failure(.other(TarnError(error))))
        }
    }

    private func finish(_ result: Result<Answer, Failure>) {
        guard self.result == nil else { return }
        self.result = result
        link?.letGo(within: TarnLimits.goodbye) { [loop] in loop.stop() }
    }
}

extension TransportError {
    /// Whether the server's certificate is what was refused, and a person may decide otherwise.
    var isAboutCertificate: Bool {
        switch code {
        case .untrustedCertificate, .wrongHostName, .certificateExpired, .certificateNotYetValid:
            fingerprint != nil
        default: false
        }
    }
}
