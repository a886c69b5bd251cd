import TarnModel

/// What the loads write and subscribe to: a hundred tasks, each change an edit of one's text.
enum Workload {
    static let user = "bench"
    static let realm = "todo"
    static let query = "Task WHERE isDone == false"
    static let taskCount = 100
    /// As long as a rival's message in its own trials.
    private static let textByteCount = 120

    static let task = ClassSchema(
        "Task", primaryKey: PropertySchema("_id", .int),
        properties: [PropertySchema("body", .string), PropertySchema("isDone", .bool)])

    /// The first transaction of a realm.
    static var creation: [Change] {
        [.addClass(task)]
            + (0..<taskCount).map { number in
                .create(
                    className: task.name, key: .int(Int64(number)),
                    values: [InitialValue("body", .string(text(number: 0)))])
            }
    }

    /// - Parameter life: the transaction that created the tasks.
    static func edit(number: Int, life: TransactionID) -> [Change] {
        let key = PrimaryKey.int(Int64(number % taskCount))
        return [
            .set(
                ObjectName(task.name, key, life: life), property: "body",
                value: .string(text(number: number)))
        ]
    }

    /// Every task at once.
    static func editAll(number: Int, life: TransactionID) -> [Change] {
        (0..<taskCount).map { task in
            .set(
                ObjectName(Self.task.name, .int(Int64(task)), life: life), property: "body",
                value: .string(text(number: number)))
        }
    }

    /// A large transaction that makes so many tasks of its own.
    static func bulkCreation(_ count: Int, number: Int = 0, bytes: Int) -> [Change] {
        let text = bulkText(number, bytes)
        return (0..<count).map { place in
            .create(
                className: task.name, key: .int(bulkKey + Int64(number * count + place)),
                values: [InitialValue("body", text)])
        }
    }

    /// One that sets each of those that the first one made.
    static func bulkEdit(
        _ count: Int, number: Int, bytes: Int, life: TransactionID
    ) -> [Change] {
        let text = bulkText(number, bytes)
        return (0..<count).map { place in
            .set(
                ObjectName(task.name, .int(bulkKey + Int64(place)), life: life), property: "body",
                value: text)
        }
    }

    private static func bulkText(_ number: Int, _ bytes: Int) -> Value {
        let start = "bulk \(number)"
        return .string(
            Text(start + String(repeating: "x", count: max(0, bytes - start.utf8.count))))
    }

    private static let bulkKey: Int64 = 1_000_000

    private static func text(number: Int) -> String {
        let digits = String(number)
        return digits + " " + String(repeating: "x", count: textByteCount - 1 - digits.utf8.count)
    }

    /// The number in a text.
    static func number(in value: Value) -> Int? {
        guard case .string(let text) = value else { return nil }
        return text.string.split(separator: " ").first.flatMap { Int($0) }
    }
}
