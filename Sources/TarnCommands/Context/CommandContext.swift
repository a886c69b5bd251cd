import TarnModel

/// What a command works with, and how it answers.
package final class CommandContext {
    package let terminal: any Terminal
    package let isJSON: Bool
    package let paint: Paint
    package let profile: any CommandProfile
    /// Milliseconds since 1970.
    package let now: () -> Int64
    package let environment: (_ variable: String) -> String?
    /// `--realm`; nil for the user's own list.
    private let realmName: String?
    private var random: any RandomNumberGenerator

    package init(
        terminal: any Terminal, isJSON: Bool, paint: Paint, realm: String?,
        profile: any CommandProfile, now: @escaping () -> Int64,
        environment: @escaping (_ variable: String) -> String?,
        random: any RandomNumberGenerator
    ) {
        self.terminal = terminal
        self.isJSON = isJSON
        self.paint = paint
        self.profile = profile
        self.now = now
        self.environment = environment
        realmName = realm
        self.random = random
    }

    package var width: Int? { terminal.width }

    /// A key and a time for a new object.
    package func birth() -> Birth { Birth(milliseconds: now(), random: &random) }

    // MARK: - Answers

    /// A line for people; its parts from others are `escaped`.
    package func line(_ text: String) throws { try terminal.write(text + "\n") }

    package func line(_ value: JSONValue) throws { try terminal.write("\(value)\n") }

    /// One or the other, as was asked for.
    package func answer(_ text: @autoclosure () -> String, _ json: JSONValue) throws {
        if isJSON { try line(json) } else { try line(text()) }
    }

    /// Something beside the answer, on the standard error.
    package func note(_ text: String) { terminal.writeError(text + "\n") }

    // MARK: - The realm

    package func account() throws -> CommandAccount {
        guard let account = try profile.account() else {
            throw CommandError(
                .notAllowed,
                "nobody is logged in: see tarn login --help and tarn register --help")
        }
        return account
    }

    package func openRealm() throws -> any CommandRealm {
        let account = try account()
        guard let realmName else {
            guard let realm = RealmName(owner: account.user, name: TodoSchema.realm) else {
                throw CommandError(.badConfiguration, "\"\(account.user)\" cannot own a realm")
            }
            return try profile.open(realm)
        }
        guard let realm = RealmName(realmName) else {
            throw CommandError(
                .usage,
                "\"\(realmName)\" is no realm: OWNER/NAME, in small letters, digits, -, _ and .")
        }
        return try profile.open(realm)
    }

    // MARK: - Questions

    /// Asks a question that is answered by yes or no. Without a person it is an error that says
    /// how to do without one.
    package func isConfirmed(_ question: String, orElse advice: String) throws -> Bool {
        guard terminal.canAsk else {
            let lines = question.split(separator: "\n").map(String.init)
            throw CommandError(
                .usage, lines.first ?? question,
                details: lines.dropFirst() + ["Nobody can answer here: \(advice)"])
        }
        for _ in 0..<3 {
            guard let answer = terminal.answer(to: "\(question) [y/N] ") else { return false }
            switch answer.lowercased() {
            case "y", "yes": return true
            case "", "n", "no": return false
            default: terminal.writeError("Please answer y or n.\n")
            }
        }
        return false
    }
}
