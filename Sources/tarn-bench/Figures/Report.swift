/// Prints figures: at once as JSON, or as a table at the end.
final class Report {
    private struct Row {
        let name: String
        let value: String
        let unit: String
    }

    private let load: String
    private let isJSON: Bool
    private var rows: [Row] = []

    init(load: String, isJSON: Bool) {
        self.load = load
        self.isJSON = isJSON
    }

    func add(_ name: String, _ value: Double, _ unit: String) {
        let text = Self.text(value)
        if isJSON {
            BenchProgram.say(
                #"{"load":"\#(load)","name":"\#(name)","value":\#(text),"unit":"\#(unit)"}"#)
        } else {
            rows.append(Row(name: name, value: text, unit: unit))
        }
    }

    /// The middle and the end of the tail.
    func add(_ name: String, _ samples: Samples, _ unit: String) {
        add(name + "-p50", samples.percentile(50), unit)
        add(name + "-p99", samples.percentile(99), unit)
    }

    func finish() {
        guard !isJSON else { return }
        let nameWidth = rows.map(\.name.count).max() ?? 0
        let valueWidth = rows.map(\.value.count).max() ?? 0
        BenchProgram.say(load)
        for row in rows {
            let afterName = String(repeating: " ", count: nameWidth - row.name.count + 2)
            let beforeValue = String(repeating: " ", count: valueWidth - row.value.count)
            BenchProgram.say("  \(row.name)\(afterName)\(beforeValue)\(row.value)  \(row.unit)")
        }
    }

    /// Three places for small values, one for large ones; not a number where there is none.
    static func text(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "0" }
        let scale: Int64 = abs(value) < 100 ? 1000 : 10
        let whole = Int64((value * Double(scale)).rounded())
        let fraction = String(abs(whole) % scale)
        let places = scale == 1000 ? 3 : 1
        let padded = String(repeating: "0", count: places - fraction.count) + fraction
        return (whole < 0 ? "-" : "") + "\(abs(whole) / scale).\(padded)"
    }
}
