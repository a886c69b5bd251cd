/// What the command line asks for.
package struct Arguments {
    package static let usage = """
        usage: tarn-simulate [--seed N | --seeds A..B] [--steps M] [--only LIST | --without LIST]
                             [--no-shrink] [--verbose]

        Runs worlds of servers, replicas, users and faults, and holds the laws to each. Where one
        does not hold, a shorter history is looked for that breaks it, too.
          --seed N        one seed; with its trace's hash
          --seeds A..B    these seeds, A and B among them (1..20)
          --steps M       events in each world (20000)
          --only LIST     of what people do and what goes wrong, these alone: 3,17,40
          --without LIST  all but these
          --no-shrink     look for no shorter history
          --verbose       every event as it happens
        Ends with 0 where all laws held, 1 where one did not, 64 for arguments that make no sense.
        """

    package var seeds: ClosedRange<UInt64> = 1...20
    package var steps = 20_000
    package var part = ScriptPart.all
    package var shortens = true
    package var isVerbose = false
    package var wantsHelp = false

    /// Nil where they make no sense.
    package init?(_ words: [String]) {
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
            case "--only", "--without":
                guard let list = rest.popFirst().flatMap(Self.list) else { return nil }
                part = word == "--only" ? .only(list) : .without(list)
            case "--no-shrink": shortens = false
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

    private static func list(_ text: String) -> Set<Int>? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = words.compactMap { Int($0) }
        return numbers.count == words.count ? Set(numbers) : nil
    }
}
