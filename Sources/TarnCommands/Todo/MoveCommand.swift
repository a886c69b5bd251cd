import TarnClient

/// `tarn mv`: puts a task elsewhere in its project.
enum MoveCommand {
    static let spec = CommandSpec(
        "mv", "TASK", 1...1,
        options: [
            OptionSpec("to", value: "N", "to the place N of its section, counted from 1"),
            OptionSpec("before", value: "TASK", "right before another task"),
            OptionSpec("after", value: "TASK", "right after another task"),
            TaskCommands.inProject,
        ],
        "put a task elsewhere in its project",
        details: """
            Open and finished tasks stand in one list, which tarn ls shows in two sections. Exactly
            one of --to, --before and --after is needed.
            """, run: run)

    @Sendable private static func run(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let given = ["to", "before", "after"].filter(invocation.has)
        guard given.count == 1 else {
            throw CommandError(.usage, "tarn mv needs one of --to, --before and --after")
        }
        let number = try invocation.number("to", in: 1...Int.max)
        let realm = try context.openRealm()
        try context.write(in: realm) { transaction in
            let state = try TodoState(transaction.reader)
            let placed = try state.task(
                named: invocation.operands[0], in: invocation.value("project"))
            if let number {
                let section = placed.task.isDone ? placed.project.finished : placed.project.open
                let others = section.filter { $0.key != placed.task.key }
                // Beyond the end is the end.
                if number <= others.count {
                    try transaction.move(placed, to: .before(others[number - 1]))
                } else if let last = others.last {
                    try transaction.move(placed, to: .after(last))
                }
            } else {
                let name = invocation.value("before") ?? invocation.value("after") ?? ""
                let other = try neighbour(name, of: placed, in: state)
                try transaction.move(
                    placed, to: invocation.has("before") ? .before(other) : .after(other))
            }
            return try TaskCommands.deed(
                "moved", "Moved", [placed.task], transaction.reader, context)
        }
    }

    private static func neighbour(
        _ name: String, of placed: PlacedTask, in state: TodoState
    ) throws(CommandError) -> TodoTask {
        let only = TodoState([placed.project])
        if let other = try? only.task(named: name) {
            guard other.task.key != placed.task.key else {
                throw CommandError(.badData, "a task cannot stand beside itself")
            }
            return other.task
        }
        let other = try state.task(named: name)
        guard other.project.key == placed.project.key else {
            throw CommandError(
                .badData,
                "\"\(other.task.shownTitle)\" is in the project \"\(other.project.shownName)\", "
                    + "and the other task in \"\(placed.project.shownName)\"")
        }
        return other.task
    }
}
