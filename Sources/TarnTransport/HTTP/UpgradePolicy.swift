/// What a server makes of requests: where its WebSocket is, for whom, and how it is.
package struct UpgradePolicy: Sendable {
    /// Nil for every path.
    package let path: String?
    /// In the order in which they are preferred. A client that offers none of them is refused. Nil
    /// for whatever a client offers first, or none at all.
    package let subprotocols: [String]?
    /// The pages that may connect, as `https://host`. Programs that are no browsers send no
    /// `Origin`, and are not asked for one.
    package let allowedOrigins: Set<String>
    /// Peers whose header `X-Forwarded-For` is believed; nobody's else is looked at.
    package let trustedProxies: [AddressRange]
    /// Answers `GET /health`, at once, on the thread of a loop.
    package let health: @Sendable () -> HTTPAnswer

    package init(
        path: String? = "/sync", subprotocols: [String]? = ["tarn.1"],
        allowedOrigins: Set<String> = [], trustedProxies: [AddressRange] = [],
        health: @escaping @Sendable () -> HTTPAnswer = { .json(#"{"status":"ok"}"#) }
    ) {
        self.path = path
        self.subprotocols = subprotocols
        self.allowedOrigins = allowedOrigins
        self.trustedProxies = trustedProxies
        self.health = health
    }
}
