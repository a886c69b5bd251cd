/// What `--help` says.
package enum HelpText {
    package static func program(_ commands: [CommandSpec]) -> String {
        var text = """
            tarn: tasks and other objects, on this machine and in step with a server

            usage: tarn [--profile NAME] [--realm OWNER/NAME] [--json] COMMAND ...

            commands:

            """
        text += table(commands.map { ("\($0.name) \($0.operands)", $0.summary) })
        text += "\noptions of every command:\n"
        text += table(OptionSpec.everywhere.map { ($0.usage, $0.summary) })
        text += """

            A task or project is named by its title, or by the short id that is shown beside it.
            tarn COMMAND --help says more about one command.

            exit codes:

            """
        return text + table(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
    }

    package static func command(_ command: CommandSpec) -> String {
        var text = "usage: \(command.usage)\n\n\(command.summary)\n"
        if !command.details.isEmpty { text += "\n\(command.details)\n" }
        if !command.options.isEmpty {
            text += "\noptions:\n" + table(command.options.map { ($0.usage, $0.summary) })
        }
        return text
    }

    /// Two columns; what is too wide for the first one has a line of its own.
    private static func table(_ rows: [(String, String)]) -> String {
        let widest = min(rows.map(\.0.count).max() ?? 0, 26)
        return rows.map { left, right in
            let padding = String(repeating: " ", count: max(0, widest - left.count))
            return left.count > widest
                ? "  \(left)\n  \(String(repeating: " ", count: widest))  \(right)\n"
                : "  \(left)\(padding)  \(right)\n"
        }.joined()
    }
}
