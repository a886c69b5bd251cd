import TarnTransport

/// The heads that make a connection a WebSocket. The first byte chooses limits and policy, two more
/// say where the bytes are cut.
enum UpgradeFuzz {
    @Sendable static func request(_ bytes: [UInt8]) throws(BrokenLaw) {
        var input = FuzzInput(bytes)
        let flags = input.byte()
        var cutter = StreamCutter(seed: input.short())
        let stream = input.rest()

        var whole = RequestedServer(policy: policy(flags), limits: limits(flags))
        whole.receive(stream[...])
        var cut = RequestedServer(policy: policy(flags), limits: limits(flags))
        for piece in cutter.pieces(of: stream) { cut.receive(piece) }
        try require(cut.output == whole.output, "cutting requests changes the answers")
        try require(cut.end == whole.end, "cutting requests changes what becomes of them")
        try require(cut.rest == whole.rest, "cutting requests changes what is left of the bytes")
        try check(whole)
    }

    /// The client's half reads the first answer of the server's half as what it is.
    private static func check(_ server: RequestedServer) throws(BrokenLaw) {
        guard !server.output.isEmpty else {
            return try require(server.end == nil, "a connection ends without an answer")
        }
        var client = makeClient(TransportLimits())
        let read = read(server.output, by: &client)
        if server.output.starts(with: "HTTP/1.1 101 ".utf8) {
            // Most clients had asked with another key.
            guard case .failure(let error) = read else { return }
            try require(error.code == .notWebSocket, "an upgrade is read as \(error)")
        } else {
            guard case .failure(let error) = read, error.code == .upgradeRefused else {
                throw BrokenLaw(sentence: "a refusal is read as \(read)")
            }
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
            try require(whole == parted, "cutting an answer changes why it is refused")
        default:
            throw BrokenLaw(sentence: "cutting an answer changes whether it is refused")
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

    private static func makeClient(_ limits: TransportLimits) -> ClientUpgrade {
        ClientUpgrade(
            host: "tarn.example", port: 443, path: "/sync", subprotocols: ["tarn.1"],
            key: Array(1...16), limits: limits)
    }

    private static func policy(_ flags: UInt8) -> UpgradePolicy {
        UpgradePolicy(
            path: flags & 4 == 0 ? "/sync" : nil, subprotocols: flags & 8 == 0 ? ["tarn.1"] : nil,
            allowedOrigins: flags & 1 == 0 ? [] : ["https://tarn.example"])
    }

    private static func limits(_ flags: UInt8) -> TransportLimits {
        var limits = TransportLimits()
        guard flags & 2 != 0 else { return limits }
        limits.httpHeadByteCountMax = 256
        limits.httpHeaderCountMax = 6
        limits.httpRequestCountMax = 3
        return limits
    }
}

/// The server's half, with all that came of what it was given.
private struct RequestedServer {
    enum End: Equatable {
        case upgraded(subprotocol: String)
        case ended
    }

    private var upgrade: ServerUpgrade
    private var answers: [UInt8] = []
    private(set) var end: End?
    /// What came behind an upgrade.
    private(set) var rest: [UInt8] = []

    init(policy: UpgradePolicy, limits: TransportLimits) {
        upgrade = ServerUpgrade(policy: policy, limits: limits)
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>) {
        switch end {
        case .upgraded: rest += bytes
        case .ended: break
        case nil: take(upgrade.receive(bytes.span.bytes))
        }
    }

    private mutating func take(_ outcome: ServerUpgrade.Outcome?) {
        switch outcome {
        case nil: break
        case .answered(let output): answers += output
        case .ended(let output):
            answers += output
            end = .ended
        case .upgraded(let subprotocol, let output, let more):
            answers += output
            rest += more
            end = .upgraded(subprotocol: subprotocol)
        }
    }

    /// Without the dates, which depend on when it was.
    var output: [UInt8] {
        var lines = answers.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines.removeAll { $0.starts(with: "Date: ".utf8) }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
}
