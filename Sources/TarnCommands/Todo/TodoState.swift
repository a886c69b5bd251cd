package import TarnClient
package import TarnModel
import TarnStorage

/// One task, as it is at one moment.
package struct TodoTask: Equatable, Sendable {
    package let object: ObjectID
    package let key: UUIDValue
    package let title: String
    package let isDone: Bool
    package let created: Timestamp?

    package var shownTitle: String { title.isEmpty ? "Untitled" : title }
}

/// One project with its tasks in the order of its list.
package struct TodoProject: Equatable, Sendable {
    package let object: ObjectID
    package let key: UUIDValue
    package let name: String
    package let created: Timestamp?
    package let tasks: [TodoTask]

    package var shownName: String { name.isEmpty ? "Unnamed Project" : name }
    package var open: [TodoTask] { tasks.filter { !$0.isDone } }
    package var finished: [TodoTask] { tasks.filter(\.isDone) }
}

/// One's own projects and their tasks, newest project first.
package struct TodoState: Sendable {
    package let projects: [TodoProject]
    /// Whether the server may know of more.
    package let isPartial: Bool
    package let ids: ShortIDs

    package init(_ projects: [TodoProject], isPartial: Bool = false) {
        self.projects = projects
        self.isPartial = isPartial
        ids = ShortIDs(projects.map(\.key) + projects.flatMap { $0.tasks.map(\.key) })
    }

    package init(_ reader: ReplicaReader) throws(ReplicaError) {
        guard reader.schema[TodoSchema.project.name] != nil else {
            self.init([], isPartial: !reader.identity.isLocal)
            return
        }
        let rows = try Self.rows(reader)
        var projects: [TodoProject] = []
        for object in rows.objects {
            guard let project = try reader.todoProject(object) else { continue }
            projects.append(project)
        }
        self.init(projects, isPartial: rows.isPartial)
    }

    /// What the subscription selects, where there is one.
    private static func rows(_ reader: ReplicaReader) throws(ReplicaError) -> ResultRows {
        if let subscription = try reader.subscription(named: TodoSchema.subscription),
            subscription.query.hasPrefix(TodoSchema.project.name)
        {
            return try reader.results(of: subscription)
        }
        return try reader.results(of: TodoSchema.query)
    }

    package func id(of task: TodoTask) -> String { ids.shortID(of: task.key) }
    package func id(of project: TodoProject) -> String { ids.shortID(of: project.key) }
}

extension ReplicaReader {
    func todoProject(_ object: ObjectID) throws(ReplicaError) -> TodoProject? {
        guard case .uuid(let key) = try key(of: object) else { return nil }
        var tasks: [TodoTask] = []
        for element in try elements("items", of: object) {
            guard case .link(let link) = element,
                let item = try find(TodoSchema.item.name, link.key),
                let task = try todoTask(item)
            else { continue }
            tasks.append(task)
        }
        return TodoProject(
            object: object, key: key, name: try text("name", of: object),
            created: try date("timestamp", of: object), tasks: tasks)
    }

    func todoTask(_ object: ObjectID) throws(ReplicaError) -> TodoTask? {
        guard case .uuid(let key) = try key(of: object) else { return nil }
        return TodoTask(
            object: object, key: key, title: try text("body", of: object),
            isDone: try value("isDone", of: object) == .bool(true),
            created: try date("timestamp", of: object))
    }

    private func text(_ property: String, of object: ObjectID) throws(ReplicaError) -> String {
        guard case .string(let text) = try value(property, of: object) else { return "" }
        return text.string
    }

    private func date(
        _ property: String, of object: ObjectID
    ) throws(ReplicaError) -> Timestamp? {
        guard case .date(let date) = try value(property, of: object) else { return nil }
        return date
    }
}
