/// Where a command's words go to and a person's answers come from.
package protocol Terminal: AnyObject {
    /// Whether a person sits there, who can answer a question.
    var canAsk: Bool { get }
    /// Columns of the standard output; nil where it is no terminal.
    var width: Int? { get }

    /// Writes to the standard output, as it is.
    func write(_ text: String) throws(OutputClosed)
    /// Writes to the standard error; fails in silence.
    func writeError(_ text: String)

    /// A line that a person types; nil where the input ends.
    func answer(to question: String) -> String?
    /// The same, without showing it.
    func secret(_ question: String) -> String?
    /// The next line of the standard input, whoever sits there.
    func inputLine() -> String?
}
