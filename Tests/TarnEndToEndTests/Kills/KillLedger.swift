/// What was asked of the programs, and what they answered: by the word that a task's title begins
/// with, which no other task's does.
struct KillLedger {
    enum Verb: String, CaseIterable {
        case add, edit, done, mv, rm
    }

    struct Task {
        let user: String
        /// What `tarn add` called it; nil where it was killed before it could.
        var id: String?
        /// The command that made it has returned 0.
        var isMade = false
        /// Every title that anybody asked for.
        var titles: Set<String>
        var isEdited = false
        var isDone = false
        var isDoneAsked = false
        var isRemoved = false
        var isRemovalAsked = false
    }

    /// A command that was started.
    struct Deed {
        let verb: Verb
        let token: String
        let title: String?
    }

    private(set) var tasks: [String: Task] = [:]
    private var editCount = 0

    /// A new task's command.
    mutating func add(for user: String) -> (deed: Deed, arguments: [String]) {
        let token = "task\(tasks.count + 1)"
        tasks[token] = Task(user: user, titles: [token])
        return (Deed(verb: .add, token: token, title: token), ["add", "--json", token])
    }

    /// A command about tasks of the user's that are known to be there; nil where there are none.
    mutating func deed(
        _ verb: Verb, for user: String, using random: inout some RandomNumberGenerator
    ) -> (deed: Deed, arguments: [String])? {
        if verb == .add { return add(for: user) }
        let known = tasks.filter { $0.value.user == user && $0.value.id != nil }
        let mine = known.filter { !$0.value.isRemovalAsked }.keys.sorted()
        guard let token = mine.randomElement(using: &random), let id = tasks[token]?.id else {
            return nil
        }
        switch verb {
        case .add: return nil
        case .edit:
            editCount += 1
            let title = "\(token) edited\(editCount)"
            tasks[token]?.titles.insert(title)
            return (Deed(verb: verb, token: token, title: title), ["edit", id, title])
        case .done:
            tasks[token]?.isDoneAsked = true
            return (Deed(verb: verb, token: token, title: nil), ["done", id])
        case .mv:
            guard let other = mine.randomElement(using: &random), other != token,
                let anchor = tasks[other]?.id
            else { return nil }
            let side = Bool.random(using: &random) ? "--before" : "--after"
            return (Deed(verb: verb, token: token, title: nil), ["mv", id, side, anchor])
        case .rm:
            tasks[token]?.isRemovalAsked = true
            return (Deed(verb: verb, token: token, title: nil), ["rm", id])
        }
    }

    /// The command has returned 0.
    mutating func note(_ deed: Deed, output: String) {
        switch deed.verb {
        case .add:
            tasks[deed.token]?.isMade = true
            if let start = output.firstRange(of: "\"id\":\"")?.upperBound {
                tasks[deed.token]?.id = String(output[start...].prefix { $0 != "\"" })
            }
        case .edit: tasks[deed.token]?.isEdited = true
        case .done: tasks[deed.token]?.isDone = true
        case .mv: break
        case .rm: tasks[deed.token]?.isRemoved = true
        }
    }

    /// What a user's tasks, as they are at the end, do not keep of what was promised.
    func problems(of picture: TodoPicture, for user: String) -> [String] {
        var problems: [String] = []
        var found: [String: [TodoPicture.Task]] = [:]
        for task in picture.tasks.values {
            found[String(task.title.prefix { $0 != " " }), default: []].append(task)
        }
        for token in found.keys.sorted() where tasks[token]?.user != user {
            problems.append("nobody but others wrote \(token)")
        }
        for (token, task) in tasks.sorted(by: { $0.key < $1.key }) where task.user == user {
            let found = found[token] ?? []
            if found.count > 1 { problems.append("\(token) is there \(found.count) times") }
            if task.isRemoved, !found.isEmpty {
                problems.append("\(token) was removed, and is there")
            }
            if task.isMade, !task.isRemovalAsked, found.isEmpty {
                problems.append("\(token) was added, and is not there")
            }
            for found in found {
                if !task.titles.contains(found.title) {
                    problems.append("nobody called \(token) \"\(found.title)\"")
                }
                if task.isEdited, found.title == token {
                    problems.append("\(token) was edited, and is as it was")
                }
                if task.isDone && !found.isDone || found.isDone && !task.isDoneAsked {
                    problems.append(
                        "\(token) is done: \(found.isDone), was ticked off: \(task.isDone)")
                }
            }
        }
        return problems
    }
}
