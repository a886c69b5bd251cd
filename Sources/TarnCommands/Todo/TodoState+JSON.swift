extension TodoState {
    /// A project, without its tasks.
    package func json(_ project: TodoProject) -> JSONValue {
        [
            "id": .string(id(of: project)), "key": .string("\(project.key)"),
            "name": .string(project.name),
            "created": .optional(project.created.map { "\($0)" }),
            "open": .int(project.open.count), "finished": .int(project.finished.count),
        ]
    }

    package func json(_ task: TodoTask, in project: TodoProject) -> JSONValue {
        [
            "id": .string(id(of: task)), "key": .string("\(task.key)"),
            "title": .string(task.title), "done": .bool(task.isDone),
            "created": .optional(task.created.map { "\($0)" }),
            "project": [
                "id": .string(id(of: project)), "key": .string("\(project.key)"),
                "name": .string(project.name),
            ],
        ]
    }
}
