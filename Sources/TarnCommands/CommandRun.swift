/// One run of the program: from its arguments to its exit code.
package struct CommandRun {
    package static let version = "tarn 0.1"

    private let terminal: any Terminal
    private let environment: (_ variable: String) -> String?
    private let now: () -> Int64
    private let random: any RandomNumberGenerator
    private let openProfile: (_ name: String?) throws -> any CommandProfile

    /// - Parameter openProfile: opens the profile of a name; nil for the default one.
    package init(
        terminal: any Terminal, environment: @escaping (_ variable: String) -> String?,
        now: @escaping () -> Int64, random: any RandomNumberGenerator,
        openProfile: @escaping (_ name: String?) throws -> any CommandProfile
    ) {
        self.terminal = terminal
        self.environment = environment
        self.now = now
        self.random = random
        self.openProfile = openProfile
    }

    /// Does what the arguments say; every failure becomes one sentence on the standard error.
    package func run(_ arguments: [String]) -> Int32 {
        do {
            try obey(arguments)
            return ExitCode.done.rawValue
        } catch is OutputClosed {
            // Whoever reads has enough.
            return ExitCode.done.rawValue
        } catch let interruption as Interruption {
            return interruption.status
        } catch {
            let error = CommandError(anything: error)
            tell(error)
            return error.code.rawValue
        }
    }

    private func obey(_ arguments: [String]) throws {
        switch try CommandLineParser(CommandTable.commands).parse(arguments) {
        case .help(nil): try terminal.write(HelpText.program(CommandTable.commands))
        case .help(let command?): try terminal.write(HelpText.command(command))
        case .version: try terminal.write(Self.version + "\n")
        case .run(let invocation):
            let context = CommandContext(
                terminal: terminal, isJSON: invocation.has("json"), paint: paint(invocation),
                realm: invocation.value("realm"),
                profile: try openProfile(
                    invocation.value("profile") ?? named(environment("TARN_PROFILE"))),
                now: now, environment: environment, random: random)
            try invocation.command.run(invocation, context)
        }
    }

    private func named(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }

    private func paint(_ invocation: Invocation) -> Paint {
        let isForbidden =
            invocation.has("json") || invocation.has("no-color")
            || named(environment("NO_COLOR")) != nil || environment("TERM") == "dumb"
        return Paint(isOn: terminal.width != nil && !isForbidden)
    }

    private func tell(_ error: CommandError) {
        let sentence = error.sentence.escaped
        let stop = sentence.last.map { ".?!:".contains($0) } == true ? "" : "."
        terminal.writeError("tarn: \(sentence)\(stop)\n")
        for detail in error.details { terminal.writeError("  \(detail.escaped)\n") }
    }
}
