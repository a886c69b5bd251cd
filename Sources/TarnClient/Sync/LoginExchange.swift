package import TarnProtocol

/// Logs a user in, registers one or logs one out, without a replica: one short connection.
package enum LoginExchange: Sendable {
    package enum Goal: Hashable, Sendable {
        case login(Credentials)
        /// Ends the session that the token stands for.
        case logout(token: String)
    }

    package enum Step: Hashable, Sendable {
        /// One binary message, and then wait for the answer.
        case send([UInt8])
        case loggedIn(user: String, token: String?)
        case loggedOut
        case failed(ProtocolError)
    }

    /// For the connection.
    case connecting(Goal)
    /// For the welcome.
    case greeting(Goal)
    /// For the server to say who we are.
    case loggingIn(Goal)
    case loggingOut
    case finished

    package init(_ goal: Goal) { self = .connecting(goal) }

    /// The connection is there.
    package mutating func connected(program: String, at now: Moment) -> Step {
        guard case .connecting(let goal) = self else { return outOfTurn() }
        self = .greeting(goal)
        let hello = ClientMessage.hello(
            versions: [ProtocolLimits.version], clock: now.wall, program: program)
        return .send(hello.encoded())
    }

    package mutating func received(_ bytes: [UInt8]) -> Step {
        guard let message = try? ServerMessage(decoding: bytes) else { return outOfTurn() }
        switch (message, self) {
        case (.failed(_, let error), _):
            self = .finished
            return .failed(error)
        case (.welcome(ProtocolLimits.version, _), .greeting(let goal)):
            self = .loggingIn(goal)
            return .send(ClientMessage.login(goal.credentials).encoded())
        case (.loggedIn, .loggingIn(.logout)):
            self = .loggingOut
            return .send(ClientMessage.logout.encoded())
        case (.loggedIn(let user, let token), .loggingIn(.login)):
            self = .finished
            return .loggedIn(user: user, token: token)
        case (.loggedOut, .loggingOut):
            self = .finished
            return .loggedOut
        default: return outOfTurn()
        }
    }

    private mutating func outOfTurn() -> Step {
        self = .finished
        return .failed(
            ProtocolError(.protocolViolation, "the server answered what could not be understood."))
    }
}

extension LoginExchange.Goal {
    fileprivate var credentials: Credentials {
        switch self {
        case .login(let credentials): credentials
        case .logout(let token): .token(token)
        }
    }
}
