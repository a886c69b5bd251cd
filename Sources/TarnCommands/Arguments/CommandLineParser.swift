import TarnQuery

/// Reads a command line. Options may stand anywhere until `--`, which makes the rest operands.
package struct CommandLineParser {
    package enum Request: Sendable {
        case run(Invocation)
        /// Nil for the program's own help.
        case help(CommandSpec?)
        case version
    }

    private let commands: [CommandSpec]
    private let options: [OptionSpec]

    /// Options of one name take a value in all commands, or in none.
    package init(_ commands: [CommandSpec]) {
        self.commands = commands
        options = OptionSpec.everywhere + commands.flatMap(\.options)
    }

    package func parse(_ arguments: [String]) throws(CommandError) -> Request {
        var words: [String] = []
        /// How many words stood before `--`: what is behind it is no command.
        var commandWordsMax: Int?
        var values: [String: [String]] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                commandWordsMax = words.count
                words += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            let (option, inline) = try option(argument)
            let value = try value(of: option, inline: inline, from: &rest)
            values[option.name, default: []].append(value)
        }
        if values["version"] != nil { return .version }
        return try request(words, commandWordsMax: commandWordsMax ?? words.count, values)
    }

    private func option(
        _ argument: String
    ) throws(CommandError) -> (option: OptionSpec, inline: String?) {
        guard argument.hasPrefix("--") else {
            let letters = argument.dropFirst()
            if letters.count == 1, let option = options.first(where: { $0.letter == letters.first })
            {
                return (option, nil)
            }
            throw CommandError(
                .usage, "there is no option \(argument); what is meant as text stands behind --")
        }
        let parts = argument.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else {
            throw CommandError(
                .usage,
                "there is no option --\(name)"
                    + NameSuggestion.question(for: name, among: options.map(\.name)))
        }
        return (option, parts.count == 2 ? String(parts[1]) : nil)
    }

    private func value(
        of option: OptionSpec, inline: String?, from rest: inout ArraySlice<String>
    ) throws(CommandError) -> String {
        guard let placeholder = option.value else {
            guard inline == nil else {
                throw CommandError(.usage, "--\(option.name) takes no value")
            }
            return ""
        }
        guard let value = inline ?? rest.popFirst() else {
            throw CommandError(.usage, "--\(option.name) needs a value: \(placeholder)")
        }
        return value
    }

    private func request(
        _ words: [String], commandWordsMax: Int, _ values: [String: [String]]
    ) throws(CommandError) -> Request {
        let candidates = words.prefix(commandWordsMax)
        guard let first = candidates.first else {
            if values["help"] != nil { return .help(nil) }
            throw CommandError(.usage, "tarn needs a command; tarn --help lists them")
        }
        if first == "help" { return .help(try helped(Array(words.dropFirst()))) }
        guard let command = command(in: candidates) else {
            throw unknown(Array(candidates))
        }
        if values["help"] != nil { return .help(command) }
        let operands = Array(words.dropFirst(command.words.count))
        try check(values, for: command)
        try check(operands, for: command)
        return .run(Invocation(command, operands: operands, values: values))
    }

    private func helped(_ words: [String]) throws(CommandError) -> CommandSpec? {
        guard !words.isEmpty else { return nil }
        guard let command = command(in: words[...]) else { throw unknown(words) }
        return command
    }

    /// Of commands that begin alike, the one that says most.
    private func command(in words: ArraySlice<String>) -> CommandSpec? {
        commands.filter { $0.words == Array(words.prefix($0.words.count)) }
            .max { $0.words.count < $1.words.count }
    }

    private func unknown(_ words: [String]) -> CommandError {
        let family = commands.filter { $0.words.count > 1 && $0.words[0] == words[0] }
        if !family.isEmpty {
            let verbs = family.map { $0.words[1] }
            guard words.count > 1 else {
                return CommandError(
                    .usage, "tarn \(words[0]) needs one of: \(verbs.joined(separator: ", "))")
            }
            return CommandError(
                .usage,
                "there is no command \"\(words[0]) \(words[1])\""
                    + NameSuggestion.question(for: words[1], among: verbs))
        }
        let question = NameSuggestion.question(
            for: words[0], among: Array(commands.map { $0.words[0] }))
        return CommandError(
            .usage,
            "there is no command \"\(words[0])\""
                + (question.isEmpty ? "; tarn --help lists them" : question))
    }

    private func check(
        _ values: [String: [String]], for command: CommandSpec
    ) throws(CommandError) {
        let allowed = OptionSpec.everywhere + command.options
        for (name, given) in values.sorted(by: { $0.key < $1.key }) {
            guard let option = allowed.first(where: { $0.name == name }) else {
                throw CommandError(.usage, "tarn \(command.name) takes no --\(name)")
            }
            if !option.isRepeated, option.value != nil, given.count > 1 {
                throw CommandError(.usage, "--\(name) is given twice")
            }
        }
    }

    private func check(_ operands: [String], for command: CommandSpec) throws(CommandError) {
        if operands.count < command.operandCounts.lowerBound {
            throw CommandError(.usage, "something is missing: \(command.usage)")
        }
        if operands.count > command.operandCounts.upperBound {
            let extra = operands[command.operandCounts.upperBound]
            throw CommandError(
                .usage,
                "\"\(extra)\" is too much: \(command.usage) (a name of several words is quoted)")
        }
    }
}
