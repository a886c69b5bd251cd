import TarnClient
import TarnModel
import TarnStorage

/// `tarn receipts`: what the server did not take as it was written.
enum ReceiptsCommand {
    static let spec = CommandSpec(
        "receipts", "", 0...0, "show what was refused, or lost to others' changes", run: run)

    @Sendable private static func run(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        try realm.replica.read { reader in
            let kept = try reader.keptReceipts()
            if kept.isEmpty, !context.isJSON {
                try context.line("Nothing was refused or lost")
            }
            for receipt in kept {
                let changes = try receipt.body.map { try reader.changes(of: $0).count }
                try show(receipt, changeCount: changes, context)
            }
        }
    }

    private static func show(
        _ kept: KeptReceipt, changeCount: Int?, _ context: CommandContext
    ) throws {
        let receipt = kept.receipt
        let number = "#\(receipt.sequence)"
        let when = kept.decided > 0 ? ", \(Age(of: kept.decided, now: context.now()))" : ""
        switch receipt.outcome {
        case .accepted:
            try context.answer("\(number)  accepted", json(kept, "accepted", []))
        case .overridden(let overrides):
            guard !context.isJSON else {
                return try context.line(
                    json(
                        kept, "overridden",
                        [.init(name: "lost", value: .array(overrides.map(\.json)))]))
            }
            try context.line(
                "\(number)  \(context.paint(.yellow, "overridden in part"))\(when)")
            for override in overrides { try context.line("    \(override.sentence.escaped)") }
        case .refused(let refusal):
            try showUndone(
                kept, when, "refused", [.init(name: "code", value: .string("\(refusal.code)"))],
                refusal.sentence, changeCount: changeCount, context)
        case .parked(let parking):
            try showUndone(
                kept, when, "parked",
                [.init(name: "waitsFor", value: .string("\(parking.creator)"))], parking.sentence,
                changeCount: changeCount, context)
        }
    }

    private static func showUndone(
        _ kept: KeptReceipt, _ when: String, _ outcome: String, _ more: [JSONValue.Member],
        _ sentence: String, changeCount: Int?, _ context: CommandContext
    ) throws {
        guard !context.isJSON else {
            return try context.line(
                json(
                    kept, outcome,
                    more + [
                        .init(name: "sentence", value: .string(sentence)),
                        .init(name: "changes", value: changeCount.map { .int($0) } ?? .null),
                    ]))
        }
        let changes = changeCount.map { $0 == 1 ? " (1 change)" : " (\($0) changes)" } ?? ""
        try context.line(
            "#\(kept.receipt.sequence)  \(context.paint(.red, outcome))\(when)\(changes): "
                + sentence.escaped)
    }

    private static func json(
        _ kept: KeptReceipt, _ outcome: String, _ more: [JSONValue.Member]
    ) -> JSONValue {
        let time = kept.decided > 0 ? JSONValue.string(Age.moment(kept.decided)) : .null
        return .object(
            [
                .init(name: "type", value: "receipt"),
                .init(name: "sequence", value: .int(Int64(clamping: kept.receipt.sequence))),
                .init(name: "time", value: time),
                .init(name: "outcome", value: .string(outcome)),
            ] + more)
    }
}
