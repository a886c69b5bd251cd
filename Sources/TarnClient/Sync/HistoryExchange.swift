package import TarnProtocol

/// Asks the server for a realm's history, without a replica: one short connection, and as many
/// questions as it takes to have all that is wanted.
package struct HistoryExchange: Sendable {
    package enum Step: Hashable, Sendable {
        /// One binary message, and then wait for the answer.
        case send([UInt8])
        case found(HistoryPage)
        case failed(ProtocolError)
    }

    private enum State {
        /// For the connection.
        case connecting
        /// For the welcome.
        case greeting
        /// For the server to say who we are.
        case loggingIn
        case asking
        case finished
    }

    /// All on one connection that has nothing else on it.
    private static let channel = Channel(1)

    private let token: String
    private let request: HistoryRequest
    private var state = State.connecting
    private var entries: [HistoryEntry] = []

    package init(_ request: HistoryRequest, token: String) {
        self.request = request
        self.token = token
    }

    /// The connection is there.
    package mutating func connected(program: String, at now: Moment) -> Step {
        guard case .connecting = state else { return outOfTurn() }
        state = .greeting
        let hello = ClientMessage.hello(
            versions: [ProtocolLimits.version], clock: now.wall, program: program)
        return .send(hello.encoded())
    }

    package mutating func received(_ bytes: [UInt8]) -> Step {
        guard let message = try? ServerMessage(decoding: bytes) else { return outOfTurn() }
        switch (message, state) {
        case (.failed(_, let error), _):
            state = .finished
            return .failed(error)
        case (.welcome(ProtocolLimits.version, _), .greeting):
            state = .loggingIn
            return .send(ClientMessage.login(.token(token)).encoded())
        case (.loggedIn, .loggingIn):
            state = .asking
            return ask(before: request.before)
        case (.historyPage(Self.channel, let page), .asking):
            return take(page)
        default: return outOfTurn()
        }
    }

    private func ask(before place: HistoryPlace) -> Step {
        let rest = HistoryRequest(
            realm: request.realm, object: request.object, before: place,
            limit: request.limit - UInt64(entries.count))
        return .send(ClientMessage.history(Self.channel, rest).encoded())
    }

    private mutating func take(_ page: HistoryPage) -> Step {
        // A server that went in circles would never come to an end.
        let last = entries.last?.place ?? request.before
        let places = page.entries.map(\.place)
        guard places.allSatisfy({ $0 < last }), page.entries.count <= Int(clamping: request.limit)
        else { return outOfTurn() }
        entries += page.entries
        if UInt64(entries.count) < request.limit, let next = page.next {
            guard next < last else { return outOfTurn() }
            return ask(before: next)
        }
        state = .finished
        return .found(HistoryPage(entries: entries, next: page.next, floor: page.floor))
    }

    private mutating func outOfTurn() -> Step {
        state = .finished
        return .failed(
            ProtocolError(.protocolViolation, "the server answered what could not be understood."))
    }
}
