import TarnClient
import TarnModel
import TarnStorage

/// `tarn project …`.
enum ProjectCommands {
    /// So many tasks are deleted in one transaction.
    static let tasksATransaction = TransactionLimits.weightMax / 2

    static let specs = [
        CommandSpec(
            "project add", "NAME...", .atLeast(1), "make a project", run: add),
        CommandSpec(
            "project ls", "", 0...0, "show your projects, the newest first", run: list),
        CommandSpec(
            "project rename", "PROJECT NAME...", .atLeast(2), "give a project another name",
            run: rename),
        CommandSpec(
            "project rm", "PROJECT", 1...1,
            options: [OptionSpec("yes", letter: "y", "do not ask, even where tasks go, too")],
            "delete a project with its tasks",
            details: """
                Where it has tasks, it says how many and asks first. More than \(tasksATransaction)
                go in several transactions, the project with the last of them.
                """, run: remove),
    ]

    @Sendable private static func add(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let name = try Title(invocation.operands, of: "project's name")
        let realm = try context.openRealm()
        let owner = realm.replica.identity.user
        try context.write(in: realm) { transaction in
            let made = try transaction.addProject(name, owner: owner, context.birth())
            let state = try TodoState(transaction.reader)
            return Deed(
                "project added",
                "Added the project \(name.text.escaped)  "
                    + context.paint(.yellow, state.id(of: made)),
                "project", state.json(made))
        }
    }

    @Sendable private static func list(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        try context.freshen(realm)
        let state = try realm.replica.read { try TodoState($0) }
        if context.isJSON {
            for project in state.projects {
                try context.line(
                    ["type": "project", "project": state.json(project)] as JSONValue)
            }
        } else if state.projects.isEmpty {
            try context.line("No projects; tarn project add NAME makes one.")
        } else {
            try printTable(state, context)
        }
        context.notePartial(state, in: realm)
    }

    private static func printTable(_ state: TodoState, _ context: CommandContext) throws {
        let ids = state.projects.map(state.id)
        let idWidth = ids.map(\.count).max() ?? 0
        let counts = state.projects.map { "\(TodoCount($0.tasks.count))" }
        let countWidth = counts.map(\.count).max() ?? 0
        let columns = context.width.map { max(10, $0 - idWidth - countWidth - 4) } ?? .max
        let names = state.projects.map { $0.shownName.escaped.cut(to: columns) }
        let nameWidth = names.map(\.displayWidth).max() ?? 0
        for (index, id) in ids.enumerated() {
            let head = context.paint(.yellow, id.padded(to: idWidth))
            let name = context.paint(.bold, names[index])
            let gap = String(repeating: " ", count: nameWidth - names[index].displayWidth)
            try context.line("\(head)  \(name)\(gap)  \(counts[index])")
        }
    }

    @Sendable private static func rename(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let name = try Title(Array(invocation.operands.dropFirst()), of: "project's name")
        let realm = try context.openRealm()
        try context.write(in: realm) { transaction in
            let project = try TodoState(transaction.reader).project(named: invocation.operands[0])
            try transaction.set("name", of: project.object, to: .string(name.text))
            let state = try TodoState(transaction.reader)
            let renamed = try state.project(like: project)
            return Deed(
                "project renamed",
                "Renamed \(project.shownName.escaped) to \(name.text.escaped)",
                "project", state.json(renamed))
        }
    }

    @Sendable private static func remove(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let realm = try context.openRealm()
        let name = invocation.operands[0]
        var known = try realm.replica.read { try TodoState($0).project(named: name) }
        while true {
            // The question stands outside the transaction, so the tasks may become more meanwhile.
            if !known.tasks.isEmpty, !invocation.has("yes") {
                let count = "\(TodoCount(known.tasks.count))"
                let isMeant = try context.isConfirmed(
                    "Delete \(known.shownName.escaped) with \(count)?",
                    orElse: "--yes deletes without asking.")
                guard isMeant else {
                    throw CommandError(.declined, "nothing was deleted")
                }
            }
            guard let more = try delete(known, invocation, realm, context) else { return }
            known = more
        }
    }

    /// Deletes it, or answers what it is now where more would go than a person has agreed to.
    private static func delete(
        _ known: TodoProject, _ invocation: Invocation, _ realm: any CommandRealm,
        _ context: CommandContext
    ) throws -> TodoProject? {
        let isMeant = { (project: TodoProject) in
            project.tasks.count <= known.tasks.count || invocation.has("yes")
        }
        do {
            let removed = try thin(known, in: realm, if: isMeant)
            try context.write(in: realm) { transaction in
                let state = try TodoState(transaction.reader)
                let project = try state.project(like: known)
                guard removed > 0 || isMeant(project) else { throw MoreTasks(project: project) }
                let json = state.json(project)
                if removed > 0 { transaction.forgoUndo() }
                try transaction.delete(project)
                let count = removed + project.tasks.count
                let tasks = count == 0 ? "" : " with \(TodoCount(count))"
                return Deed(
                    "project deleted", "Deleted \(project.shownName.escaped)\(tasks)", "project",
                    json)
            }
            return nil
        } catch let more as MoreTasks {
            return more.project
        }
    }

    /// Deletes all of its tasks but what has room in a transaction; who stops it finds the others.
    /// - Returns: how many.
    private static func thin(
        _ known: TodoProject, in realm: any CommandRealm, if isMeant: (TodoProject) -> Bool
    ) throws -> Int {
        var removed = 0
        while true {
            let count = try realm.write { transaction in
                let project = try TodoState(transaction.reader).project(like: known)
                guard removed > 0 || isMeant(project) else { throw MoreTasks(project: project) }
                transaction.forgoUndo()
                let surplus = project.tasks.dropLast(tasksATransaction).prefix(tasksATransaction)
                for task in surplus { try transaction.delete(task.object) }
                return surplus.count
            }
            guard count > 0 else { return removed }
            removed += count
        }
    }

    /// There are more tasks than when a person was asked.
    private struct MoreTasks: Error {
        let project: TodoProject
    }
}

extension TodoState {
    /// The project of the same key, as it is now.
    func project(like other: TodoProject) throws(CommandError) -> TodoProject {
        guard let project = projects.first(where: { $0.key == other.key }) else {
            throw CommandError(.notFound, "the project is not there any more")
        }
        return project
    }

    /// The task of the same key, as it is now.
    func task(like other: TodoTask) throws(CommandError) -> PlacedTask {
        for project in projects {
            if let index = project.tasks.firstIndex(where: { $0.key == other.key }) {
                return PlacedTask(task: project.tasks[index], project: project, index: index)
            }
        }
        throw CommandError(.notFound, "the task is not there any more")
    }
}
