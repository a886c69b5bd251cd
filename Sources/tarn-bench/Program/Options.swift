/// What a person may choose about a load. Everything is bounded, so that no run is without end.
struct Options {
    var isJSON = false
    /// Nil for the load's own number.
    var commits: Int?
    var connections: Int?
    var rounds: Int?
    var changes: Int?
    var bytes: Int?
    var creates = false
    /// Where the temporary folder with the daemon's data is made: the disk that is measured.
    var folder: String?
    /// The daemon to measure.
    var daemon: String?

    static let commitsMax = 100_000
    static let connectionsMax = 9_000
    static let roundsMax = 1_000
    static let changesMax = 1_000_000
    static let bytesMax = 64 << 20

    init(_ words: [String]) throws(BenchError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--commits": commits = try Self.number(word, &rest, upTo: Self.commitsMax)
            case "--rounds": rounds = try Self.number(word, &rest, upTo: Self.roundsMax)
            case "--changes": changes = try Self.number(word, &rest, upTo: Self.changesMax)
            case "--bytes": bytes = try Self.number(word, &rest, upTo: Self.bytesMax)
            case "--creates": creates = true
            case "--connections":
                connections = try Self.number(word, &rest, upTo: Self.connectionsMax)
            case "--folder": folder = try Self.value(word, &rest)
            case "--tarnd": daemon = try Self.value(word, &rest)
            default:
                throw .usage("There is no option \"\(word)\"; see tarn-bench --help.")
            }
        }
    }

    private static func value(
        _ option: String, _ rest: inout ArraySlice<String>
    ) throws(BenchError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw .usage("\(option) needs a value.")
        }
        return value
    }

    private static func number(
        _ option: String, _ rest: inout ArraySlice<String>, upTo most: Int
    ) throws(BenchError) -> Int {
        let text = try value(option, &rest)
        guard let number = Int(text), (1...most).contains(number) else {
            throw .usage("\(option) is a number from 1 to \(most), and \"\(text)\" is none.")
        }
        return number
    }
}
