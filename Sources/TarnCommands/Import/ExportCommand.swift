import TarnClient
import TarnModel

/// `tarn export`: everything that is here, as JSON lines that `tarn import` takes.
enum ExportCommand {
    static let spec = CommandSpec(
        "export", "", 0...0, "print the classes and all objects that are here, as JSON lines",
        details: """
            Links stand as the key of what they lead to; parts stand whole in the object that has
            them. tarn import takes what this prints.
            """,
        run: run)

    @Sendable private static func run(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        try context.freshen(realm)
        try realm.replica.read { reader in
            for schema in reader.schema.classes {
                try context.line(["type": "class", "class": schema.json] as JSONValue)
            }
            // A part stands within what has it.
            for schema in reader.schema.classes where !schema.isEmbedded {
                for object in try reader.all(schema.name) {
                    try context.line(
                        ["type": "object", "object": try reader.flatJSON(of: object)]
                            as JSONValue)
                }
            }
        }
    }
}
