/// The server's side of becoming a WebSocket (RFC 6455, section 4.2): requests in, decisions out.
/// Extensions are never agreed to; above all not compression, which would mix what different people
/// wrote and let its length tell about it.
package struct ServerUpgrade: Sendable {
    package enum Outcome: Equatable, Sendable {
        /// Send the answer; from then on it is a WebSocket, whose first bytes may be here already.
        case upgraded(subprotocol: String, answer: [UInt8], rest: [UInt8])
        /// Send the answers; there may be more requests.
        case answered([UInt8])
        /// Send the answers and end the connection.
        case ended([UInt8])
    }

    private enum Decision {
        case upgrade(subprotocol: String, answer: String)
        case answer(HTTPAnswer)
    }

    private let policy: UpgradePolicy
    private var conversation: HTTPConversation

    package init(policy: UpgradePolicy, limits: TransportLimits = TransportLimits()) {
        self.init(policy: policy, limits: limits, now: HTTPDate.now)
    }

    init(
        policy: UpgradePolicy, limits: TransportLimits, now: @escaping @Sendable () -> HTTPDate
    ) {
        self.policy = policy
        conversation = HTTPConversation(limits: limits, now: now)
    }

    /// Nil while a request is not all there.
    /// - Parameters:
    ///   - peer: whom the bytes come from.
    ///   - admit: asked before an upgrade if a trusted proxy has told for whom it speaks; an answer
    ///     is given instead of the upgrade.
    package mutating func receive(
        _ bytes: RawSpan, from peer: NetworkAddress? = nil,
        admit: (NetworkAddress) -> HTTPAnswer? = { _ in nil }
    ) -> Outcome? {
        conversation.receive(bytes)
        var output: [UInt8] = []
        while let request = conversation.nextRequest(output: &output) {
            switch decide(request) {
            case .answer(let answer):
                conversation.answer(request, answer, output: &output)
            case .upgrade(let subprotocol, let answer):
                if let client = client(of: request, from: peer), let refusal = admit(client) {
                    conversation.answer(request, refusal, output: &output)
                    continue
                }
                output += answer.utf8
                return .upgraded(
                    subprotocol: subprotocol, answer: output, rest: conversation.takeRest())
            }
        }
        if conversation.isOver { return .ended(output) }
        return output.isEmpty ? nil : .answered(output)
    }

    private func client(
        of request: HTTPRequest, from peer: NetworkAddress?
    ) -> NetworkAddress? {
        guard let peer, !policy.trustedProxies.isEmpty else { return nil }
        return ForwardedFor.client(
            request.head.list("x-forwarded-for"), of: peer, trusted: policy.trustedProxies)
    }

    private func decide(_ request: HTTPRequest) -> Decision {
        if request.path == "/health" {
            guard request.method == "GET" || request.isHead else {
                return refuse(405, "Only GET and HEAD.", headers: ["Allow: GET, HEAD"])
            }
            return .answer(policy.health())
        }
        guard policy.path == nil || request.path == policy.path else {
            return refuse(404, "There is nothing here.")
        }
        guard request.method == "GET" || request.isHead else {
            return refuse(405, "Only GET and HEAD.", headers: ["Allow: GET, HEAD"])
        }
        guard !request.isOfVersion10, !request.isHead else {
            return .answer(.upgradeRequired("Only a GET of HTTP/1.1 becomes a WebSocket."))
        }
        return upgrade(request.head)
    }

    private func upgrade(_ head: HTTPHead) -> Decision {
        guard head.list("upgrade", contains: "websocket") else {
            return .answer(.upgradeRequired("This is a WebSocket."))
        }
        guard head.list("connection", contains: "upgrade") else {
            return refuse(400, "The header Connection does not say Upgrade.")
        }
        guard head.value("sec-websocket-version") == "13" else {
            return .answer(
                .upgradeRequired(
                    "Only version 13 of WebSocket is spoken here.",
                    headers: ["Sec-WebSocket-Version: 13"]))
        }
        guard let key = head.value("sec-websocket-key"), AcceptKey.isKey(key) else {
            return refuse(400, "The header Sec-WebSocket-Key is not sixteen bytes in base64.")
        }
        guard head.values("origin").allSatisfy(policy.allowedOrigins.contains) else {
            return refuse(403, "Pages of this origin may not connect.")
        }
        let offered = head.list("sec-websocket-protocol")
        guard offered.allSatisfy({ HTTPHead.isToken($0.utf8) }) else {
            return refuse(400, "The header Sec-WebSocket-Protocol is no list of names.")
        }
        guard let subprotocol = agree(on: offered) else {
            let spoken = policy.subprotocols?.joined(separator: ", ") ?? ""
            return refuse(400, "The subprotocols spoken here are: \(spoken).")
        }
        let answer =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(AcceptKey.answer(to: key))\r\n"
            + (subprotocol.isEmpty ? "" : "Sec-WebSocket-Protocol: \(subprotocol)\r\n") + "\r\n"
        return .upgrade(subprotocol: subprotocol, answer: answer)
    }

    /// Empty if the client offers none and none is wanted; nil if they have none in common.
    private func agree(on offered: [String]) -> String? {
        guard let spoken = policy.subprotocols else { return offered.first ?? "" }
        return spoken.first(where: offered.contains)
    }

    private func refuse(_ status: Int, _ sentence: String, headers: [String] = []) -> Decision {
        .answer(.refusal(status, sentence, headers: headers))
    }
}
