import TarnClient
import TarnModel
import TarnStorage
import TarnTesting
import Testing

struct LeaseRuleTests {
    private let own = LeaseHolder(process: 1, started: 10, boot: "today")
    private let other = LeaseHolder(process: 2, started: 20, boot: "today")

    private func verdict(
        _ lease: Lease, holding: UInt64? = nil, now: Int64, isAlive: Bool = true
    ) -> LeaseRule.Verdict {
        LeaseRule.verdict(on: lease, by: own, holding: holding, now: now, isAlive: isAlive)
    }

    private func acquired(epoch: UInt64, now: Int64) -> LeaseRule.Verdict {
        .acquire(Lease(epoch: epoch, holder: own, renewed: now))
    }

    @Test func `nobody's lease is taken under the next epoch`() {
        #expect(
            verdict(Lease(epoch: 3, holder: nil, renewed: 0), now: 9) == acquired(epoch: 4, now: 9))
    }

    @Test func `a lease that another holds is waited for, and taken when it is stale`() {
        let lease = Lease(epoch: 3, holder: other, renewed: 1_000)

        #expect(verdict(lease, now: 1_000) == .wait(1_000))
        #expect(verdict(lease, now: 4_500) == .wait(500))
        #expect(verdict(lease, now: 5_000) == acquired(epoch: 4, now: 5_000))
    }

    @Test func `a dead process's lease, or one from before a restart, is taken at once`() {
        let lease = Lease(epoch: 3, holder: other, renewed: 1_000)
        let old = LeaseHolder(process: 2, started: 20, boot: "yesterday")

        #expect(verdict(lease, now: 1_001, isAlive: false) == acquired(epoch: 4, now: 1_001))
        #expect(
            verdict(Lease(epoch: 3, holder: old, renewed: 1_000), now: 1_001)
                == acquired(epoch: 4, now: 1_001))
    }

    @Test func `a leader renews each second`() {
        let lease = Lease(epoch: 3, holder: own, renewed: 1_000)

        #expect(verdict(lease, holding: 3, now: 1_999) == .lead(nil))
        #expect(
            verdict(lease, holding: 3, now: 2_000)
                == .lead(Lease(epoch: 3, holder: own, renewed: 2_000)))
    }

    @Test func `a leader that was taken over from has lost`() {
        #expect(
            verdict(Lease(epoch: 4, holder: other, renewed: 1_000), holding: 3, now: 1_000)
                == .lost)
    }

    /// A time from before the wait for another's writing would be older than the lease that the
    /// other took meanwhile.
    @Test func `the clock is read when nobody else can write`() throws {
        let memory = MemoryReplica()
        let (mine, others) = (
            try ReplicaFixture(memory: memory), try ReplicaFixture(memory: memory)
        )
        var failure: ReplicaError?
        func time() -> Int64 {
            failure = #expect(throws: ReplicaError.self) {
                try others.replica.claimLease(by: other, holding: nil, now: 0) { _ in true }
            }
            return 7
        }

        let verdict = try mine.replica.claimLease(by: own, holding: nil, now: time()) { _ in true }

        #expect(verdict == acquired(epoch: 1, now: 7))
        #expect(failure?.cause?.code == .busy)
    }

    @Test(arguments: UInt64(1)...20)
    func `of three processes no two lead at a time`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let memory = MemoryReplica()
        let fixtures = try (0..<3).map { _ in try ReplicaFixture(memory: memory) }
        let holders = (0..<3).map { LeaseHolder(process: $0, started: 1, boot: "b") }
        var held: [UInt64?] = [nil, nil, nil]
        var now: Int64 = 0
        var leaders = 0

        for _ in 0..<300 {
            now += Int64.random(in: 0...1_500, using: &random)
            let index = Int.random(in: 0..<3, using: &random)
            if let epoch = held[index], Int.random(in: 0..<10, using: &random) == 0 {
                try fixtures[index].replica.releaseLease(
                    by: holders[index], holding: epoch, now: now)
                held[index] = nil
            }
            let verdict = try fixtures[index].replica.claimLease(
                by: holders[index], holding: held[index], now: now, isAlive: { _ in true })
            switch verdict {
            case .acquire(let lease):
                leaders += 1
                held[index] = lease.epoch
            case .lead: break
            case .wait: #expect(held[index] == nil)
            case .lost: held[index] = nil
            }
            // Who has an older epoch writes nothing: `integrate` asks for it.
            let current = try fixtures[0].read { try $0.store.lease() }
            let believed = held.compactMap { $0 }
            #expect(believed.filter { $0 == current.epoch && current.holder != nil }.count <= 1)
        }
        #expect(leaders > 1)
    }
}
