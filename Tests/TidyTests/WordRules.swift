import Testing

/// Words that stand nowhere in the project. Their own list has them in halves.
enum WordRules {
    private static let unfinished: Set<String> = [
        "TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK",
    ]

    /// Places of one machine.
    private static let places = ["/wo" + "rk/", "/fa" + "rm/", "/ro" + "ot/", "/ho" + "me/user"]

    /// What a tracker of work says, and a reader of the project does not know.
    private static let tracking = "iss" + "ue"

    static func unfinishedWork(_ file: SourceFile) -> [Finding] {
        file.lines.enumerated().flatMap { index, line in
            Word.all(in: Array(line.utf8)).filter { unfinished.contains($0.text) }.map {
                file.finding(index + 1, "\($0.text): do it, or leave it out")
            }
        }
    }

    static func foreignWords(_ file: SourceFile) -> [Finding] {
        file.lines.enumerated().flatMap { index, line in
            places.filter(line.contains).map {
                file.finding(index + 1, "\($0) is a place on somebody's machine")
            } + trackedNumbers(line).map { file.finding(index + 1, "\($0) is not of the project") }
        }
    }

    private static func trackedNumbers(_ line: String) -> [String] {
        let words = Word.all(in: Array(line.utf8))
        return zip(words, words.dropFirst()).compactMap { word, next in
            guard word.text.lowercased() == tracking, next.text.allSatisfy(\.isNumber),
                next.start - word.end <= 2
            else { return nil }
            return "\(word.text) \(next.text)"
        }
    }
}

struct WordTests {
    @Test func `nothing is put off by a word in the sources`() {
        refuse(Repository.sources.flatMap(WordRules.unfinishedWork))
    }

    @Test func `the project speaks of itself alone`() {
        refuse(Repository.sources.flatMap(WordRules.foreignWords))
    }

    @Test(arguments: ["// TO" + "DO: later", "# FIX" + "ME", "let a = 1 // XX" + "X", "HA" + "CK"])
    func `unfinished work is found`(text: String) {
        #expect(lines(WordRules.unfinishedWork(SourceFile("a.md", "\n" + text))) == [2])
    }

    @Test(arguments: ["alice/todo", "mktemp /tmp/a.XXXXXX", "a hackle", "Todo"])
    func `ordinary words are let through`(text: String) {
        #expect(WordRules.unfinishedWork(SourceFile("a.md", text)).isEmpty)
    }

    @Test(arguments: ["see /wo" + "rk/notes", "iss" + "ue 12", "Iss" + "ue #3"])
    func `words from outside the project are found`(text: String) {
        #expect(lines(WordRules.foreignWords(SourceFile("a.sh", "\n" + text))) == [2])
    }
}
