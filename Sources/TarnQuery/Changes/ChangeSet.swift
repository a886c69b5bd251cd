/// What happened between two states of a result, by index, so that rows on a screen can follow:
/// applied to the old rows, it gives the new ones.
///
/// A row is in just one of deletions, insertions and moves, or in none of them; a moved row may be
/// modified, too. All lists ascend.
package struct ChangeSet: Hashable, Sendable {
    package struct Move: Hashable, Sendable {
        /// In the old rows.
        package let from: Int
        /// In the new rows.
        package let to: Int

        package init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// A row that stayed, and whose contents changed.
    package struct Modification: Hashable, Sendable {
        package let old: Int
        package let new: Int

        package init(old: Int, new: Int) {
            self.old = old
            self.new = new
        }
    }

    /// Indices in the old rows.
    package var deletions: [Int] = []
    /// Indices in the new rows.
    package var insertions: [Int] = []
    /// By index in the new rows.
    package var modifications: [Modification] = []
    /// By index in the new rows. As few as there can be.
    package var moves: [Move] = []

    package init() {}

    package var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && moves.isEmpty
    }

    /// The new rows: deleted and moved ones are taken out of the old rows, then inserted ones (from
    /// `new`) and moved ones are put in, at ascending indices. Nil where the change set does not
    /// fit the rows.
    package func applied<Row>(to old: [Row], inserting new: [Row]) -> [Row]? {
        var leaving = Set(deletions)
        for move in moves where !leaving.insert(move.from).inserted { return nil }
        guard leaving.allSatisfy(old.indices.contains) else { return nil }
        var arriving: [Int: Row] = [:]
        for index in insertions {
            guard new.indices.contains(index) else { return nil }
            arriving[index] = new[index]
        }
        for move in moves where arriving.updateValue(old[move.from], forKey: move.to) != nil {
            return nil
        }
        var staying = old.indices.lazy.filter { !leaving.contains($0) }.makeIterator()
        let count = old.count - leaving.count + arriving.count
        var rows: [Row] = []
        for index in 0..<count {
            if let row = arriving[index] {
                rows.append(row)
            } else if let from = staying.next() {
                rows.append(old[from])
            } else {
                return nil
            }
        }
        return rows
    }
}
