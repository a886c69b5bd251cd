/// One command: how it is written, and what does it.
package struct CommandSpec: Sendable {
    /// `["project", "add"]`.
    package let words: [String]
    /// What stands for its operands in a help text: `TASK...`.
    package let operands: String
    package let operandCounts: ClosedRange<Int>
    package let options: [OptionSpec]
    package let summary: String
    /// More about it, for its own help.
    package let details: String
    package let run: @Sendable (Invocation, CommandContext) throws -> Void

    package init(
        _ name: String, _ operands: String = "", _ operandCounts: ClosedRange<Int> = 0...0,
        options: [OptionSpec] = [], _ summary: String, details: String = "",
        run: @escaping @Sendable (Invocation, CommandContext) throws -> Void
    ) {
        words = name.split(separator: " ").map(String.init)
        self.operands = operands
        self.operandCounts = operandCounts
        self.options = options
        self.summary = summary
        self.details = details
        self.run = run
    }

    package var name: String { words.joined(separator: " ") }

    /// `tarn add TITLE...`.
    package var usage: String {
        ["tarn", name, operands].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension ClosedRange where Bound == Int {
    /// For operands of any number.
    static func atLeast(_ least: Int) -> ClosedRange<Int> { least...Int.max }
}
