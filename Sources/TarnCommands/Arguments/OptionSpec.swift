/// An option that a command, or the program, takes.
package struct OptionSpec: Hashable, Sendable {
    /// Without the dashes.
    package let name: String
    package let letter: Character?
    /// What stands for its value in a help text; nil where it has none.
    package let value: String?
    /// Whether it may be given several times.
    package let isRepeated: Bool
    package let summary: String

    package init(
        _ name: String, letter: Character? = nil, value: String? = nil, isRepeated: Bool = false,
        _ summary: String
    ) {
        self.name = name
        self.letter = letter
        self.value = value
        self.isRepeated = isRepeated
        self.summary = summary
    }

    /// As it is typed: `-p, --project NAME`.
    package var usage: String {
        let short = letter.map { "-\($0), " } ?? ""
        return short + "--\(name)" + (value.map { " \($0)" } ?? "")
    }

    /// What every command takes.
    package static let everywhere = [
        OptionSpec("profile", value: "NAME", "whose data; the default is \"default\""),
        OptionSpec("realm", value: "OWNER/NAME", "the default is your own \"todo\""),
        OptionSpec("json", "one JSON object a line, for programs"),
        OptionSpec("no-color", "no colours, as with NO_COLOR in the environment"),
        OptionSpec("help", letter: "h", "say how a command is used"),
        OptionSpec("version", "say which version this is"),
    ]
}
