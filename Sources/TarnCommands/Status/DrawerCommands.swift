import TarnClient
import TarnModel
import TarnStorage

/// `tarn receipts retry`, `export` and `drop`: what becomes of the work that the server did not
/// take as it was written. It stays until somebody says so.
enum DrawerCommands {
    static let specs = [
        CommandSpec(
            "receipts retry", "[TRANSACTION...]", .atLeast(0), options: [all],
            "write what was refused or parked once more",
            details: """
                The same changes are written as a new transaction on what is here today, and the old
                one leaves the drawer. What cannot be said any more is listed. It works offline.
                """, run: retry),
        CommandSpec(
            "receipts export", "", 0...0, "print what is in the drawer, one JSON object a line",
            run: export),
        CommandSpec(
            "receipts drop", "[TRANSACTION...]", .atLeast(0),
            options: [all, OptionSpec("yes", letter: "y", "without asking")],
            "throw away what is kept of refused or lost work", run: drop),
    ]

    private static let all = OptionSpec("all", "everything in the drawer")

    /// What the operands name, which has to be there.
    private static func chosen(
        _ invocation: Invocation, in realm: any CommandRealm
    ) throws -> [KeptReceipt] {
        let kept = try realm.replica.read { try $0.keptReceipts() }
        if invocation.has("all") {
            guard invocation.operands.isEmpty else {
                throw CommandError(.usage, "--all and a transaction's number exclude each other")
            }
            return kept
        }
        guard !invocation.operands.isEmpty else {
            throw CommandError(.usage, "which? Give a number that tarn receipts shows, or --all")
        }
        return try invocation.operands.flatMap { operand in
            guard let sequence = UInt64(operand.drop { $0 == "#" }) else {
                throw CommandError(.usage, "a transaction is a number, as in \"17\"")
            }
            let found = kept.filter { $0.receipt.sequence == sequence }
            guard !found.isEmpty else {
                throw CommandError(.notFound, "there is no transaction \(sequence) in the drawer")
            }
            return found
        }
    }

    @Sendable private static func retry(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        // What was applied, if with losses, has nothing to be tried again.
        let undone = try chosen(invocation, in: realm).filter { kept in
            kept.body != nil || !invocation.has("all")
        }
        guard !undone.isEmpty else {
            return try context.answer("Nothing to try again", ["action": "retried", "count": 0])
        }
        var failures: [String] = []
        for kept in undone {
            let number = kept.receipt.sequence
            do {
                try context.write(in: realm) { transaction in
                    let report = try transaction.retry(kept)
                    guard report.changeCount > 0 else {
                        throw CommandError(
                            .badData, "nothing of transaction \(number) can be said any more",
                            details: report.lost)
                    }
                    return deed(report, of: number)
                }
            } catch let error as CommandError where error.code == .badData && undone.count > 1 {
                context.note(error.sentence.escaped)
                failures.append(error.sentence)
            }
        }
        if failures.count == undone.count {
            throw CommandError(.badData, "nothing could be tried again", details: failures)
        }
    }

    private static func deed(_ report: RetryReport, of number: UInt64) -> Deed {
        let changes = report.changeCount == 1 ? "1 change" : "\(report.changeCount) changes"
        return Deed(
            "retried",
            ["Retried: \(changes) of transaction \(number)"]
                + report.lost.map { "    lost: \($0.escaped)" },
            [
                [
                    .init(name: "transaction", value: .int(Int64(clamping: number))),
                    .init(name: "changes", value: .int(report.changeCount)),
                    .init(name: "lost", value: .array(report.lost.map { .string($0) })),
                ]
            ])
    }

    @Sendable private static func export(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        try realm.replica.read { reader in
            for kept in try reader.keptReceipts() {
                let changes = try kept.body.map { try reader.changes(of: $0) }
                try context.line(kept.json(with: changes))
            }
        }
    }

    @Sendable private static func drop(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        let dropped = try chosen(invocation, in: realm)
        guard !dropped.isEmpty else {
            return try context.answer("The drawer is empty", ["action": "dropped", "count": 0])
        }
        let what = dropped.count == 1 ? "this receipt" : "these \(dropped.count) receipts"
        let undone = dropped.filter { $0.body != nil }.count
        let loss = undone == 0 ? "" : ", and with \(undone == 1 ? "it" : "them") the work in it"
        if !invocation.has("yes") {
            let isMeant = try context.isConfirmed(
                "Throw \(what) away\(loss)?", orElse: "--yes drops without asking.")
            guard isMeant else { throw CommandError(.declined, "nothing was dropped") }
        }
        for kept in dropped { try realm.replica.drop(kept) }
        try context.answer(
            "Dropped \(what)", ["action": "dropped", "count": .int(dropped.count)])
    }
}
