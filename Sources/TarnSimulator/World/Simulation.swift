/// Runs one seed's world for a number of steps, with times of quiet between, in which all laws are
/// held to it.
package struct Simulation {
    package struct Report {
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
    }

    package let seed: UInt64
    package let steps: Int
    package var sabotage: Sabotage?
    /// Called with each event.
    package var echo: ((String) -> Void)?

    package init(
        seed: UInt64, steps: Int, sabotage: Sabotage? = nil, echo: ((String) -> Void)? = nil
    ) {
        self.seed = seed
        self.steps = steps
        self.sabotage = sabotage
        self.echo = echo
    }

    package func run() -> Report {
        let world = World(seed: seed, sabotage: sabotage, echo: echo)
        var step = 0
        var quietTimes = 0
        var violation: Violation?
        do throws(Violation) {
            while step < steps {
                try settled { try world.step() }
                step += 1
                guard step == steps || step % world.profile.stepsAQuiet == 0 else { continue }
                try settled { try world.quiet() }
                quietTimes += 1
            }
        } catch {
            violation = error
        }
        return Report(
            seed: seed, steps: step, transactions: world.ledger.decidedCount,
            overridden: world.ledger.overriddenCount, refused: world.ledger.refusedCount,
            quietTimes: quietTimes, duration: world.now, traceHash: world.trace.hash,
            violation: violation, trace: violation == nil ? [] : world.trace.lastLines)
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
}
