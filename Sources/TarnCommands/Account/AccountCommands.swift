import Tarn
import TarnClient
import TarnModel
import TarnStorage

/// `tarn register`, `login`, `logout` and `whoami`.
enum AccountCommands {
    private static let serverOptions = [
        OptionSpec("server", value: "HOST:PORT", "which server; TARN_SERVER in the environment"),
        OptionSpec("ca", value: "FILE", "a PEM file with the authority to trust"),
        OptionSpec("fingerprint", value: "SHA256", "trust just the certificate with this one"),
        OptionSpec("password-stdin", "read the password from the standard input"),
    ]
    private static let secretDetails = """
        The password is asked for without showing it; for programs it comes from --password-stdin
        or from TARN_PASSWORD. A certificate that nobody vouches for is shown by its fingerprint,
        and trusted only if you say so.
        """

    static let specs = [
        CommandSpec(
            "register", "NAME", 1...1, options: serverOptions,
            "make a new user on a server, and log in", details: secretDetails,
            run: { try login($0, $1, isNew: true) }),
        CommandSpec(
            "login", "NAME", 1...1,
            options: serverOptions + [
                OptionSpec("nickname", "by name alone, where the server allows that")
            ],
            "log in; your projects come to this machine", details: secretDetails,
            run: { try login($0, $1, isNew: false) }),
        CommandSpec(
            "logout", "", 0...0,
            options: [OptionSpec("force", "even where unsent work is lost by it")],
            "log out; your data goes from this machine", run: logout),
        CommandSpec("whoami", "", 0...0, "show who is logged in", run: whoami),
    ]

    private static func login(
        _ invocation: Invocation, _ context: CommandContext, isNew: Bool
    ) throws {
        let user = invocation.operands[0]
        guard !(invocation.has("ca") && invocation.has("fingerprint")) else {
            throw CommandError(.usage, "--ca and --fingerprint exclude each other")
        }
        guard !(invocation.has("nickname") && invocation.has("password-stdin")) else {
            throw CommandError(.usage, "a nickname has no password")
        }
        guard let server = invocation.value("server") ?? context.environment("TARN_SERVER") else {
            throw CommandError(.usage, "which server? --server HOST:PORT says it")
        }
        let trust: LoginRequest.Trust =
            if let file = invocation.value("ca") {
                .authority(file)
            } else if let fingerprint = invocation.value("fingerprint") {
                .fingerprint(fingerprint)
            } else {
                .usual
            }
        let kind: LoginRequest.Kind
        if invocation.has("nickname") {
            kind = .nickname
        } else {
            let password = try password(invocation, context, isNew: isNew)
            kind = isNew ? .register(password: password) : .password(password)
        }
        let request = LoginRequest(kind: kind, user: user, server: server, trust: trust)
        let account = try context.profile.login(request) { fingerprint, reason in
            try context.isConfirmed(
                "\(reason.escaped)\nThe certificate of \(server.escaped) has the fingerprint\n"
                    + "  \(fingerprint.escaped)\nDo you trust it?",
                orElse: "--ca FILE or --fingerprint SHA256 says what to trust.")
        }
        try prepare(context)
        try context.answer(
            "Logged in as \(account.user.escaped) at \(account.server.escaped)",
            [
                "action": "logged in", "user": .string(account.user),
                "server": .string(account.server),
            ])
    }

    /// Sees to it that the to-do list's classes are there, and that one's own projects come here.
    private static func prepare(_ context: CommandContext) throws {
        let realm = try context.openRealm()
        let sequence = try realm.write { transaction in
            try transaction.addTodoClasses()
            return transaction.id.sequence
        }
        // The server cannot answer for a class before it has it.
        _ = try realm.synchronise(milliseconds: CommandContext.patienceMilliseconds) {
            let chain = try realm.replica.read { try $0.status().chain }
            return chain.acknowledgedSequence >= min(sequence, chain.sequence)
        }
        _ = try realm.subscribe(
            to: TodoSchema.query, name: TodoSchema.subscription, arguments: [], depth: nil,
            update: true)
        _ = try realm.synchroniseAll(milliseconds: CommandContext.patienceMilliseconds)
    }

    private static func password(
        _ invocation: Invocation, _ context: CommandContext, isNew: Bool
    ) throws -> String {
        if invocation.has("password-stdin") {
            guard let line = context.terminal.inputLine() else {
                throw CommandError(.badData, "there is no password on the standard input")
            }
            return line
        }
        if let password = context.environment("TARN_PASSWORD") { return password }
        let advice = "--password-stdin or TARN_PASSWORD gives it without one"
        guard context.terminal.canAsk, let password = context.terminal.secret("Password: ") else {
            throw CommandError(.usage, "nobody can type a password here; \(advice)")
        }
        guard isNew else { return password }
        guard let again = context.terminal.secret("The same again: ") else {
            throw CommandError(.usage, "nobody can type a password here; \(advice)")
        }
        guard again.utf8.elementsEqual(password.utf8) else {
            throw CommandError(.badData, "the two passwords are not the same")
        }
        return password
    }

    @Sendable private static func logout(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let account = try context.account()
        let warning: String?
        do {
            warning = try context.profile.logout(losingWork: invocation.has("force"))
        } catch let error as TarnError where error.code == .unsentWork && context.terminal.canAsk {
            let isMeant = try context.isConfirmed(
                "\(error.sentence.escaped) Log out and lose it?", orElse: "--force loses it.")
            guard isMeant else { throw CommandError(.declined, "still logged in") }
            warning = try context.profile.logout(losingWork: true)
        }
        try context.answer(
            "Logged out \(account.user.escaped)",
            ["action": "logged out", "user": .string(account.user)])
        if let warning { context.note("The server does not know of it: \(warning.escaped)") }
    }

    @Sendable private static func whoami(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let account = try context.account()
        try context.answer(
            "\(account.user.escaped) at \(account.server.escaped)",
            [
                "type": "account", "user": .string(account.user),
                "server": .string(account.server),
            ])
    }
}
