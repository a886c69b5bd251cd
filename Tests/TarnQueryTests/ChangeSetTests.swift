import TarnQuery
import TarnTesting
import Testing

struct ChangeSetTests {
    @Test func `nothing changed`() {
        #expect(ChangeSet.between(old: [1, 2], new: [1, 2], modified: [7]).isEmpty)
    }

    @Test func `one row moves to the front as one move`() {
        let changes = ChangeSet.between(old: [1, 2, 3, 4], new: [4, 1, 2, 3], modified: [4])

        #expect(changes.moves == [ChangeSet.Move(from: 3, to: 0)])
        #expect(changes.modifications == [ChangeSet.Modification(old: 3, new: 0)])
        #expect(changes.deletions.isEmpty)
        #expect(changes.insertions.isEmpty)
    }

    @Test func `deletions are old indices and insertions new ones`() {
        let changes = ChangeSet.between(
            old: ["a", "b", "c", "d"], new: ["x", "a", "c", "y"], modified: ["c", "b", "x"])

        #expect(changes.deletions == [1, 3])
        #expect(changes.insertions == [0, 3])
        #expect(changes.modifications == [ChangeSet.Modification(old: 2, new: 2)])
    }

    @Test func `a change set that does not fit is not applied`() {
        var changes = ChangeSet()
        changes.deletions = [5]
        #expect(changes.applied(to: [1], inserting: []) == nil)
        changes.deletions = []
        changes.moves = [ChangeSet.Move(from: 0, to: 9)]
        #expect(changes.applied(to: [1, 2], inserting: []) == nil)
    }

    @Test(arguments: [UInt64](1...40))
    func `a change set applied to the old rows gives the new rows`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            let old = rows(&random)
            var new = Bool.random(using: &random) ? rows(&random) : old
            for _ in 0..<Int.random(in: 0...3, using: &random) where new.count > 1 {
                let row = new.remove(at: Int.random(in: 0..<new.count, using: &random))
                new.insert(row, at: Int.random(in: 0...new.count, using: &random))
            }
            let modified = Set(rows(&random))

            let changes = ChangeSet.between(old: old, new: new, modified: modified)

            #expect(changes.applied(to: old, inserting: new) == new)
            #expect(Set(changes.deletions.map { old[$0] }) == Set(old).subtracting(new))
            #expect(Set(changes.insertions.map { new[$0] }) == Set(new).subtracting(old))
            #expect(
                changes.modifications.map { new[$0.new] }
                    == new.filter {
                        modified.contains($0) && old.contains($0)
                    })
            #expect(changes.modifications.allSatisfy { old[$0.old] == new[$0.new] })
            #expect(changes.moves.allSatisfy { old[$0.from] == new[$0.to] })
            #expect(changes.moves.count == leastMoves(from: old, to: new))
        }
    }

    private func rows(_ random: inout SeededGenerator) -> [Int] {
        Array((0..<14).shuffled(using: &random).prefix(Int.random(in: 0...14, using: &random)))
    }

    /// By the quadratic recurrence.
    private func leastMoves(from old: [Int], to new: [Int]) -> Int {
        let places = new.compactMap { old.firstIndex(of: $0) }
        var lengths: [Int] = []
        for (index, place) in places.enumerated() {
            let before = (0..<index).filter { places[$0] < place }.map { lengths[$0] }
            lengths.append(1 + (before.max() ?? 0))
        }
        return places.count - (lengths.max() ?? 0)
    }
}
