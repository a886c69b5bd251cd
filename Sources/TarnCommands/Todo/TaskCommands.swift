import TarnClient
import TarnModel

/// `tarn add`, `done`, `undone`, `edit` and `rm`.
enum TaskCommands {
    static let inProject = OptionSpec(
        "project", letter: "p", value: "PROJECT", "look only in that project")

    static let specs = [
        CommandSpec(
            "add", "TITLE...", .atLeast(1),
            options: [
                OptionSpec(
                    "project", letter: "p", value: "PROJECT",
                    "where to; not needed where there is just one")
            ],
            "put a task at the end of a project", run: add),
        CommandSpec(
            "done", "TASK...", .atLeast(1), options: [inProject], "tick tasks off",
            run: { try setDone(true, $0, $1) }),
        CommandSpec(
            "undone", "TASK...", .atLeast(1), options: [inProject], "open finished tasks again",
            run: { try setDone(false, $0, $1) }),
        CommandSpec(
            "edit", "TASK TITLE...", .atLeast(2), options: [inProject],
            "give a task another title", run: edit),
        CommandSpec(
            "rm", "TASK...", .atLeast(1), options: [inProject], "delete tasks", run: remove),
    ]

    @Sendable private static func add(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let title = try Title(invocation.operands, of: "task's title")
        let realm = try context.openRealm()
        try context.write(in: realm) { transaction in
            let project = try TodoState(transaction.reader).project(
                named: invocation.value("project"), for: "the task belongs to")
            let task = try transaction.addTask(title, to: project, context.birth())
            return try deed(
                "added", "Added", [task], tail: "to \(project.shownName.escaped)",
                transaction.reader, context)
        }
    }

    private static func setDone(
        _ isDone: Bool, _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        try context.write(in: realm) { transaction in
            let tasks = try named(invocation, transaction.reader).map(\.task)
            for task in tasks where task.isDone != isDone {
                try transaction.set("isDone", of: task.object, to: .bool(isDone))
            }
            return isDone
                ? try deed("done", "Done:", tasks, transaction.reader, context)
                : try deed("undone", "Open again:", tasks, transaction.reader, context)
        }
    }

    @Sendable private static func edit(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let title = try Title(Array(invocation.operands.dropFirst()), of: "task's title")
        let realm = try context.openRealm()
        try context.write(in: realm) { transaction in
            let placed = try TodoState(transaction.reader).task(
                named: invocation.operands[0], in: invocation.value("project"))
            try transaction.set("body", of: placed.task.object, to: .string(title.text))
            return try deed(
                "edited", "Edited", [placed.task], transaction.reader, context)
        }
    }

    @Sendable private static func remove(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        try context.write(in: realm) { transaction in
            let placed = try named(invocation, transaction.reader)
            // Told by what they were: afterwards they are not there.
            let deed = try deed(
                "deleted", "Deleted", placed.map(\.task), transaction.reader, context)
            for placed in placed { try transaction.delete(placed.task.object) }
            return deed
        }
    }

    /// The tasks that the operands name, each once.
    private static func named(
        _ invocation: Invocation, _ reader: ReplicaReader
    ) throws -> [PlacedTask] {
        let state = try TodoState(reader)
        var placed: [PlacedTask] = []
        for name in invocation.operands {
            do throws(CommandError) {
                let task = try state.task(named: name, in: invocation.value("project"))
                if !placed.contains(task) { placed.append(task) }
            } catch {
                guard invocation.operands.count > 1, error.details.isEmpty else { throw error }
                throw CommandError(
                    error.code, "\(error.sentence) (a title of several words is quoted)")
            }
        }
        return placed
    }

    /// Tells the tasks as they are now.
    static func deed(
        _ action: String, _ verb: String, _ tasks: [TodoTask], tail: String = "",
        _ reader: ReplicaReader, _ context: CommandContext
    ) throws -> Deed {
        let state = try TodoState(reader)
        let placed = try tasks.map { try state.task(like: $0) }
        let lines = placed.map { placed in
            let title = placed.task.shownTitle.escaped
            let id = context.paint(.yellow, state.id(of: placed.task))
            return [verb, title, tail].filter { !$0.isEmpty }.joined(separator: " ") + "  \(id)"
        }
        return Deed(
            action, lines,
            placed.map {
                [.init(name: "task", value: state.json($0.task, in: $0.project))]
            })
    }
}
