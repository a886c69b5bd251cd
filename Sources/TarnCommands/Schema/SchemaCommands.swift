import TarnClient
import TarnModel

/// `tarn schema` and `tarn schema add`.
enum SchemaCommands {
    static let specs = [
        CommandSpec(
            "schema add", "CLASS...", .atLeast(1),
            "add classes to a realm, or properties to classes",
            details: """
                A CLASS is written as tarn schema shows it, in quotes for the shell:

                  'Task(id uuid, title string = "new", due date?, lead Person)'
                  'Person(name string, marks map of double?, tags set of string)'
                  'embedded Step(id uuid, text string unique)'

                The first property is the primary key: an int, a string or a uuid. Types are bool,
                int, double, string, data, date, uuid, and names of classes, which are links;
                before them may stand "list of", "set of" or "map of", behind them ? for null,
                then unique and owning, and = with a default. What is there already stays as it
                is; what differs from it is refused.
                """, run: add),
        CommandSpec(
            "schema", "", 0...0, "show a realm's classes and their properties", run: show),
    ]

    @Sendable private static func show(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        try context.freshen(realm)
        let classes = try realm.replica.read { $0.schema.classes }
        for schema in classes {
            try context.answer(schema.text.escaped, ["type": "class", "class": schema.json])
        }
        if classes.isEmpty, !context.isJSON { try context.line("No classes") }
    }

    @Sendable private static func add(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        var additions: [ClassSchema] = []
        for operand in invocation.operands { additions.append(try SchemaReader.read(operand)) }
        let realm = try context.openRealm()
        try context.write(in: realm) { transaction in
            var lines: [String] = []
            var members: [[JSONValue.Member]] = []
            for addition in additions {
                let before = transaction.reader.schema[addition.name]
                try transaction.addClass(addition)
                guard let now = transaction.reader.schema[addition.name] else { continue }
                let word =
                    now == before ? "Nothing new in" : before == nil ? "Added" : "Added to"
                lines.append("\(word) \(now.text.escaped)")
                members.append([.init(name: "class", value: now.json)])
            }
            return Deed("class added", lines, members)
        }
    }
}
