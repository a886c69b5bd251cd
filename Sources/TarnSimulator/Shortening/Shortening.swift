/// Shortens a history that breaks a law: by fewer steps, and by leaving out what people did and
/// what went wrong, as long as the same law is broken (delta debugging; Zeller and Hildebrandt,
/// "Simplifying and Isolating Failure-Inducing Input", 2002).
package struct Shortening {
    /// Asked before each run: it may end with what it has found by then.
    private let isTimeUp: () -> Bool
    private let law: Violation.Law
    /// What is left, and what came of it.
    private var best: Simulation
    private var report: Simulation.Report
    private var kept: [Int]
    private var runs = 0

    /// A shorter history, and how many were tried for it.
    package struct Result {
        package let simulation: Simulation
        package let report: Simulation.Report
        package let runs: Int
    }

    /// - Parameter report: of the simulation, and broken.
    package init?(
        _ simulation: Simulation, _ report: Simulation.Report, isTimeUp: @escaping () -> Bool
    ) {
        guard let law = report.violation?.law else { return nil }
        self.isTimeUp = isTimeUp
        self.law = law
        best = simulation
        self.report = report
        let played = report.lastOrdinal > 0 ? Array(1...report.lastOrdinal) : []
        kept = played.filter(simulation.part.contains)
    }

    package mutating func run() -> Result {
        _ = isShorter(kept)
        // Most histories need only their end.
        var isEnough = true
        while isEnough, kept.count > 1 { isEnough = isShorter(Array(kept.suffix(kept.count / 2))) }
        leaveOut()
        return Result(simulation: best, report: report, runs: runs)
    }

    /// Leaves out pieces, ever smaller ones, until no single one can be left out.
    private mutating func leaveOut() {
        var size = max(1, kept.count / 2)
        while true {
            let before = kept.count
            var end = kept.count
            while end > 0 {
                guard !isTimeUp() else { return }
                let begin = max(0, end - size)
                var candidate = kept
                candidate.removeSubrange(begin..<min(end, candidate.count))
                _ = isShorter(candidate)
                end = min(begin, kept.count)
            }
            if size > 1 {
                size = max(1, size / 2)
            } else if kept.count == before {
                return
            }
        }
    }

    /// Tries a part of what is left, and keeps to it where the law is still broken.
    private mutating func isShorter(_ ordinals: [Int]) -> Bool {
        guard !isTimeUp() else { return false }
        var candidate = best
        candidate.part = .only(Set(ordinals))
        let found = candidate.run()
        runs += 1
        guard found.violation?.law == law else { return false }
        candidate.steps = min(candidate.steps, found.steps)
        kept = ordinals.filter { $0 <= found.lastOrdinal }
        candidate.part = .only(Set(kept))
        (best, report) = (candidate, found)
        return true
    }
}
