import TarnClient
import TarnModel
import TarnStorage

/// `tarn status`: how this machine stands with the server.
enum StatusCommand {
    static let spec = CommandSpec(
        "status", "", 0...0, "show how this machine stands with the server",
        details: "Where no other tarn keeps the connection, it tries to make one first.", run: run)

    /// What is shown, at one moment.
    private struct Standing {
        let account: CommandAccount
        let connection: RealmConnection
        let status: ReplicaStatus
        let refusedCount: Int
        let subscriptions: [StoredSubscription]
        let realm: RealmName
    }

    @Sendable private static func run(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let account = try context.account()
        let realm = try context.openRealm()
        var connection = try realm.connection()
        if !realm.replica.isLocal, connection.status.connection != .connected {
            // Where nobody keeps the connection, this looks whether there could be one.
            let result = try realm.synchronise(
                milliseconds: CommandContext.patienceMilliseconds
            ) {
                connection = try realm.connection()
                return connection.status.connection == .connected
            }
            if result != .done { connection = try realm.connection() }
        }
        let standing = try realm.replica.read { reader in
            let refused = try reader.keptReceipts().filter { kept in
                kept.receipt.outcome.isUndone
            }
            return Standing(
                account: account, connection: connection, status: try reader.status(),
                refusedCount: refused.count, subscriptions: try reader.subscriptions(),
                realm: reader.identity.realmName)
        }
        if context.isJSON {
            try context.line(json(standing))
        } else {
            for line in lines(standing, context) { try context.line(line) }
        }
    }

    private static func lines(_ standing: Standing, _ context: CommandContext) -> [String] {
        let sync = standing.connection.status
        let state: String =
            switch sync.connection {
            case .connected: context.paint(.green, "connected")
            case .connecting: "connecting"
            case .offline: context.paint(.yellow, "not connected")
            case .stopped: context.paint(.red, "stopped")
            }
        let why = sync.problem.map { ": \($0.escaped)" } ?? ""
        var lines = [
            "user           \(standing.account.user.escaped) at \(standing.account.server.escaped)",
            "realm          \(standing.realm)",
            "connection     \(state)\(why)",
            "up to date     "
                + (sync.upToDate.map { "\(Age(of: $0, now: context.now()))" } ?? "never yet"),
        ]
        if let progress = sync.progress { lines.append("fetched        \(progress.words)") }
        lines += [
            "unsent         \(standing.status.unsentCount)",
            "refused        \(standing.refusedCount)"
                + (standing.refusedCount > 0 ? "  (tarn receipts shows them)" : ""),
        ]
        if let leader = standing.connection.leader {
            lines.append("led by         process \(leader)")
        }
        for (index, subscription) in standing.subscriptions.enumerated() {
            let state = subscription.state.sentence(now: context.now())
            lines.append(
                (index == 0 ? "subscriptions  " : "               ")
                    + "\(subscription.name.escaped)  \(state)")
        }
        return lines
    }

    private static func json(_ standing: Standing) -> JSONValue {
        let sync = standing.connection.status
        return [
            "type": "status",
            "user": .string(standing.account.user), "server": .string(standing.account.server),
            "realm": .string("\(standing.realm)"),
            "connection": .string("\(sync.connection)"), "problem": .optional(sync.problem),
            "asOf": .optional(sync.upToDate.map(Age.moment)),
            "fetched": sync.progress.map { .int(Int(clamping: $0.done)) } ?? .null,
            "toFetch": sync.progress.map { .int(Int(clamping: $0.total)) } ?? .null,
            "unsent": .int(standing.status.unsentCount), "refused": .int(standing.refusedCount),
            "leader": standing.connection.leader.map { .int($0) } ?? .null,
            "subscriptions": .array(standing.subscriptions.map(\.json)),
        ]
    }
}
