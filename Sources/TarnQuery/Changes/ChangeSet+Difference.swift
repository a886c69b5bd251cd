extension ChangeSet {
    /// What leads from the old rows to the new ones. No row may stand twice in either.
    ///
    /// What is common at both ends costs one comparison a row; the rest O(n log n).
    /// - Parameter modified: rows whose contents changed; those that are not in both do not matter.
    package static func between<Row: Hashable>(
        old: [Row], new: [Row], modified: Set<Row> = []
    ) -> ChangeSet {
        var start = 0
        while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
        var (oldEnd, newEnd) = (old.count, new.count)
        while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        var changes = ChangeSet()
        var middle: [Modification] = []
        if start < oldEnd || start < newEnd {
            middle = changes.compare(old, start..<oldEnd, new, start..<newEnd, modified)
        }
        guard !modified.isEmpty else { return changes }
        for index in 0..<start where modified.contains(new[index]) {
            changes.modifications.append(Modification(old: index, new: index))
        }
        changes.modifications += middle
        for index in newEnd..<new.count where modified.contains(new[index]) {
            let shift = oldEnd - newEnd
            changes.modifications.append(Modification(old: index + shift, new: index))
        }
        return changes
    }

    /// Compares what lies between the common ends, and answers what was modified there.
    private mutating func compare<Row: Hashable>(
        _ old: [Row], _ oldRange: Range<Int>, _ new: [Row], _ newRange: Range<Int>,
        _ modified: Set<Row>
    ) -> [Modification] {
        var places = Dictionary(
            zip(old[oldRange], oldRange), uniquingKeysWith: { first, _ in first })
        // Rows in both, in their new order.
        var kept: [Move] = []
        for index in newRange {
            if let from = places.removeValue(forKey: new[index]) {
                kept.append(Move(from: from, to: index))
            } else {
                insertions.append(index)
            }
        }
        deletions = places.values.sorted()
        let staying = LongestIncreasing.indices(of: kept.map(\.from))
        var next = staying.startIndex
        for (index, row) in kept.enumerated() {
            if next < staying.endIndex, staying[next] == index {
                next += 1
            } else {
                moves.append(row)
            }
        }
        return kept.compactMap { row in
            modified.contains(new[row.to]) ? Modification(old: row.from, new: row.to) : nil
        }
    }
}
