import TarnModel
import TarnProtocol
import TarnTesting
import TarnTransport
import Testing

/// A client that stops reading, and what it does to others.
struct SlowReaderTests {
    private let channels = [Channel(1), Channel(2)]
    private let loop: EventLoop

    init() throws { loop = try EventLoop(name: "clients") }

    private func run(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
        until condition: () -> Bool
    ) {
        let deadline = Deadline(seconds: 60)
        while !condition() {
            guard !deadline.hasPassed else {
                Issue.record("it never came: \(what)", sourceLocation: sourceLocation)
                return
            }
            _ = loop.runOneTurn(waiting: 20)
        }
    }

    @Test
    func `it gets one difference a realm when it reads again, and others get all meanwhile`() throws
    {
        let folder = TemporaryFolder("tarn-slow")
        let daemon = try DaemonProcess(data: folder.path, certificates: .shared)
        func client(receiving byteCount: Int?) throws -> SlowReplica {
            let client = try SlowReplica(
                user: "ann", realms: ["one", "two"], port: daemon.port, on: loop,
                receiving: byteCount)
            run("being ready") { client.isReady || !client.problems.isEmpty }
            return client
        }
        let writer = try client(receiving: nil)
        for channel in channels {
            writer.write(
                [
                    .addClass(SlowReplica.note),
                    .create(className: "Note", key: .int(1), values: []),
                ], on: channel)
        }
        run("receipts") { channels.allSatisfy { writer.openings[$0]?.acknowledged == 1 } }
        let reader = try client(receiving: nil)
        let slow = try client(receiving: 4_096)
        slow.connection?.pauseReading()
        let groupsBefore = channels.map { slow.openings[$0]?.groupCount ?? 0 }

        // In each realm thirty times 60 KB: many times what may wait for a connection.
        for round in 2...31 {
            for channel in channels {
                guard let replica = writer.openings[channel]?.replica else { continue }
                let name = ObjectName(
                    "Note", .int(1), life: TransactionID(replica: replica, sequence: 1))
                let text = "\(round) " + String(repeating: "x", count: 60_000)
                writer.write(
                    [.set(name, property: "body", value: .string(Text(text)))], on: channel)
            }
            run("round \(round)") {
                channels.allSatisfy { channel in
                    writer.openings[channel]?.acknowledged == UInt64(round)
                        && reader.openings[channel]?.point == writer.openings[channel]?.point
                }
            }
        }
        slow.connection?.resumeReading()
        run("catching up") {
            channels.allSatisfy { slow.openings[$0]?.point == writer.openings[$0]?.point }
        }

        for (index, channel) in channels.enumerated() {
            // What was on its way, and one difference.
            let count = (slow.openings[channel]?.groupCount ?? 0) - groupsBefore[index]
            #expect((1...12).contains(count))
        }
        for client in [writer, reader, slow] {
            #expect(client.problems.isEmpty)
            client.connection?.abort()
        }
        run("the ends") {
            [writer, reader, slow].allSatisfy { $0.connection == nil }
        }
    }
}
