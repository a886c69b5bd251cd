/// The longest increasing subsequence: what may stay where it is while everything else moves.
enum LongestIncreasing {
    /// Ascending indices of one, in O(n log n).
    static func indices(of numbers: [Int]) -> [Int] {
        // For each length, the index of the least number that ends a subsequence so long.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var indices: [Int] = []
        var index = ends.last ?? -1
        while index >= 0 {
            indices.append(index)
            index = previous[index]
        }
        return indices.reversed()
    }
}
