/// The server's side of becoming a WebSocket (RFC 6455, section 4.2): a request in, a decision out.
/// Extensions are never agreed to; above all not compression, which would mix what different people
/// wrote and let its length tell about it.
package struct ServerUpgrade: Sendable {
    package enum Outcome: Equatable, Sendable {
        /// Send the answer; from then on it is a WebSocket, whose first bytes may be here already.
        case upgraded(subprotocol: String, answer: [UInt8], rest: [UInt8])
        /// Send the answer and end the connection.
        case answered([UInt8])
    }

    private let policy: UpgradePolicy
    private var collector: HTTPHeadCollector

    package init(policy: UpgradePolicy, limits: TransportLimits = TransportLimits()) {
        self.policy = policy
        collector = HTTPHeadCollector(limits: limits)
    }

    /// Nil while the request is not all there.
    package mutating func receive(_ bytes: RawSpan) -> Outcome? {
        do throws(HTTPHead.Fault) {
            guard let (head, rest) = try collector.receive(bytes) else { return nil }
            return decide(head, rest: rest)
        } catch {
            switch error {
            case .tooLong: return refuse(431, "The request's head is too long.")
            case .malformed(let why): return refuse(400, "The request is malformed: \(why).")
            }
        }
    }

    private func decide(_ head: HTTPHead, rest: [UInt8]) -> Outcome {
        let words = head.firstLine.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/"), words.allSatisfy({ !$0.isEmpty })
        else { return refuse(400, "The request has no request line.") }
        guard words[2] == "HTTP/1.1" else { return refuse(505, "Only HTTP/1.1 is spoken here.") }
        guard head.values("host").count == 1 else {
            return refuse(400, "The request does not name one host.")
        }
        // A body would have to be read past; nothing that is served here takes one.
        guard head.values("transfer-encoding").isEmpty,
            head.values("content-length").allSatisfy({ $0 == "0" })
        else { return refuse(400, "A request here has no body.") }

        let method = words[0]
        let path = words[1].prefix { $0 != "?" }
        if path == "/health" {
            guard method == "GET" || method == "HEAD" else {
                return refuse(405, "Only GET and HEAD.", headers: ["Allow: GET, HEAD"])
            }
            return .answered(policy.health().bytes(isHead: method == "HEAD"))
        }
        guard policy.path == nil || path == policy.path.map({ $0[...] }) else {
            let answer = HTTPAnswer.refusal(404, "There is nothing here.")
            return .answered(answer.bytes(isHead: method == "HEAD"))
        }
        guard method == "GET" else { return refuse(405, "Only GET.", headers: ["Allow: GET"]) }
        return upgrade(head, rest: rest)
    }

    private func upgrade(_ head: HTTPHead, rest: [UInt8]) -> Outcome {
        guard head.list("upgrade", contains: "websocket") else {
            return refuse(
                426, "This is a WebSocket.", headers: ["Upgrade: websocket"])
        }
        guard head.list("connection", contains: "upgrade") else {
            return refuse(400, "The header Connection does not say Upgrade.")
        }
        guard head.value("sec-websocket-version") == "13" else {
            return refuse(
                426, "Only version 13 of WebSocket is spoken here.",
                headers: ["Sec-WebSocket-Version: 13"])
        }
        guard let key = head.value("sec-websocket-key"), AcceptKey.isKey(key) else {
            return refuse(400, "The header Sec-WebSocket-Key is not sixteen bytes in base64.")
        }
        guard head.values("origin").allSatisfy(policy.allowedOrigins.contains) else {
            return refuse(403, "Pages of this origin may not connect.")
        }
        let offered = head.list("sec-websocket-protocol")
        guard let subprotocol = agree(on: offered) else {
            let spoken = policy.subprotocols?.joined(separator: ", ") ?? ""
            return refuse(400, "The subprotocols spoken here are: \(spoken).")
        }
        let answer =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(AcceptKey.answer(to: key))\r\n"
            + (subprotocol.isEmpty ? "" : "Sec-WebSocket-Protocol: \(subprotocol)\r\n") + "\r\n"
        return .upgraded(subprotocol: subprotocol, answer: Array(answer.utf8), rest: rest)
    }

    /// Empty if the client offers none and none is wanted; nil if they have none in common.
    private func agree(on offered: [String]) -> String? {
        guard let spoken = policy.subprotocols else { return offered.first ?? "" }
        return spoken.first(where: offered.contains)
    }

    private func refuse(_ status: Int, _ sentence: String, headers: [String] = []) -> Outcome {
        .answered(HTTPAnswer.refusal(status, sentence, headers: headers).bytes())
    }
}
