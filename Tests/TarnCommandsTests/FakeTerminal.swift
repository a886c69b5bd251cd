import TarnCommands

/// A terminal that keeps what is written, and answers what a test has prepared.
final class FakeTerminal: Terminal {
    var canAsk = false
    var width: Int?
    /// Lines that a person types, the next one first.
    var answers: [String] = []
    /// How many more writes there are until the reader of the output goes away.
    var writesLeft = Int.max
    private(set) var output = ""
    private(set) var errors = ""
    private(set) var questions: [String] = []

    func write(_ text: String) throws(OutputClosed) {
        guard writesLeft > 0 else { throw OutputClosed() }
        writesLeft -= 1
        output += text
    }

    func writeError(_ text: String) { errors += text }

    func answer(to question: String) -> String? {
        questions.append(question)
        return inputLine()
    }

    func secret(_ question: String) -> String? { answer(to: question) }

    func inputLine() -> String? { answers.isEmpty ? nil : answers.removeFirst() }

    func clear() {
        output = ""
        errors = ""
        questions = []
    }
}
