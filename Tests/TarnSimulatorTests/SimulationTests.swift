import TarnSimulator
import Testing

struct SimulationTests {
    @Test(arguments: UInt64(1)...12)
    func `all laws hold, whatever fails`(seed: UInt64) {
        let report = Simulation(seed: seed, steps: 2_500).run()

        #expect(report.violation == nil, "\(report.trace.joined(separator: "\n"))")
        #expect(report.quietTimes > 0 && report.transactions > 0)
    }

    @Test(arguments: [UInt64](20...22))
    func `a seed names one history`(seed: UInt64) {
        let first = Simulation(seed: seed, steps: 1_000).run()
        let second = Simulation(seed: seed, steps: 1_000).run()
        let other = Simulation(seed: seed + 1_000, steps: 1_000).run()

        #expect(first.traceHash == second.traceHash)
        #expect(first.traceHash != other.traceHash)
    }

    @Test func `some of the work is overridden and some refused`() {
        let reports = (UInt64(30)...33).map { Simulation(seed: $0, steps: 1_000).run() }

        #expect(reports.contains { $0.overridden > 0 })
        #expect(reports.contains { $0.refused > 0 })
    }

    /// The law that each fault breaks first.
    private static let broken: [Sabotage: Set<Violation.Law>] = [
        .publishesEarly: [.durability],
        // Two pieces of a download at one version change places without a word.
        .reordersMessages: [.peace, .atomicity],
        .changesServerValue: [.durability, .atomicity],
        // What was sent and is not remembered looks like a copy of the replica at work.
        .dropsShadow: [.atomicity, .agreement, .peace],
        .dropsMember: [.atomicity, .agreement, .peace],
        .losesWrite: [.durability, .receipts, .atomicity],
    ]

    @Test(arguments: Sabotage.allCases)
    func `a planted fault is found`(sabotage: Sabotage) throws {
        let found = (UInt64(40)...60).lazy.compactMap { seed in
            Simulation(seed: seed, steps: 1_500, sabotage: sabotage).run().violation
        }.first

        let violation = try #require(found)
        #expect(Self.broken[sabotage]?.contains(violation.law) == true, "\(violation)")
    }

    @Test func `a broken law is told with both sides and the last events`() throws {
        let reports = (UInt64(40)...60).lazy.map {
            Simulation(seed: $0, steps: 1_500, sabotage: .dropsMember).run()
        }

        let report = try #require(reports.first { $0.violation?.sides.isEmpty == false })
        #expect((1...50).contains(report.trace.count))
        #expect(report.violation?.sides.count == 2)
    }
}
