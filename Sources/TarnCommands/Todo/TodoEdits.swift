package import TarnClient
package import TarnModel

/// What is new about an object that is being made; whoever calls gives it the time and the dice.
package struct Birth: Sendable {
    package let key: UUIDValue
    package let created: Timestamp

    package init(milliseconds: Int64, random: inout some RandomNumberGenerator) {
        key = UUIDValue(
            milliseconds: UInt64(max(0, milliseconds)), random: (random.next(), random.next()))
        created = Timestamp(milliseconds: milliseconds)
    }
}

/// The changes of the to-do list, inside one transaction.
extension WriteTransaction {
    /// Adds the classes where the realm does not have them.
    package mutating func addTodoClasses() throws(ReplicaError) {
        for schema in TodoSchema.classes { try addClass(schema) }
    }

    package mutating func addProject(
        _ name: Title, owner: String, _ birth: Birth
    ) throws(ReplicaError) -> TodoProject {
        try addTodoClasses()
        let object = try create(
            TodoSchema.project.name, .uuid(birth.key),
            [
                InitialValue("owner", .string(owner)),
                InitialValue("name", .string(name.text)),
                InitialValue("timestamp", .date(birth.created)),
            ])
        return TodoProject(
            object: object, key: birth.key, name: name.text, created: birth.created, tasks: [])
    }

    /// Puts a task at the end of a project.
    package mutating func addTask(
        _ title: Title, to project: TodoProject, _ birth: Birth
    ) throws(ReplicaError) -> TodoTask {
        let object = try create(
            TodoSchema.item.name, .uuid(birth.key),
            [
                InitialValue("body", .string(title.text)),
                InitialValue("timestamp", .date(birth.created)),
            ])
        try append(try link(to: object), to: "items", of: project.object)
        return TodoTask(
            object: object, key: birth.key, title: title.text, isDone: false,
            created: birth.created)
    }

    /// Deletes the tasks, too: nothing would hold them any more.
    package mutating func delete(_ project: TodoProject) throws(ReplicaError) {
        for task in project.tasks { try delete(task.object) }
        try delete(project.object)
    }

    /// Where a task is put in its project's list.
    package enum Place {
        case before(TodoTask)
        case after(TodoTask)
    }

    package mutating func move(_ placed: PlacedTask, to place: Place) throws(ReplicaError) {
        let source = try listIndex(of: placed.task, in: placed.project)
        let destination: Int
        switch place {
        // The moved task is taken out first, so that what stood behind it moves up.
        case .before(let other):
            let index = try listIndex(of: other, in: placed.project)
            destination = index > source ? index - 1 : index
        case .after(let other):
            let index = try listIndex(of: other, in: placed.project)
            destination = index >= source ? index : index + 1
        }
        try move(from: source, to: destination, in: "items", of: placed.project.object)
    }

    /// Where it stands in the list itself, which may hold more than what is shown.
    private func listIndex(
        of task: TodoTask, in project: TodoProject
    ) throws(ReplicaError) -> Int {
        let elements = try reader.elements("items", of: project.object)
        let index = elements.firstIndex {
            if case .link(let link) = $0 { link.key == .uuid(task.key) } else { false }
        }
        guard let index else {
            throw ReplicaError(.objectGone, "the task is not in that project any more")
        }
        return index
    }
}
