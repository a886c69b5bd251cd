import CLinux
import Glibc
import TarnModel
import TarnProtocol
import TarnTransport

/// The part that subscribes, and notes when it has read what was written.
enum Watcher {
    static func run(_ arguments: RoleArguments) throws(BenchError) {
        let run = try LoopRun()
        let trust = try LoopRun.trust(arguments.text("authority"))
        let endpoint = Endpoint(
            host: "127.0.0.1", port: UInt16(clamping: try arguments.number("port")))
        let crowd = Crowd(run, to: endpoint, trust: trust)
        let clients = try crowd.add(1, .subscribed, credentials: .nickname(Workload.user))
        var seen: [(number: Int, time: Int64)] = []
        for client in clients {
            client.whenGroup = { _, group in
                let numbers = numbers(in: group)
                guard !numbers.isEmpty else { return }
                let time = tarn_monotonic_nanoseconds()
                for number in numbers {
                    seen.append((number, time))
                    var byte: UInt8 = 1
                    write(3, &byte, 1)
                }
            }
        }
        BenchProgram.say("ready")
        let input = try LineInput(on: run.loop) { line in
            if line == nil { run.finish() }
        }
        try run.phase("watching", atMost: .seconds(300)) {}
        withExtendedLifetime(input) {
            BenchProgram.say(seen.map { "seen \($0.number) \($0.time)\n" }.joined())
        }
    }

    /// The edits that a group tells of, read to their values.
    private static func numbers(in group: Group) -> [Int] {
        var numbers: [Int] = []
        for view in group.views {
            guard let delta = try? ViewDelta(decoding: view.delta) else { continue }
            for change in delta.changes {
                numbers += change.values.compactMap { Workload.number(in: $0.value) }
            }
        }
        return numbers
    }
}
