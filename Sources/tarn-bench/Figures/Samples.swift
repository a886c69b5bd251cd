/// Measured times, in microseconds.
struct Samples {
    private var values: [Double] = []

    var count: Int { values.count }

    mutating func add(contentsOf other: Samples) { values += other.values }

    var max: Double { values.max() ?? 0 }

    mutating func add(nanoseconds: Int64) { values.append(Double(nanoseconds) / 1000) }

    /// The value that so many of a hundred do not exceed; 0 without samples.
    func percentile(_ percent: Int) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return sorted[min(sorted.count * percent / 100, sorted.count - 1)]
    }
}
