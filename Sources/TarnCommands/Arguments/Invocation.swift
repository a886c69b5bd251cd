/// A command line that has been understood: the command, its operands, the values of its options.
package struct Invocation: Sendable {
    package let command: CommandSpec
    package let operands: [String]
    private let values: [String: [String]]

    package init(_ command: CommandSpec, operands: [String], values: [String: [String]]) {
        self.command = command
        self.operands = operands
        self.values = values
    }

    package func has(_ option: String) -> Bool { values[option] != nil }
    package func value(_ option: String) -> String? { values[option]?.last }
    package func values(_ option: String) -> [String] { values[option] ?? [] }

    /// The number that an option was given; nil where it was not.
    package func number(
        _ option: String, in range: ClosedRange<Int>
    ) throws(CommandError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let wanted =
                range.upperBound == .max
                ? "a number from \(range.lowerBound) on"
                : "a number from \(range.lowerBound) to \(range.upperBound)"
            throw CommandError(.usage, "--\(option) takes \(wanted), not \"\(text)\"")
        }
        return number
    }
}
