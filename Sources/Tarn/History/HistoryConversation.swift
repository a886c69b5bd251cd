import TarnClient
package import TarnProtocol
import TarnTransport

/// One short connection that asks for a history, run on the current thread.
final class HistoryConversation {
    private let loop: EventLoop
    private let account: Account
    private let program: String
    private var exchange: HistoryExchange
    private var link: ServerLink?
    private var result: Result<HistoryPage, TarnError>?

    static func hold(
        _ request: HistoryRequest, as account: Account, program: String, upTo limit: Duration
    ) throws(TarnError) -> HistoryPage {
        let (context, conversation): (TLSClientContext, HistoryConversation)
        do throws(TransportError) {
            context = try TLSClientContext(trust: account.trust)
            conversation = try HistoryConversation(request, account, program)
        } catch {
            throw TarnError(error)
        }
        return try conversation.run(context, upTo: limit).get()
    }

    private init(
        _ request: HistoryRequest, _ account: Account, _ program: String
    ) throws(TransportError) {
        loop = try EventLoop(name: "history")
        self.account = account
        self.program = program
        exchange = HistoryExchange(request, token: account.token)
    }

    private func run(
        _ context: TLSClientContext, upTo limit: Duration
    ) -> Result<HistoryPage, TarnError> {
        let link = ServerLink(on: loop) { [unowned self] event in heard(event) }
        self.link = link
        let timer = loop.schedule(after: limit) { [unowned self] in
            finish(
                .failure(
                    TarnError(.cannotConnect, "\(account.server) does not answer in time.")))
        }
        defer { timer.cancel() }
        link.connect(to: account.server, trust: context)
        loop.runOnCurrentThread()
        return result
            ?? .failure(TarnError(.cannotConnect, "\(account.server) did not answer."))
    }

    private func heard(_ event: ServerLink.Event) {
        switch event {
        case .opened: act(on: exchange.connected(program: program, at: Clock.moment()))
        case .received(let message): act(on: exchange.received(message))
        case .drained: break
        case .ended(.failed(let error)): finish(.failure(TarnError(error)))
        case .ended(let end): finish(.failure(TarnError(.serverRefused, end.reason)))
        }
    }

    private func act(on step: HistoryExchange.Step) {
        switch step {
        case .send(let message): link?.send(message)
        case .found(let page): finish(.success(page))
        case .failed(let error): finish(.failure(TarnError(error)))
        }
    }

    private func finish(_ result: Result<HistoryPage, TarnError>) {
        guard self.result == nil else { return }
        self.result = result
        link?.letGo(within: TarnLimits.goodbye) { [loop] in loop.stop() }
    }
}

extension Profile {
    /// What happened to a realm or an object, newest first, as the server tells it.
    package func history(
        _ request: HistoryRequest, program: String = "tarn"
    ) throws(TarnError) -> HistoryPage {
        try HistoryConversation.hold(
            request, as: try requireAccount(), program: program, upTo: TarnLimits.history)
    }
}
