import CLinux
import Glibc
import TarnTransport

/// What our own transport takes with nothing behind it: TLS, WebSocket and loops between two
/// processes, no engines, no storage.
final class NetworkFloor {
    private(set) var samples = Samples()
    private let server: BroadcasterProcess
    private let run: LoopRun
    private let client = PlainClient()
    private static let byteCount = 120

    init(on stage: Stage) throws(BenchError) {
        server = try BroadcasterProcess(on: stage)
        run = try LoopRun()
        let trust = try LoopRun.trust(stage.authority)
        client.whenEnded = { [run] in run.fail($0) }
        try run.phase("connecting to the echo") {
            client.whenOpened = { [run] in run.finish() }
            client.connect(to: server.endpoint, on: run.loop, trust: trust)
        }
    }

    deinit { client.stop() }

    /// There and back, one message at a time, so many times.
    func pingPong(_ count: Int) throws(BenchError) {
        let message = Broadcaster.message(.echo, number: 0, byteCount: Self.byteCount)
        var left = count
        var begin: Int64 = 0
        func next() {
            begin = tarn_monotonic_nanoseconds()
            client.send(message)
        }
        try run.phase("the ping-pong") {
            client.whenMessage = { [self] _ in
                samples.add(nanoseconds: tarn_monotonic_nanoseconds() - begin)
                left -= 1
                if left > 0 { next() } else { run.finish() }
            }
            next()
        }
    }
}
