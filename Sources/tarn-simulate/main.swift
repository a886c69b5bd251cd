import Glibc
import TarnSimulator

/// Swift gives its sets and dictionaries another order in every process. With it fixed, a seed's
/// history is the same to the byte.
func fixHashing() {
    guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    // Where this fails, the seeds run all the same.
    execv("/proc/self/exe", CommandLine.unsafeArgv)
}

func say(_ line: String) {
    print(line)
    fflush(nil)
}

func complain(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

func show(_ report: Simulation.Report) {
    let hash = String(report.traceHash, radix: 16)
    say(
        "seed \(report.seed): \(report.violation == nil ? "holds" : "BROKEN"), "
            + "\(report.steps) steps, \(report.transactions) transactions "
            + "(\(report.overridden) overridden, \(report.refused) refused), "
            + "\(report.quietTimes) quiet, \(report.duration / 1000) s, trace \(hash)")
    guard let violation = report.violation else { return }
    say("seed \(report.seed) step \(report.steps): \(violation)")
}

/// Seconds of this process's own work.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// A shorter history costs at most this many seconds.
let shorteningMax = 60.0

func showShortened(_ simulation: Simulation, _ report: Simulation.Report) {
    let end = processorTime() + shorteningMax
    var shortening = Shortening(simulation, report) { processorTime() >= end }
    guard let result = shortening?.run() else { return }
    if let violation = result.report.violation { say("shortened: \(violation)") }
    show(result.report, of: result.simulation)
}

/// How the history is had again, and what it is.
func show(_ report: Simulation.Report, of simulation: Simulation) {
    say("what people did and what went wrong:")
    for line in report.acts.suffix(200) { say("  " + line) }
    say("the last events:")
    for line in report.trace { say("  " + line) }
    say("to have it again:")
    say("  " + simulation.commandLine)
}

guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
    complain(Arguments.usage)
    exit(64)
}
if arguments.wantsHelp {
    say(Arguments.usage)
    exit(0)
}
fixHashing()
let echo: ((String) -> Void)? = arguments.isVerbose ? { say($0) } : nil
var broken: [UInt64] = []
var met: [Situation: Int] = [:]
for seed in arguments.seeds {
    let simulation = Simulation(seed: seed, steps: arguments.steps, part: arguments.part)
    let report = simulation.run(echo: echo)
    show(report)
    met.merge(report.situations, uniquingKeysWith: +)
    guard report.violation != nil else { continue }
    broken.append(seed)
    if arguments.shortens {
        showShortened(simulation, report)
    } else {
        show(report, of: simulation)
    }
}
if arguments.seeds.count > 1 {
    say("what was met, and how often:")
    for situation in Situation.allCases { say("  \(met[situation] ?? 0) \(situation.rawValue)") }
}
if !broken.isEmpty { say("broken: " + broken.map(String.init).joined(separator: " ")) }
exit(broken.isEmpty ? 0 : 1)
