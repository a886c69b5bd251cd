/// What somebody may have meant by a name that does not exist.
package enum NameSuggestion {
    /// Longer names are not compared: a stranger chooses them.
    private static let bytesMax = 64

    /// `; did you mean "owner"?`, or nothing where no name is close.
    package static func question(for name: String, among names: [String]) -> String {
        let wanted = Array(name.lowercased().utf8)
        guard wanted.count <= bytesMax else { return "" }
        var best: (name: String, distance: Int)?
        for candidate in names {
            let distance = distance(wanted, Array(candidate.lowercased().utf8))
            if distance < best?.distance ?? (max(1, wanted.count / 3) + 1) {
                best = (candidate, distance)
            }
        }
        return best.map { "; did you mean \"\($0.name)\"?" } ?? ""
    }

    /// How many letters must be put in, taken out, replaced or swapped with their neighbour
    /// (Damerau and Levenshtein, each letter once).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (previous, beforePrevious) = (Array(0...right.count), [Int]())
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = previous[column] + (letter == other ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
