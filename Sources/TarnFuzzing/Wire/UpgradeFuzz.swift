import TarnTransport

/// The heads that make a connection a WebSocket. The first byte chooses limits and policy, two more
/// say where the head is cut.
enum UpgradeFuzz {
    @Sendable static func request(_ bytes: [UInt8]) throws(BrokenLaw) {
        var input = FuzzInput(bytes)
        let flags = input.byte()
        var cutter = StreamCutter(seed: input.short())
        let stream = input.rest()
        let policy = UpgradePolicy(
            allowedOrigins: flags & 1 == 0 ? [] : ["https://tarn.example"])

        var server = ServerUpgrade(policy: policy, limits: limits(flags))
        let whole = server.receive(stream.span.bytes)
        var parted = ServerUpgrade(policy: policy, limits: limits(flags))
        var outcome: ServerUpgrade.Outcome?
        var unread: [UInt8] = []
        for piece in cutter.pieces(of: stream) {
            if outcome == nil {
                outcome = parted.receive(piece.span.bytes)
            } else {
                unread += piece
            }
        }
        try require(
            outcome.map { $0.followed(by: unread) } == whole, "cutting a request changes the answer"
        )
        if let whole { try check(whole) }
    }

    /// The client's half reads every answer of the server's half as what it is.
    private static func check(_ outcome: ServerUpgrade.Outcome) throws(BrokenLaw) {
        var client = makeClient(TransportLimits())
        switch outcome {
        case .upgraded(let subprotocol, let answer, _):
            try require(subprotocol == "tarn.1", "\(subprotocol) is spoken")
            guard case .failure(let error) = read(answer, by: &client) else { return }
            // The client had asked with another key.
            try require(error.code == .notWebSocket, "an upgrade is read as \(error)")
        case .answered(let answer):
            let read = read(answer, by: &client)
            guard case .failure(let error) = read, error.code == .upgradeRefused else {
                throw BrokenLaw(sentence: "a refusal is read as \(read)")
            }
        }
    }

    private static func read(
        _ bytes: [UInt8], by client: inout ClientUpgrade
    ) -> Result<ClientUpgrade.Opened?, TransportError> {
        do throws(TransportError) {
            return .success(try client.receive(bytes.span.bytes))
        } catch {
            return .failure(error)
        }
    }

    @Sendable static func answer(_ bytes: [UInt8]) throws(BrokenLaw) {
        var input = FuzzInput(bytes)
        let flags = input.byte()
        var cutter = StreamCutter(seed: input.short())
        let stream = input.rest()

        var client = makeClient(limits(flags))
        let whole = read(stream, by: &client)
        var parted = makeClient(limits(flags))
        var outcome: Result<ClientUpgrade.Opened?, TransportError> = .success(nil)
        var unread: [UInt8] = []
        for piece in cutter.pieces(of: stream) {
            guard case .success(nil) = outcome else {
                unread += piece
                continue
            }
            outcome = read(Array(piece), by: &parted)
        }
        switch (whole, outcome) {
        case (.success(let whole), .success(let parted)):
            try require(
                whole?.subprotocol == parted?.subprotocol
                    && whole?.rest == parted.map { $0.rest + unread },
                "cutting an answer changes what it means")
        case (.failure(let whole), .failure(let parted)):
            try require(
                whole.code == parted.code && "\(whole)" == "\(parted)",
                "cutting an answer changes why it is refused")
        default:
            throw BrokenLaw(sentence: "cutting an answer changes whether it is refused")
        }
    }

    private static func makeClient(_ limits: TransportLimits) -> ClientUpgrade {
        ClientUpgrade(
            host: "tarn.example", port: 443, path: "/sync", subprotocols: ["tarn.1"],
            key: Array(1...16), limits: limits)
    }

    private static func limits(_ flags: UInt8) -> TransportLimits {
        var limits = TransportLimits()
        guard flags & 2 != 0 else { return limits }
        limits.httpHeadByteCountMax = 256
        limits.httpHeaderCountMax = 6
        return limits
    }
}

extension ServerUpgrade.Outcome {
    /// The same, had more bytes come with the head.
    fileprivate func followed(by bytes: [UInt8]) -> ServerUpgrade.Outcome {
        guard case .upgraded(let subprotocol, let answer, let rest) = self else { return self }
        return .upgraded(subprotocol: subprotocol, answer: answer, rest: rest + bytes)
    }
}
