import TarnModel
import TarnQuery

/// A to-do list as a store has it, a replica's or the server's: everything by keys, so that one can
/// be compared with another.
struct TodoPicture: Equatable {
    struct Task: Equatable {
        let title: String
        let isDone: Bool
    }

    private(set) var tasks: [PrimaryKey: Task] = [:]
    /// The tasks of each project, in the order of its list.
    private(set) var projects: [PrimaryKey: [PrimaryKey]] = [:]
    /// What only half a transaction could have left behind.
    private(set) var halves: [String] = []

    init(_ reader: any ObjectReader, _ schema: Schema) throws {
        guard let item = schema.number(of: "Item"), let project = schema.number(of: "Project"),
            let title = schema.schema(number: item)?.number(of: "body"),
            let isDone = schema.schema(number: item)?.number(of: "isDone"),
            let items = schema.schema(number: project)?.number(of: "items")
        else {
            halves = ["the classes are not there"]
            return
        }
        for object in try reader.objects(in: item) {
            guard case .string(let text) = try reader.value(title, of: object) else { continue }
            tasks[try reader.key(of: object)] = Task(
                title: text.string, isDone: try reader.value(isDone, of: object) == .bool(true))
        }
        var held: [PrimaryKey: Int] = [:]
        for object in try reader.objects(in: project) {
            let keys = try reader.targets(items, of: object).map { try reader.key(of: $0) }
            let key = try reader.key(of: object)
            projects[key] = keys
            let elementCount = try reader.elements(items, of: object).count
            if elementCount != keys.count {
                halves.append("\(key) leads to \(elementCount - keys.count) that are not there")
            }
            for key in keys { held[key, default: 0] += 1 }
        }
        for (key, task) in tasks where held[key] != 1 {
            halves.append("\(task.title) stands in lists \(held[key] ?? 0) times")
        }
    }

    /// How two differ, shortly.
    func difference(to other: TodoPicture) -> String {
        for key in Set(tasks.keys).union(other.tasks.keys).sorted()
        where tasks[key] != other.tasks[key] {
            let (left, right) = (tasks[key], other.tasks[key])
            return "\(left.map { "\($0)" } ?? "nothing") / \(right.map { "\($0)" } ?? "nothing")"
        }
        return projects == other.projects ? "none" : "the lists are others"
    }
}
