/// Writes figures in Prometheus' text format, version 0.0.4: for each family its help, its type and
/// its samples.
struct PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    typealias Label = (name: String, value: String)

    private(set) var text = ""

    /// A number that only grows while the daemon runs; its name ends in `_total`.
    mutating func counter(_ name: String, _ help: String, _ value: some MetricValue) {
        precondition(name.hasSuffix("_total"), "a counter's name ends in _total")
        family(name, help, type: "counter")
        sample(name, [], value)
    }

    /// One that is told apart by a label, whose values are few and known beforehand.
    mutating func counter(
        _ name: String, _ help: String, by label: String, _ values: [(String, Int)]
    ) {
        precondition(name.hasSuffix("_total"), "a counter's name ends in _total")
        family(name, help, type: "counter")
        for (labelValue, value) in values { sample(name, [(label, labelValue)], value) }
    }

    /// A number of now. One that cannot be told is left out.
    mutating func gauge(
        _ name: String, _ help: String, labels: [Label] = [], _ value: (some MetricValue)?
    ) {
        guard let value else { return }
        family(name, help, type: "gauge")
        sample(name, labels, value)
    }

    /// Durations in seconds; the name says so.
    mutating func histogram(_ name: String, _ help: String, _ figures: Histogram.Figures) {
        precondition(name.hasSuffix("_seconds"), "a histogram's name ends in its unit")
        family(name, help, type: "histogram")
        for (bound, count) in zip(Histogram.bounds, figures.counts) {
            sample("\(name)_bucket", [("le", bound.metricText)], count)
        }
        sample("\(name)_bucket", [("le", "+Inf")], figures.count)
        sample("\(name)_sum", [], figures.sum / .seconds(1))
        sample("\(name)_count", [], figures.count)
    }

    private mutating func family(_ name: String, _ help: String, type: String) {
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ labels: [Label], _ value: some MetricValue) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value.metricText)\n"
    }

    private static func escaped(_ value: String, quotes: Bool = false) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\"" where quotes: text += "\\\""
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

/// What a sample may say.
protocol MetricValue {
    var metricText: String { get }
}

extension Int: MetricValue {
    var metricText: String { "\(self)" }
}

extension Double: MetricValue {
    var metricText: String {
        if isNaN { return "NaN" }
        guard isFinite else { return self < 0 ? "-Inf" : "+Inf" }
        return Int(exactly: self).map { "\($0)" } ?? "\(self)"
    }
}
