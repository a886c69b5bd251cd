import CLinux
import Glibc
import TarnModel
import TarnTransport

/// The part that writes: one transaction when the receipt of the one before has come, and the
/// watcher has said on descriptor 3 that it has it too.
final class Writer {
    private let run: LoopRun
    private var count = 0
    private let client: ProtocolClient
    private var number = 0
    private var isReceipted = true
    private var isSeen = true
    private var watch: DescriptorWatch?
    private var sent: [Int64] = []
    private var received: [Int64] = []

    static func run(_ arguments: RoleArguments) throws(BenchError) {
        let run = try LoopRun()
        let trust = try LoopRun.trust(arguments.text("authority"))
        let endpoint = Endpoint(
            host: "127.0.0.1", port: UInt16(clamping: try arguments.number("port")))
        let client = try Crowd(run, to: endpoint, trust: trust).founder()
        let writer = Writer(run, client)
        BenchProgram.say("ready")
        let input = try LineInput(on: run.loop) { line in
            guard let line else { return run.finish() }
            let words = line.split(separator: " ")
            if words.count == 2, let more = Int(words[1]) { writer.write(more) }
        }
        try writer.listen()
        try run.phase("writing", atMost: .seconds(300)) {}
        withExtendedLifetime(input) { writer.tell() }
    }

    private init(_ run: LoopRun, _ client: ProtocolClient) {
        self.run = run
        self.client = client
        client.whenGroup = { [weak self] client, _ in
            guard let self, client.acknowledged == client.series.last.sequence else { return }
            received.append(tarn_monotonic_nanoseconds())
            isReceipted = true
            next()
        }
    }

    private func listen() throws(BenchError) {
        do throws(TransportError) {
            watch = try run.loop.watch(3, .readable) { [self] _ in
                var byte: UInt8 = 0
                guard read(3, &byte, 1) == 1 else { return run.fail("the watcher is gone") }
                isSeen = true
                next()
            }
        } catch {
            throw BenchError(error.sentence)
        }
    }

    private func write(_ more: Int) {
        count += more
        next()
    }

    private func next() {
        guard isReceipted, isSeen else { return }
        guard number < count else { return BenchProgram.say("written") }
        number += 1
        isReceipted = false
        isSeen = false
        let life = TransactionID(replica: client.series.replica, sequence: 1)
        sent.append(tarn_monotonic_nanoseconds())
        client.commit(Workload.edit(number: number, life: life))
    }

    private func tell() {
        var text = ""
        for (index, time) in sent.enumerated() { text += "sent \(index + 1) \(time)\n" }
        for (index, time) in received.enumerated() { text += "receipt \(index + 1) \(time)\n" }
        BenchProgram.say(text)
    }
}
