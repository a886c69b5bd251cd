import TarnModel
import TarnTesting
import Testing

struct StampRuleTests {
    @Test(arguments: [UInt64](1...50))
    func `a stamp is above what was seen, and otherwise the corrected clock or now`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let clock = ticks(&random)
            let now = ticks(&random)
            let offset = Int64.random(in: -100_000...100_000, using: &random)
            let (previous, visible) = (ticks(&random), ticks(&random))

            let fixed = StampRule.fixedTicks(
                clock: clock, offset: offset, now: now, previous: previous, visible: visible)

            #expect(fixed > previous)
            #expect(fixed > visible)
            let floor = max(previous, visible)
            // Never in the future, but for what was there already.
            #expect(fixed <= max(now, floor + 1))
            let claimed = Int64(clock >> 16) + offset
            if claimed >= 0, fixed != floor + 1, fixed != now {
                #expect(fixed >> 16 == UInt64(claimed))
                #expect(fixed & 0xFFFF == clock & 0xFFFF)
            }
        }
    }

    private func ticks(_ random: inout SeededGenerator) -> UInt64 {
        UInt64.random(in: 0..<1 << 20, using: &random) << 16 | random.next() & 0xFFFF
    }

    @Test(arguments: [0, 1, UInt64.max >> 1, .max], [Int64.min, -1, 0, 1, .max])
    func `no clock is so wrong that the rule traps`(extreme: UInt64, offset: Int64) {
        for (previous, visible) in [(0, 0), (extreme, 0), (0, extreme)] as [(UInt64, UInt64)] {
            let fixed = StampRule.fixedTicks(
                clock: extreme, offset: offset, now: extreme, previous: previous, visible: visible)
            #expect(fixed > max(previous, visible) || fixed == .max)
        }
    }

    @Test func `transactions of one replica that were written in one tick follow each other`() {
        var previous: UInt64 = 0
        for _ in 0..<5 {
            let fixed = StampRule.fixedTicks(
                clock: 10 << 16, offset: 0, now: 99 << 16, previous: previous, visible: 0)
            #expect(fixed > previous)
            previous = fixed
        }
        #expect(previous == (10 << 16) + 4)
    }

    @Test func `stamps are in the order of time, then of the replica`() {
        let early = Stamp(ticks: 1, replica: ReplicaID(9))
        let late = Stamp(ticks: 2, replica: ReplicaID(1))

        #expect(early < late)
        #expect(Stamp(ticks: 1, replica: ReplicaID(8)) < early)
        #expect(Stamp.ticks(milliseconds: -5) == 0)
        #expect(Stamp.ticks(milliseconds: .max) == 0xFFFF_FFFF_FFFF_0000)
    }
}
