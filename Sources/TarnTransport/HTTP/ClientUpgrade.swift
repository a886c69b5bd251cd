/// The client's side of becoming a WebSocket (RFC 6455, section 4.1): a request out, an answer in.
package struct ClientUpgrade: Sendable {
    package struct Opened: Equatable, Sendable {
        /// Empty if none was offered.
        package let subprotocol: String
        /// The first bytes of the WebSocket, if they came along.
        package let rest: [UInt8]
    }

    private let authority: String
    private let path: String
    private let subprotocols: [String]
    private let key: String
    private var collector: HTTPHeadCollector

    /// The key is sixteen random bytes. Without subprotocols none is agreed. Host, path and
    /// subprotocols are our own, and have no byte that a request line or a header may not have.
    package init(
        host: String, port: UInt16, path: String, subprotocols: [String], key: [UInt8],
        limits: TransportLimits = TransportLimits()
    ) {
        precondition(key.count == 16, "a key is sixteen bytes")
        authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        self.path = path
        self.subprotocols = subprotocols
        self.key = AcceptKey.base64(key)
        collector = HTTPHeadCollector(limits: limits)
    }

    /// The request, once.
    package var request: [UInt8] {
        let offer =
            subprotocols.isEmpty
            ? "" : "Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))\r\n"
        let text =
            "GET \(path) HTTP/1.1\r\nHost: \(authority)\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n"
            + offer + "\r\n"
        return Array(text.utf8)
    }

    /// Nil while the answer is not all there.
    package mutating func receive(_ bytes: RawSpan) throws(TransportError) -> Opened? {
        let read: (head: HTTPHead, rest: [UInt8])?
        do throws(HTTPHead.Fault) {
            read = try collector.receive(bytes)
        } catch {
            let why =
                switch error {
                case .tooLong: "its head is too long"
                case .malformed(let why): why
                }
            throw TransportError(
                .notWebSocket, "The answer of \(authority) is not HTTP as expected: \(why).")
        }
        guard let (head, rest) = read else { return nil }
        let subprotocol = try check(head)
        return Opened(subprotocol: subprotocol, rest: rest)
    }

    private func check(_ head: HTTPHead) throws(TransportError) -> String {
        let words = head.firstLine.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw mistaken("its answer has no status line")
        }
        guard status == 101 else {
            let phrase = words.count > 2 ? " \(words[2])" : ""
            throw TransportError(
                .upgradeRefused, "The server \(authority) refused to sync: \(status)\(phrase).")
        }
        guard head.list("upgrade", contains: "websocket"),
            head.list("connection", contains: "upgrade")
        else { throw mistaken("it switched to no WebSocket") }
        guard head.value("sec-websocket-accept") == AcceptKey.answer(to: key) else {
            throw mistaken("it did not answer our key; a cache may stand between")
        }
        guard head.values("sec-websocket-extensions").isEmpty else {
            throw mistaken("it uses an extension that was not offered")
        }
        guard !subprotocols.isEmpty else {
            guard head.values("sec-websocket-protocol").isEmpty else {
                throw mistaken("it chose a subprotocol that was not offered")
            }
            return ""
        }
        guard let subprotocol = head.value("sec-websocket-protocol"),
            subprotocols.contains(subprotocol)
        else {
            throw mistaken("it speaks none of \(subprotocols.joined(separator: ", "))")
        }
        return subprotocol
    }

    private func mistaken(_ why: String) -> TransportError {
        TransportError(.notWebSocket, "The server \(authority) does not speak WebSocket: \(why).")
    }
}
