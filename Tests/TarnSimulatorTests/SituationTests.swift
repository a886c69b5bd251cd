import TarnSimulator
import Testing

struct SituationTests {
    @Test func `everything that a simulation is there to bring about is met`() {
        var met: Set<Situation> = []
        for seed in UInt64(100)...140 where met.count < Situation.allCases.count {
            met.formUnion(Simulation(seed: seed, steps: 2_000).run().situations.keys)
        }

        #expect(Set(Situation.allCases).subtracting(met).isEmpty)
    }
}
