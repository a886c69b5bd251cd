import TarnModel
import TarnTesting
import Testing

/// Lists as the server places them: transactions that do not see each other, in any order.
struct SlotRuleTests {
    /// What one author did to a list: slots with the places that they were wanted at.
    private struct Author {
        let id: TransactionID
        let stamp: Stamp
        /// The list as the author sees it.
        var seen: [SlotID]
        var slots: [PlacedSlot] = []

        init(_ number: UInt64, ticks: UInt64, seeing seen: [SlotID]) {
            id = TransactionID(replica: ReplicaID(number), sequence: 1)
            stamp = Stamp(ticks: ticks, replica: ReplicaID(number))
            self.seen = seen
        }

        mutating func insert(at index: Int) {
            let place = ListPlace(
                after: index > 0 ? seen[index - 1] : nil,
                before: index < seen.count ? seen[index] : nil)
            let slot = SlotID(transaction: id, ordinal: UInt32(slots.count))
            slots.append(PlacedSlot(id: slot, place: place, stamp: stamp))
            seen.insert(slot, at: index)
        }
    }

    private func place(_ slots: [PlacedSlot], in list: inout [PlacedSlot]) {
        for slot in slots {
            let start = slot.place.after.flatMap { after in list.firstIndex { $0.id == after } }
            let end = slot.place.before.flatMap { before in list.firstIndex { $0.id == before } }
            let range = (start.map { $0 + 1 } ?? 0)..<(end ?? list.count)
            let index = SlotRule.index(of: slot, among: Array(list[range]))
            list.insert(slot, at: range.lowerBound + index)
        }
    }

    /// Slots of one author, put in anywhere.
    private func base(_ count: Int, _ random: inout SeededGenerator) -> [PlacedSlot] {
        var author = Author(0, ticks: 0, seeing: [])
        for index in 0..<count { author.insert(at: .random(in: 0...index, using: &random)) }
        var list: [PlacedSlot] = []
        place(author.slots, in: &list)
        return list
    }

    private func orders<Element>(of elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }

    private func placed(_ authors: [Author], on base: [PlacedSlot]) -> [SlotID] {
        var list = base
        for author in authors { place(author.slots, in: &list) }
        return list.map(\.id)
    }

    @Test(arguments: [true, false], [true, false])
    func `runs put at one place do not mix, from left to right and from right to left`(
        firstForward: Bool, secondForward: Bool
    ) {
        var random = SeededGenerator(seed: 1)
        let base = base(2, &random)
        var first = Author(1, ticks: 1, seeing: base.map(\.id))
        var second = Author(2, ticks: 2, seeing: base.map(\.id))
        for index in 0..<4 {
            first.insert(at: firstForward ? 1 + index : 1)
            second.insert(at: secondForward ? 1 + index : 1)
        }

        for order in [[first, second], [second, first]] {
            let middle = placed(order, on: base).dropFirst().dropLast()
            #expect(middle.prefix(4) == first.seen.dropFirst().dropLast())
            #expect(middle.suffix(4) == second.seen.dropFirst().dropLast())
        }
    }

    @Test(arguments: [UInt64](1...100))
    func `runs do not mix where slots that were left stand between`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let base = base(6, &random)
        let seen = base.map(\.id).filter { _ in Bool.random(using: &random) }
        let place = Int.random(in: 0...seen.count, using: &random)
        var authors = [Author(1, ticks: 1, seeing: seen), Author(2, ticks: 2, seeing: seen)]
        for author in authors.indices {
            let isForward = Bool.random(using: &random)
            for index in 0..<4 { authors[author].insert(at: isForward ? place + index : place) }
        }

        for order in [authors, authors.reversed()] {
            let list = placed(order, on: base)
            let new = list.filter { $0.transaction.replica.rawValue > 0 }
            for (author, run) in zip(authors, [new.prefix(4), new.suffix(4)]) {
                #expect(Array(run) == Array(author.seen[place..<place + 4]))
                let start = list.firstIndex(of: run[run.startIndex]) ?? 0
                #expect(Array(list[start..<start + 4]) == Array(run), "nothing stands inside")
            }
        }
    }

    @Test(arguments: [UInt64](1...100))
    func `the order of arrival does not decide the order of the list`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let base = base(.random(in: 0...5, using: &random), &random)
            // Slots that were left before stand between, unseen.
            let seen = base.map(\.id).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            let authors = (1...Int.random(in: 2...3, using: &random)).map { number in
                var author = Author(
                    UInt64(number), ticks: .random(in: 1...3, using: &random), seeing: seen)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    author.insert(at: .random(in: 0...author.seen.count, using: &random))
                }
                return author
            }

            let outcomes = orders(of: authors).map { placed($0, on: base) }

            #expect(Set(outcomes).count == 1, "\(outcomes)")
            for author in authors {
                let own = outcomes[0].filter(Set(author.seen).contains)
                #expect(own == author.seen, "an author's own order stands")
            }
        }
    }

    @Test(arguments: [UInt64](1...60))
    func `who writes after another keeps both their orders, whoever comes between`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let base = base(.random(in: 0...3, using: &random), &random)
        func author(_ number: UInt64, ticks: UInt64, seeing seen: [SlotID]) -> Author {
            var author = Author(number, ticks: ticks, seeing: seen)
            for _ in 0..<4 { author.insert(at: .random(in: 0...author.seen.count, using: &random)) }
            return author
        }
        let first = author(1, ticks: 1, seeing: base.map(\.id))
        let stranger = author(2, ticks: .random(in: 1...9, using: &random), seeing: base.map(\.id))
        let second = author(3, ticks: 5, seeing: placed([first], on: base))

        let outcomes = [
            [first, second, stranger], [first, stranger, second], [stranger, first, second],
        ].map { placed($0, on: base) }

        #expect(Set(outcomes).count == 1)
        for author in [second, stranger] {
            #expect(outcomes[0].filter(Set(author.seen).contains) == author.seen)
        }
    }

    @Test func `slots wanted at one place stand in the order of their stamps`() {
        var random = SeededGenerator(seed: 1)
        let base = base(2, &random)
        let stamps: [(number: UInt64, ticks: UInt64)] = [(1, 30), (2, 10), (3, 20)]
        let authors = stamps.map { stamp in
            var author = Author(stamp.number, ticks: stamp.ticks, seeing: base.map(\.id))
            author.insert(at: 1)
            return author
        }

        for order in orders(of: authors) {
            let middle = placed(order, on: base).dropFirst().dropLast()
            #expect(middle.map(\.transaction.replica.rawValue) == [2, 3, 1])
        }
    }
}
