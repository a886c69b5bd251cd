import Synchronization

/// Counts durations by how long they were. Any thread may observe; the lock is held for a moment,
/// so it is for what happens a few thousand times a second at most.
final class Histogram: Sendable {
    struct Figures: Equatable, Sendable {
        /// How many were at most as long as each bound; longer ones are in `count` alone.
        var counts: [Int]
        var count = 0
        var sum = Duration.zero
    }

    /// In seconds: from a fast disk's sync to what nobody waits for.
    static let bounds = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    private let state = Mutex(Figures(counts: [Int](repeating: 0, count: bounds.count)))

    func observe(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        let first = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { figures in
            for index in first..<Self.bounds.count { figures.counts[index] += 1 }
            figures.count += 1
            figures.sum += duration
        }
    }

    var figures: Figures { state.withLock { $0 } }
}
