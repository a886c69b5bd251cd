/// What can be measured.
enum Load: String, CaseIterable {
    case commitToNotify = "commit-to-notify"
    case fanOut = "fan-out"
    case writes
    case idleMemory = "idle-memory"
    case slowReaders = "slow-readers"
    case echo
    case handshakes
    case largestCommit = "largest-commit"

    var summary: String {
        switch self {
        case .commitToNotify: "a durable write at one process to its arrival at another"
        case .fanOut: "one commit to 1,000 subscribers: the server's CPU a delivery"
        case .writes: "50 writers: durable, acknowledged transactions a second"
        case .echo: "an echo of 100 bytes: the server's CPU, beside the same in C"
        case .handshakes: "200 handshakes under way: what they cost, and who is connected feels"
        case .idleMemory: "resident memory of an idle connection, bare and subscribed"
        case .largestCommit: "what one client's largest transactions do to others' commits"
        case .slowReaders: "what 1,000 subscribers that do not read cost one that does"
        }
    }

    func measure(
        on stage: Stage, _ options: Options, into report: Report
    ) throws(BenchError) {
        switch self {
        case .commitToNotify: try CommitToNotify(stage, options).measure(into: report)
        case .fanOut: try FanOut(stage, options).measure(into: report)
        case .writes: try Writes(stage, options).measure(into: report)
        case .echo: try Echo(stage, options).measure(into: report)
        case .handshakes: try Handshakes(stage, options).measure(into: report)
        case .idleMemory: try IdleMemory(stage, options).measure(into: report)
        case .largestCommit: try LargestCommit(stage, options).measure(into: report)
        case .slowReaders: try SlowReaders(stage, options).measure(into: report)
        }
    }
}
