import TarnClient
import TarnQuery

/// `tarn query`: what a query selects here, once.
enum QueryCommand {
    static let spec = CommandSpec(
        "query", "QUERY", 1...1, options: [SubscriptionCommands.argument],
        "show what a query selects on this machine",
        details: "Only objects that some subscription holds are on this machine.", run: run)

    @Sendable private static func run(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let arguments = invocation.values("arg").map(ArgumentValue.read)
        _ = try Query.parse(invocation.operands[0])
        let realm = try context.openRealm()
        try context.freshen(realm)
        let isPartial = try realm.replica.read { reader in
            let rows = try reader.results(of: invocation.operands[0], arguments: arguments)
            for object in rows.objects {
                if context.isJSON {
                    try context.line(
                        ["type": "object", "object": try reader.json(of: object)] as JSONValue)
                } else {
                    let content = try ObjectContent(object, in: reader)
                    try context.line(
                        content.isFinished
                            ? context.paint(.finished, content.head) : content.head)
                }
            }
            if rows.objects.isEmpty, !context.isJSON { try context.line("No objects") }
            return rows.isPartial
        }
        if isPartial {
            context.note("Found among what is here: the server may have more.")
        }
    }
}
