/// "3 tasks", "1 task", "No tasks".
package struct TodoCount: CustomStringConvertible, Sendable {
    package let count: Int

    package init(_ count: Int) { self.count = count }

    package var description: String {
        switch count {
        case 0: "No tasks"
        case 1: "1 task"
        default: "\(count) tasks"
        }
    }
}
