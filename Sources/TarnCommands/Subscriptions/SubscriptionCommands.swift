import TarnClient
import TarnModel
import TarnQuery
import TarnStorage

/// `tarn subscribe`, `unsubscribe` and `subscriptions`.
enum SubscriptionCommands {
    static let argument = OptionSpec(
        "arg", value: "VALUE", isRepeated: true, "what $0 stands for, then $1 and so on")

    static let specs = [
        CommandSpec(
            "subscribe", "NAME QUERY", 2...2,
            options: [
                argument,
                OptionSpec("depth", value: "N", "how many links deep objects come along"),
                OptionSpec("update", "replace the query of a subscription of that name"),
            ],
            "have what a query selects on this machine, and keep it fresh",
            details: """
                QUERY is one word for the shell, so it is quoted: 'Item WHERE isDone == false'.
                A VALUE is true, false, null, a number, a UUID or a date; all else is text, and so
                is what stands in quotes of its own: --arg '"42"'.
                """, run: subscribe),
        CommandSpec(
            "unsubscribe", "NAME", 1...1,
            "give a subscription up, and the objects that only it held here", run: unsubscribe),
        CommandSpec(
            "subscriptions", "", 0...0, "show the subscriptions and how they stand", run: list),
    ]

    @Sendable private static func subscribe(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let name = invocation.operands[0]
        guard !name.allSatisfy(\.isWhitespace) else {
            throw CommandError(.badData, "a subscription's name cannot be blank")
        }
        let depth = try invocation.number("depth", in: 0...Int.max)
        let arguments = invocation.values("arg").map(ArgumentValue.read)
        // A query that is no query is refused before anything is opened.
        _ = try Query.parse(invocation.operands[1])
        let realm = try context.openRealm()
        let made = try realm.subscribe(
            to: invocation.operands[1], name: name, arguments: arguments, depth: depth,
            update: invocation.has("update"))
        let result =
            realm.replica.isLocal
            ? SyncResult.done
            : try realm.synchronise(milliseconds: CommandContext.patienceMilliseconds) {
                let now = try realm.replica.read { try $0.subscription(named: name) }
                return now?.number != made.number || now?.state != .pending
            }
        guard let now = try realm.replica.read({ try $0.subscription(named: name) }) else {
            throw CommandError(.notFound, "the subscription was given up meanwhile")
        }
        if case .error(let sentence) = now.state { throw CommandError(.badData, sentence) }
        try context.answer(
            "Subscribed to \(name.escaped): \(now.state.sentence(now: context.now()))",
            ["action": "subscribed", "subscription": now.json])
        guard result != .done else { return }
        if let progress = try realm.replica.read({ try $0.status().sync.progress }) {
            return context.note(
                "Saved here; \(progress.words) have been fetched. tarn sync waits for the rest.")
        }
        context.note("Saved here; the server will answer when it is reachable.")
    }

    @Sendable private static func unsubscribe(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let name = invocation.operands[0]
        let realm = try context.openRealm()
        let before = try realm.replica.read { try $0.subscription(named: name) }
        guard let before, try realm.unsubscribe(named: name) else {
            throw try missing(name, in: realm)
        }
        try context.answer(
            "Unsubscribed from \(name.escaped)",
            ["action": "unsubscribed", "subscription": before.json])
        guard !realm.replica.isLocal else { return }
        // The server need not know at once, but a reachable one is told.
        _ = try realm.synchronise(milliseconds: CommandContext.patienceMilliseconds) {
            try realm.connection().status.connection == .connected
        }
    }

    @Sendable private static func list(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        let all = try realm.replica.read { try $0.subscriptions() }
        if context.isJSON {
            for subscription in all {
                try context.line(
                    ["type": "subscription", "subscription": subscription.json] as JSONValue)
            }
            return
        }
        if all.isEmpty { try context.line("No subscriptions") }
        for subscription in all {
            let name = context.paint(.bold, subscription.name.escaped)
            try context.line("\(name)  \(subscription.state.sentence(now: context.now()))")
            try context.line("  \(subscription.query.escaped)")
            for (index, argument) in subscription.arguments.enumerated() {
                try context.line("  $\(index) = \(argument.shown)")
            }
        }
    }

    /// The error for a name that no subscription has.
    static func missing(_ name: String, in realm: any CommandRealm) throws -> CommandError {
        let names = try realm.replica.read { try $0.subscriptions() }.map(\.name)
        return CommandError(
            .notFound,
            "there is no subscription \"\(name)\""
                + NameSuggestion.question(for: name, among: names))
    }
}
