import CLinux
import Glibc
import TarnModel
import TarnProtocol
import TarnTransport

/// The part that commits transactions of the largest size, one when the receipt of the one before
/// has come, for as long as it is told to; and somebody who is subscribed to what they change.
final class BulkWriter {
    private let run: LoopRun
    private let client: ProtocolClient
    private let changes: Int
    /// Of the text that each change sets.
    private let bytes: Int
    /// Whether each transaction makes new tasks; else all set the same ones.
    private let creates: Bool
    private var life: TransactionID?
    private var number = 0
    /// Ready before it is needed, so that nobody waits for this process.
    private var next: ProtocolClient.Sealed?
    private var sentAt: Int64?
    private var times: [Int64] = []
    private var isGoing = false

    static func run(_ arguments: RoleArguments) throws(BenchError) {
        let run = try LoopRun()
        let endpoint = Endpoint(
            host: "127.0.0.1", port: UInt16(clamping: try arguments.number("port")))
        let crowd = Crowd(
            run, to: endpoint, trust: try LoopRun.trust(arguments.text("authority")))
        var limits = TransportLimits()
        limits.outgoingByteCountMax = 64 << 20
        let clients = try crowd.add(
            1, .opened, credentials: .nickname(Workload.user), limits: limits)
        _ = try crowd.add(1, .subscribed, credentials: .nickname(Workload.user))
        let writer = BulkWriter(
            run, clients[0], changes: try arguments.number("changes"),
            bytes: try arguments.number("bytes"), creates: try arguments.number("creates") == 1)
        try run.phase("creating", atMost: .seconds(60)) { writer.create() }
        BenchProgram.say("ready")
        let input = try LineInput(on: run.loop) { line in
            guard let line else { return run.finish() }
            writer.isGoing = line == "go"
            if writer.isGoing { writer.send() } else { writer.rest() }
        }
        try run.phase("writing", atMost: .seconds(300)) {}
        withExtendedLifetime(input) {}
    }

    private init(
        _ run: LoopRun, _ client: ProtocolClient, changes: Int, bytes: Int, creates: Bool
    ) {
        self.run = run
        self.client = client
        self.changes = changes
        self.bytes = bytes
        self.creates = creates
        client.whenGroup = { [weak self] client, _ in
            guard let self,
                client.acknowledged == client.series.last.sequence - (next == nil ? 0 : 1)
            else { return }
            receipted()
        }
    }

    private func create() {
        let sealed = client.seal(Workload.bulkCreation(changes, bytes: bytes))
        life = client.series.last
        sentAt = 0
        client.send(sealed)
    }

    private func prepare() {
        guard let life else { return }
        number += 1
        let changes =
            creates
            ? Workload.bulkCreation(changes, number: number, bytes: bytes)
            : Workload.bulkEdit(changes, number: number, bytes: bytes, life: life)
        next = client.seal(changes)
    }

    private func send() {
        guard isGoing, sentAt == nil, let sealed = next else { return }
        next = nil
        sentAt = tarn_monotonic_nanoseconds()
        client.send(sealed)
        prepare()
    }

    private func receipted() {
        guard let sentAt else { return }
        self.sentAt = nil
        guard number > 0 else {
            prepare()
            return run.finish()
        }
        times.append(tarn_monotonic_nanoseconds() - sentAt)
        if isGoing { send() } else { rest() }
    }

    /// Tells how long each took, once none is under way.
    private func rest() {
        guard sentAt == nil else { return }
        BenchProgram.say("rested" + times.map { " \($0)" }.joined())
        times = []
    }
}
