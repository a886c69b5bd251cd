import TarnModel
package import TarnProtocol

/// What a connection's engine wants done.
package enum SessionAction: Hashable, Sendable {
    case send(ServerMessage)
    /// To be answered by `loginFinished`.
    case authenticate(Credentials)
    /// The token is worth nothing from now on.
    case revoke(token: String)
    case openRealm(Channel, RealmVisitor, OpenRequest)
    /// For the engine of the realm that the channel has open.
    case forward(Channel, ClientMessage)
    case leaveRealm(Channel)
    /// To be answered by `historyFound` with the question's number.
    case askHistory(HistoryRequest, question: UInt64)
    /// After what was sent before it has gone out.
    case disconnect
}

/// What came of a login.
package enum LoginOutcome: Hashable, Sendable {
    /// The token for the next time; nil where the login was by one.
    case accepted(user: String, token: String?)
    case refused(ProtocolError)
}

/// One connection, before and beside its realms: greeting, login, and which channel is which realm.
/// It has no socket and no clock: the caller tells it what happened and does what it answers.
package struct SessionEngine: Sendable {
    private enum State {
        /// Waits for hello.
        case greeting
        /// Waits for a login.
        case anonymous(clockOffset: Int64)
        /// Waits for the outcome of a login.
        case loggingIn(clockOffset: Int64, Credentials)
        case loggedIn(clockOffset: Int64, user: String, token: String)
        case ended
    }

    private var state: State = .greeting
    private var channels: Set<Channel> = []
    private var loginsRefused = 0
    /// The question for a history that is looked into, and where its answer goes.
    private var asking: (channel: Channel, question: UInt64)?
    private var questions: UInt64 = 0

    package init() {}

    /// The user, once logged in.
    package var user: String? {
        if case .loggedIn(_, let user, _) = state { user } else { nil }
    }

    /// A WebSocket message has come.
    /// - Parameter now: milliseconds since 1970.
    package mutating func received(_ bytes: [UInt8], now: Int64) -> [SessionAction] {
        if case .ended = state { return [] }
        do throws(FormatError) {
            return received(try ClientMessage(decoding: bytes), now: now)
        } catch {
            return end(ProtocolError(.protocolViolation, "A message cannot be read: \(error)."))
        }
    }

    private mutating func received(_ message: ClientMessage, now: Int64) -> [SessionAction] {
        switch (state, message) {
        case (.ended, _):
            return []
        case (.greeting, .hello(let versions, let clock, _)):
            return greet(versions, clock: clock, now: now)
        case (.greeting, _):
            return end(ProtocolError(.protocolViolation, "The first message is a hello."))
        case (_, .hello):
            return end(ProtocolError(.protocolViolation, "A hello came twice."))
        case (.anonymous(let offset), .login(let credentials)):
            state = .loggingIn(clockOffset: offset, credentials)
            return [.authenticate(credentials)]
        case (.anonymous, _), (.loggingIn, _):
            return end(ProtocolError(.notLoggedIn, "This needs a login first."))
        case (.loggedIn, .login):
            return end(ProtocolError(.protocolViolation, "Somebody is logged in already."))
        case (.loggedIn(let offset, _, let token), .logout):
            state = .anonymous(clockOffset: offset)
            return leaveAll() + [.revoke(token: token), .send(.loggedOut)]
        case (.loggedIn(let offset, let user, _), .open(let channel, let request)):
            return open(channel, RealmVisitor(user: user, clockOffset: offset), request)
        case (.loggedIn(_, let user, _), .history(let channel, let request)):
            return ask(channel, request, as: user)
        case (.loggedIn, _):
            return forward(message)
        }
    }

    private mutating func greet(
        _ versions: [UInt64], clock: Int64, now: Int64
    ) -> [SessionAction] {
        guard versions.contains(ProtocolLimits.version) else {
            return end(
                ProtocolError(
                    .versionUnsupported,
                    "This server speaks version \(ProtocolLimits.version) of the protocol only.",
                    advice: "The program is of another age than the server: update one of them."))
        }
        let (offset, overflow) = now.subtractingReportingOverflow(clock)
        state = .anonymous(clockOffset: overflow ? 0 : offset)
        return [.send(.welcome(version: ProtocolLimits.version, clock: now))]
    }

    package mutating func loginFinished(_ outcome: LoginOutcome) -> [SessionAction] {
        guard case .loggingIn(let offset, let credentials) = state else { return [] }
        switch outcome {
        case .refused(let error):
            loginsRefused += 1
            // The connection stays, for another try; each costs a password's hash.
            guard loginsRefused < ServerLimits.loginsRefusedMax else { return end(error) }
            state = .anonymous(clockOffset: offset)
            return [.send(.failed(nil, error))]
        case .accepted(let user, let token):
            var held = token ?? ""
            if case .token(let shown) = credentials { held = shown }
            state = .loggedIn(clockOffset: offset, user: user, token: held)
            return [.send(.loggedIn(user: user, token: token))]
        }
    }

    private mutating func open(
        _ channel: Channel, _ visitor: RealmVisitor, _ request: OpenRequest
    ) -> [SessionAction] {
        guard isFree(channel) else { return endAsNotFree(channel) }
        var refusal: ProtocolError?
        if channels.count >= ProtocolLimits.channelsMax {
            refusal = ProtocolError(
                .tooLarge, "A connection has at most \(ProtocolLimits.channelsMax) realms open.")
        } else {
            refusal = RealmAccess.refusal(of: visitor.user, opening: request.realm)
        }
        if let refusal { return [.send(.failed(channel, refusal))] }
        channels.insert(channel)
        return [.openRealm(channel, visitor, request)]
    }

    private func isFree(_ channel: Channel) -> Bool {
        !channels.contains(channel) && asking?.channel != channel
    }

    private mutating func endAsNotFree(_ channel: Channel) -> [SessionAction] {
        end(ProtocolError(.channelInvalid, "Channel \(channel.number) is open already."))
    }

    private mutating func ask(
        _ channel: Channel, _ request: HistoryRequest, as user: String
    ) -> [SessionAction] {
        guard isFree(channel) else { return endAsNotFree(channel) }
        if let refusal = RealmAccess.refusal(of: user, opening: request.realm) {
            return [.send(.failed(channel, refusal))]
        }
        guard asking == nil else {
            let refusal = ProtocolError(
                .overloaded, "A connection asks for one history at a time.")
            return [.send(.failed(channel, refusal))]
        }
        questions += 1
        asking = (channel, questions)
        return [.askHistory(request, question: questions)]
    }

    /// The answer to a question; to one that nobody waits for any more, nothing.
    package mutating func historyFound(
        _ answer: Result<HistoryPage, ProtocolError>, question: UInt64
    ) -> [SessionAction] {
        guard let asking, asking.question == question else { return [] }
        self.asking = nil
        return switch answer {
        case .success(let page): [.send(.historyPage(asking.channel, page))]
        case .failure(let error): [.send(.failed(asking.channel, error))]
        }
    }

    /// The realm's engine has ended the channel, and has said why.
    package mutating func channelEnded(_ channel: Channel) { channels.remove(channel) }

    private func forward(_ message: ClientMessage) -> [SessionAction] {
        // What was sent before the client knew that its channel had ended is of no use to anybody.
        guard let channel = message.channel, channels.contains(channel) else { return [] }
        return [.forward(channel, message)]
    }

    /// The time that a connection has for hello and login is up.
    package mutating func loginIsDue() -> [SessionAction] {
        switch state {
        case .greeting, .anonymous:
            end(ProtocolError(.notLoggedIn, "Nobody has logged in for too long."))
        case .loggingIn, .loggedIn, .ended: []
        }
    }

    /// The connection is gone.
    package mutating func disconnected() -> [SessionAction] {
        state = .ended
        return leaveAll()
    }

    /// Ends the connection from this side.
    package mutating func end(_ error: ProtocolError) -> [SessionAction] {
        if case .ended = state { return [] }
        state = .ended
        return leaveAll() + [.send(.failed(nil, error)), .disconnect]
    }

    private mutating func leaveAll() -> [SessionAction] {
        asking = nil
        defer { channels = [] }
        return channels.sorted { $0.number < $1.number }.map { .leaveRealm($0) }
    }
}

extension ClientMessage {
    /// The channel that a message belongs to; nil for those of the connection.
    package var channel: Channel? {
        switch self {
        case .hello, .login, .logout: nil
        case .open(let channel, _), .subscribe(let channel, _), .unsubscribe(let channel, _),
            .start(let channel), .upload(let channel, _, _), .integrated(let channel, _, _),
            .credit(let channel, _), .close(let channel), .digest(let channel, _, _),
            .history(let channel, _):
            channel
        }
    }
}
