import TarnClient
import TarnQuery
import TarnStorage

/// `tarn watch`: shows a result, and then every change of it, until Ctrl-C.
enum WatchCommand {
    static let spec = CommandSpec(
        "watch", "[NAME]", 0...1,
        options: [
            OptionSpec("query", value: "QUERY", "watch what a query selects here"),
            SubscriptionCommands.argument,
        ],
        "show what a subscription selects, and each change of it, until Ctrl-C",
        details: """
            NAME is a subscription; the default is my-projects. Lines begin with - for a deleted
            row, + for an inserted, ~ for a modified and > for a moved one, and its index.
            """, run: run)

    @Sendable private static func run(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let source = try source(invocation)
        let realm = try context.openRealm()
        if case .subscription(let name) = source {
            guard try realm.replica.read({ try $0.subscription(named: name) }) != nil else {
                throw try SubscriptionCommands.missing(name, in: realm)
            }
        }
        var watch = Watch(source, context)
        do {
            try realm.follow { try realm.replica.read { try watch.look(in: $0) } }
        } catch is EndOfWatch {
            return
        }
    }

    private static func source(_ invocation: Invocation) throws -> LiveResult.Source {
        guard let query = invocation.value("query") else {
            guard !invocation.has("arg") else {
                throw CommandError(.usage, "--arg goes with --query")
            }
            return .subscription(invocation.operands.first ?? TodoSchema.subscription)
        }
        guard invocation.operands.isEmpty else {
            throw CommandError(.usage, "either a subscription's name or --query, not both")
        }
        return .query(query, arguments: invocation.values("arg").map(ArgumentValue.read))
    }
}

/// The subscription is no more.
struct EndOfWatch: Error {}

/// What a watch has shown, and what it shows next.
private struct Watch {
    private var result: WatchedResult
    private var state: SubscriptionState?
    private var connection: SyncStatus?
    /// The loss of the connection has been told.
    private var isLossTold = false
    private var isShown = false
    private let context: CommandContext
    private let text: ChangeText

    init(_ source: LiveResult.Source, _ context: CommandContext) {
        result = WatchedResult(source)
        self.context = context
        text = ChangeText(paint: context.paint, width: context.width)
    }

    mutating func look(in reader: ReplicaReader) throws {
        try lookAtState(in: reader)
        try lookAtConnection(in: reader)
        let update = try result.refresh(in: reader)
        if !isShown {
            isShown = true
            try show(text.initial(update, title: title)) {
                try ChangeJSON.initial(update, in: reader)
            }
        } else if !update.changes.isEmpty {
            try show(text.changes(update)) { try ChangeJSON.changes(update, in: reader) }
        }
    }

    private var title: String {
        switch result.live.source {
        case .subscription(let name): name.escaped
        case .query(let query, _): query.escaped
        }
    }

    /// Tells the subscription's state at first, and when it is another one.
    private mutating func lookAtState(in reader: ReplicaReader) throws {
        guard case .subscription(let name) = result.live.source else { return }
        guard let subscription = try reader.subscription(named: name) else {
            try context.answer(
                "\(title) was given up", ["event": "state", "state": "invalidated"])
            throw EndOfWatch()
        }
        // The time that a complete one is of moves on with every change, and is no other state.
        guard state?.word != subscription.state.word else { return }
        state = subscription.state
        let problem: String? =
            if case .error(let sentence) = subscription.state { sentence } else { nil }
        let words = problem.map { "error: \($0.escaped)" } ?? subscription.state.word
        try context.answer(
            context.paint(.dim, "\(title) is \(words)"),
            [
                "event": "state", "state": .string(subscription.state.word),
                "problem": .optional(problem),
            ])
    }

    /// Tells that the server is gone, and that it is back. What was stored before the watch began
    /// is another process's experience.
    private mutating func lookAtConnection(in reader: ReplicaReader) throws {
        let now = try reader.status().sync
        defer { connection = now }
        try lookAtProgress(now, since: connection)
        guard let before = connection,
            now.connection != before.connection || now.problem != before.problem
        else { return }
        switch (now.connection, now.problem) {
        case (.connected, _) where isLossTold:
            isLossTold = false
            try context.answer(
                context.paint(.dim, "connected again"),
                ["event": "connection", "connected": .bool(true)])
        case (.offline, let problem?) where !isLossTold, (.stopped, let problem?) where !isLossTold:
            isLossTold = true
            try context.answer(
                context.paint(.dim, "not connected: \(problem.escaped)"),
                ["event": "connection", "connected": .bool(false), "problem": .string(problem)])
        case (.connected, _), (.connecting, _), (.offline, _), (.stopped, _):
            break
        }
    }

    /// Tells of every tenth of a large download.
    private func lookAtProgress(_ now: SyncStatus, since before: SyncStatus?) throws {
        guard let progress = now.progress, progress.total > 0,
            progress.tenths != before?.progress?.tenths
        else { return }
        try context.answer(
            context.paint(.dim, "fetched \(progress.words)"),
            [
                "event": "progress", "fetched": .int(Int(clamping: progress.done)),
                "toFetch": .int(Int(clamping: progress.total)),
            ])
    }

    private func show(_ lines: [String], _ json: () throws -> JSONValue) throws {
        if context.isJSON { return try context.line(try json()) }
        for line in lines { try context.line(line) }
    }
}
