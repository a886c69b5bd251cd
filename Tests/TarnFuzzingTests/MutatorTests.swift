import TarnFuzzing
import Testing

@Suite struct MutatorTests {
    private let inputs: [[UInt8]] = [Array(0..<40), Array("a text".utf8), []]

    private func mutations(seed: UInt64) -> [[UInt8]] {
        var mutator = Mutator(seed: seed, byteCountMax: 48)
        return (0..<400).map { _ in mutator.next(of: inputs) }
    }

    @Test func `a seed gives the same mutations again, another one others`() {
        #expect(mutations(seed: 7) == mutations(seed: 7))
        #expect(mutations(seed: 7) != mutations(seed: 8))
    }

    @Test(arguments: [UInt64](1...20))
    func `mutations are of many kinds and within their length`(seed: UInt64) {
        let mutations = mutations(seed: seed)

        #expect(mutations.allSatisfy { $0.count <= 48 })
        #expect(Set(mutations).count > 300)
        #expect(mutations.contains { $0.count > 40 })
        #expect(mutations.contains { $0.count < 6 })
    }

    @Test func `without inputs there is noise`() {
        var mutator = Mutator(seed: 1, byteCountMax: 48)
        let mutations = (0..<50).map { _ in mutator.next(of: []) }

        #expect(Set(mutations).count > 40)
    }
}
