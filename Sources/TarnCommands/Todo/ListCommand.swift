import TarnClient

/// `tarn ls`: each project with its open and its finished tasks.
enum ListCommand {
    static let spec = CommandSpec(
        "ls", "[PROJECT]", 0...1, "show the tasks, the open ones and the finished ones",
        details: "Without PROJECT, those of all your projects, the newest project first.",
        run: run)

    @Sendable static func run(_ invocation: Invocation, _ context: CommandContext) throws {
        let realm = try context.openRealm()
        try context.freshen(realm)
        let state = try realm.replica.read { try TodoState($0) }
        let projects =
            if let name = invocation.operands.first {
                [try state.project(named: name)]
            } else {
                state.projects
            }
        if context.isJSON {
            for project in projects { try printLines(of: project, in: state, context) }
        } else if projects.isEmpty {
            try context.line("No projects; tarn project add NAME makes one.")
        } else {
            for (index, project) in projects.enumerated() {
                if index > 0 { try context.line("") }
                try printSections(of: project, in: state, context)
            }
        }
        context.notePartial(state, in: realm)
    }

    private static func printLines(
        of project: TodoProject, in state: TodoState, _ context: CommandContext
    ) throws {
        try context.line(["type": "project", "project": state.json(project)] as JSONValue)
        for task in project.tasks {
            try context.line(["type": "task", "task": state.json(task, in: project)] as JSONValue)
        }
    }

    private static func printSections(
        of project: TodoProject, in state: TodoState, _ context: CommandContext
    ) throws {
        let paint = context.paint
        let count = TodoCount(project.tasks.count)
        let id = state.id(of: project)
        try context.line(
            "\(paint(.bold, project.shownName.escaped))  \(paint(.yellow, id))  \(count)")
        try printSection("Open", project.open, look: nil, in: state, context)
        try printSection("Finished", project.finished, look: .finished, in: state, context)
    }

    private static func printSection(
        _ heading: String, _ tasks: [TodoTask], look: Paint.Look?, in state: TodoState,
        _ context: CommandContext
    ) throws {
        guard !tasks.isEmpty else { return }
        try context.line("  " + context.paint(.blue, heading))
        let ids = tasks.map(state.id)
        let idWidth = ids.map(\.count).max() ?? 0
        let indent = 4 + idWidth + 2
        for (id, task) in zip(ids, tasks) {
            let title = task.shownTitle.escaped
            // Too narrow a terminal breaks lines by itself.
            let columns = context.width.map { $0 - indent } ?? .max
            let lines = columns >= 10 ? title.wrapped(to: columns) : [title]
            for (number, text) in lines.enumerated() {
                let head =
                    number == 0
                    ? "    " + context.paint(.yellow, id.padded(to: idWidth)) + "  "
                    : String(repeating: " ", count: indent)
                try context.line(head + (look.map { context.paint($0, text) } ?? text))
            }
        }
    }
}

extension CommandContext {
    /// Says that the server may know more than what was shown.
    func notePartial(_ state: TodoState, in realm: any CommandRealm) {
        guard state.isPartial, !realm.replica.isLocal else { return }
        note("There may be more on the server: it has not answered yet.")
    }
}
