/// Runs one seed's world for a number of steps, with times of quiet between and at the end, in
/// which all laws are held to it.
package struct Simulation: Sendable {
    package struct Report: Sendable {
        package let seed: UInt64
        package let steps: Int
        /// Transactions that were decided.
        package let transactions: Int
        /// Of them: those that lost something to others, and those that were refused.
        package let overridden: Int
        package let refused: Int
        package let quietTimes: Int
        /// Milliseconds of the world's own time.
        package let duration: Int64
        package let traceHash: UInt64
        package let violation: Violation?
        /// The last events, where a law did not hold.
        package let trace: [String]
        /// What people did and what went wrong by then, each with its ordinal and what it came to.
        package let acts: [String]
        /// What was met, and how often.
        package let situations: [Situation: Int]
        /// The ordinal of the last of them.
        package let lastOrdinal: Int
    }

    package let seed: UInt64
    package var steps: Int
    /// What is played of what the seed has people do and go wrong.
    package var part: ScriptPart
    package let sabotage: Sabotage?

    package init(
        seed: UInt64, steps: Int, part: ScriptPart = .all, sabotage: Sabotage? = nil
    ) {
        self.seed = seed
        self.steps = steps
        self.part = part
        self.sabotage = sabotage
    }

    /// - Parameter echo: called with each event.
    package func run(echo: ((String) -> Void)? = nil) -> Report {
        let world = World(seed: seed, part: part, sabotage: sabotage, echo: echo)
        var violation: Violation?
        do throws(Violation) {
            while world.steps < steps { try settled { try world.step() } }
            try settled { try world.quiet() }
        } catch {
            violation = error
        }
        let isBroken = violation != nil
        return Report(
            seed: seed, steps: world.steps, transactions: world.ledger.decidedCount,
            overridden: world.ledger.overriddenCount, refused: world.ledger.refusedCount,
            quietTimes: world.quietTimes, duration: world.now, traceHash: world.trace.hash,
            violation: violation, trace: isBroken ? world.trace.lastLines : [],
            acts: isBroken ? world.trace.acts : [], situations: world.situations,
            lastOrdinal: world.lastOrdinal)
    }

    private func settled(_ body: () throws -> Void) throws(Violation) {
        do {
            try body()
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.peace, "an engine failed: \(error)")
        }
    }

    /// The words that `tarn-simulate` is to be given for this very run.
    package var commandLine: String {
        let words = "tarn-simulate --seed \(seed) --steps \(steps)"
        func list(_ ordinals: Set<Int>) -> String {
            ordinals.isEmpty ? "0" : ordinals.sorted().map(String.init).joined(separator: ",")
        }
        return switch part {
        case .all: words
        case .without(let left): words + " --without " + list(left)
        case .only(let kept): words + " --only " + list(kept)
        }
    }
}
