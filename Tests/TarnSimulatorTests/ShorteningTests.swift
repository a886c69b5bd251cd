import TarnSimulator
import Testing

/// A failure has to come with a history that a person can read.
struct ShorteningTests {
    /// A broken history, shortened.
    private static func shortened(
        _ sabotage: Sabotage, tries: Int = .max
    ) throws -> (long: Simulation.Report, short: Shortening.Result) {
        let found = (UInt64(40)...60).lazy.map { seed in
            let simulation = Simulation(seed: seed, steps: 1_500, sabotage: sabotage)
            return (simulation, simulation.run())
        }.first { $0.1.violation != nil }
        let (simulation, report) = try #require(found)
        var left = tries
        let shortening = Shortening(simulation, report) {
            left -= 1
            return left < 0
        }
        var begun = try #require(shortening)
        return (report, begun.run())
    }

    @Test(arguments: [Sabotage.dropsMember, .changesServerValue, .losesWrite])
    func `a broken law is left with the few acts that it takes`(sabotage: Sabotage) throws {
        let (long, short) = try Self.shortened(sabotage)

        let acts = short.report.acts.filter { !$0.hasPrefix(" ") }
        #expect(short.report.violation?.law == long.violation?.law)
        #expect(acts.count <= 8, "\(short.report.acts.joined(separator: "\n"))")
        #expect(short.report.steps <= long.steps)
    }

    @Test func `the words that are printed bring the same violation again`() throws {
        let (_, short) = try Self.shortened(.dropsMember)

        let words = short.simulation.commandLine.split(separator: " ").map(String.init)
        let arguments = try #require(Arguments(Array(words.dropFirst())))
        let again = Simulation(
            seed: arguments.seeds.lowerBound, steps: arguments.steps, part: arguments.part,
            sabotage: .dropsMember
        ).run()

        #expect(again.violation == short.report.violation)
        #expect(again.traceHash == short.report.traceHash)
    }

    @Test func `who has no time gets what was found by then`() throws {
        let (long, short) = try Self.shortened(.dropsMember, tries: 1)

        #expect(short.runs <= 1)
        #expect(short.report.violation?.law == long.violation?.law)
    }

    @Test(arguments: UInt64(70)...73)
    func `what is left out changes nothing about what the rest is`(seed: UInt64) throws {
        // Which process it is depends on how many were started before; what can fail, on what runs;
        // when it is, on how long a quiet time took.
        let changing = /( \d+, machine| process \d+,|,? at \d+)/
        func acts(_ part: ScriptPart) -> [Substring: String] {
            var acts: [Substring: String] = [:]
            _ = Simulation(seed: seed, steps: 400, part: part).run { line in
                guard let act = line.firstRange(of: "act ") else { return }
                let words = line[act.upperBound...].replacing(changing, with: "")
                acts[words.prefix { $0 != ":" }] = String(words)
            }
            return acts
        }
        let (whole, rest) = (acts(.all), acts(.without([1, 2, 3])))

        #expect(Set(rest.keys).isDisjoint(with: ["1", "2", "3"]))
        let both = Set(whole.keys).intersection(rest.keys)
        #expect(both.count * 2 > rest.count)
        for ordinal in both { #expect(whole[ordinal] == rest[ordinal]) }
    }

    @Test(
        arguments: [
            "--only", "--only 1,x", "--without 1,", "--seed", "--seeds 3..2", "--steps 0",
            "--noise",
        ])
    func `words that make no sense are refused`(words: String) {
        #expect(Arguments(words.split(separator: " ").map(String.init)) == nil)
    }
}
