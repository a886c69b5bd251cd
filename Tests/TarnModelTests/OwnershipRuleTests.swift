import TarnModel
import Testing

/// What is decided when all changes of a transaction are applied.
struct OwnershipRuleTests {
    @Test(arguments: [
        (0, false, OwnershipRule.Fate.dies), (1, false, .stays), (2, false, .stays),
        (0, true, .dies), (1, true, .stays), (2, true, .refuses),
    ])
    func `what was owned dies with its last owner, and a part has one place`(
        owners: Int, isPart: Bool, fate: OwnershipRule.Fate
    ) {
        #expect(OwnershipRule.fate(owners: owners, isPart: isPart) == fate)
    }

    @Test func `a unique value stands once, and null as often as you like`() {
        #expect(UniqueRule.refuses(.string("a"), others: 1))
        #expect(!UniqueRule.refuses(.string("a"), others: 0))
        #expect(!UniqueRule.refuses(.null, others: 9))
    }

    @Test func `doubles are themselves to the bit, and have one order`() {
        let values: [Double] = [
            -.infinity, -1, -.leastNonzeroMagnitude, -0.0, 0, .leastNonzeroMagnitude, 1, .infinity,
        ]
        let reals = values.map { Real($0) }
        #expect(reals.sorted() == reals)
        #expect(Set(reals).count == reals.count)
        #expect(Real(.nan) == Real(.nan))
        #expect(Real(bits: 0x7FF8_0000_0000_0001) != Real(.nan))
    }
}
