import TarnClient

/// `tarn undo`: takes back what one of this machine's own writes did.
enum UndoCommand {
    static let spec = CommandSpec(
        "undo", "[TRANSACTION]", 0...1, "set back what your last change did",
        details: """
            Sets back what still comes from your last change that was not undone yet, or from the
            transaction of that number (`tarn history` tells it). What somebody has changed since
            stays, and is listed. It works offline; an undo can itself be undone by its number.
            """, run: run)

    @Sendable private static func run(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        var sequence: UInt64?
        if let operand = invocation.operands.first {
            sequence = UInt64(operand.drop { $0 == "#" })
            guard sequence != nil else {
                throw CommandError(.usage, "a transaction is a number, as in \"tarn undo 17\"")
            }
        }
        let realm = try context.openRealm()
        try context.write(in: realm) { transaction in
            let report = try transaction.undo(sequence)
            guard report.undoneCount > 0 else {
                throw CommandError(
                    .badData, "nothing of transaction \(report.sequence) could be set back",
                    details: report.kept)
            }
            return deed(report, context)
        }
    }

    private static func deed(_ report: UndoReport, _ context: CommandContext) -> Deed {
        let changes = report.undoneCount == 1 ? "1 change" : "\(report.undoneCount) changes"
        return Deed(
            "undone",
            ["Undone: \(changes) of transaction \(report.sequence)"]
                + report.kept.map { "    kept: \($0.escaped)" },
            [
                [
                    .init(name: "transaction", value: .int(Int64(clamping: report.sequence))),
                    .init(name: "changes", value: .int(Int64(report.undoneCount))),
                    .init(name: "kept", value: .array(report.kept.map { .string($0) })),
                ]
            ])
    }
}
