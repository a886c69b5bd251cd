/// What the command line asks for.
struct Arguments {
    static let usage = """
        usage: tarn-simulate [--seed N | --seeds A..B] [--steps M] [--verbose]

        Runs worlds of servers, replicas, users and faults, and holds the laws to each.
          --seed N       one seed; with its trace's hash
          --seeds A..B   these seeds, A and B among them (1..20)
          --steps M      events in each world (20000)
          --verbose      every event as it happens
        Ends with 0 where all laws held, 1 where one did not, 64 for arguments that make no sense.
        """

    var seeds: ClosedRange<UInt64> = 1...20
    var steps = 20_000
    var isVerbose = false
    var wantsHelp = false

    /// Nil where they make no sense.
    init?(_ words: [String]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--seed":
                guard let seed = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
                seeds = seed...seed
            case "--seeds":
                guard let range = rest.popFirst().flatMap(Self.range) else { return nil }
                seeds = range
            case "--steps":
                guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
                    return nil
                }
                steps = count
            case "--verbose": isVerbose = true
            case "--help", "-h": wantsHelp = true
            default: return nil
            }
        }
    }

    private static func range(_ text: String) -> ClosedRange<UInt64>? {
        guard let dots = text.firstRange(of: ".."),
            let first = UInt64(text[..<dots.lowerBound]),
            let last = UInt64(text[dots.upperBound...]), first <= last, last < .max
        else { return nil }
        return first...last
    }
}
