import Glibc
import TarnTransport

/// The part that keeps so many connections under way: each ends as soon as it is open, and another
/// begins. It gives way to the others of the run, who are measured.
final class HandshakeCrowd {
    private let run: LoopRun
    private let endpoint: Endpoint
    private var doneCount = 0
    private var resumedCount = 0
    private var failedCount = 0

    private static let niceness: Int32 = 5

    /// Told anything, it answers with how many are done, how many of them went on from an earlier
    /// session, and how many failed, all since it began.
    static func run(_ arguments: RoleArguments) throws(BenchError) {
        _ = nice(niceness)
        let run = try LoopRun()
        let endpoint = Endpoint(
            host: "127.0.0.1", port: UInt16(clamping: try arguments.number("port")))
        // Each place has a trust of its own, as if it was another person's: they share no ticket.
        var trusts: [TLSClientContext] = []
        for _ in 0..<(try arguments.number("count")) {
            trusts.append(
                try LoopRun.trust(
                    arguments.text("authority"), resumes: try arguments.number("resumes") == 1))
        }
        let crowd = HandshakeCrowd(run, endpoint)
        BenchProgram.say("ready")
        let input = try LineInput(on: run.loop) { line in
            guard line != nil else { return run.finish() }
            BenchProgram.say("\(crowd.doneCount) \(crowd.resumedCount) \(crowd.failedCount)")
        }
        try run.phase("the handshakes", atMost: .seconds(300)) {
            for trust in trusts { crowd.begin(trust) }
        }
        withExtendedLifetime(input) {}
    }

    private init(_ run: LoopRun, _ endpoint: Endpoint) {
        self.run = run
        self.endpoint = endpoint
    }

    private func begin(_ trust: TLSClientContext) {
        let client = PlainClient()
        client.whenOpened = { [self, unowned client] in
            doneCount += 1
            if client.isResumed { resumedCount += 1 }
            client.stop()
            begin(trust)
        }
        client.whenEnded = { [self] _ in
            failedCount += 1
            // Not at once: a server that is gone must not be asked without end.
            run.loop.schedule(after: .milliseconds(50)) { [self] in begin(trust) }
        }
        client.connect(to: endpoint, on: run.loop, trust: trust)
    }
}
