import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

struct ProjectCommandTests {
    let desk = Desk()

    @Test func `projects are listed newest first, with their counts`() throws {
        desk.tarn("project", "add", "Groceries")
        desk.tarn("add", "Milk")
        desk.tarn("add", "Bread")
        desk.tarn("project", "add", "Work")
        desk.tarn("project", "add", "Home")
        desk.tarn("add", "Paint", "-p", "Home")
        let state = try desk.state()
        let ids = state.projects.map { state.id(of: $0) }

        let result = desk.tarn("project", "ls")

        #expect(
            result.output == """
                \(ids[0])  Home       1 task
                \(ids[1])  Work       No tasks
                \(ids[2])  Groceries  2 tasks

                """)
    }

    @Test func `a project is renamed by name or id`() throws {
        desk.tarn("project", "add", "Groceries")

        #expect(desk.tarn("project", "rename", "Groceries", "Weekly", "shopping").status == 0)

        #expect(try desk.state().projects.map(\.name) == ["Weekly shopping"])
        let id = try desk.state().id(of: desk.state().projects[0])
        #expect(desk.tarn("project", "rename", id, "Food").status == 0)
        #expect(try desk.state().projects.map(\.name) == ["Food"])
    }

    @Test func `an empty project is deleted without asking`() throws {
        desk.tarn("project", "add", "Groceries")

        #expect(desk.tarn("project", "rm", "Groceries").output == "Deleted Groceries\n")
        #expect(try desk.state().projects.isEmpty)
    }

    @Test func `a project of more tasks than a transaction has room for goes whole`() throws {
        desk.tarn("project", "add", "Work")
        let realm = try desk.realm()
        for batch in 0..<3 {
            try realm.write { transaction in
                var random = SystemRandomNumberGenerator()
                let project = try TodoState(transaction.reader).projects[0]
                for number in 0..<(batch == 0 ? 10 : 400) {
                    _ = try transaction.addTask(
                        Title(["task", "\(batch).\(number)"], of: "task's title"), to: project,
                        Birth(milliseconds: Int64(number), random: &random))
                }
            }
        }
        let before = try realm.replica.read { try $0.status().chain.sequence }

        let result = desk.tarn("project", "rm", "Work", "--yes")

        #expect(result.output == "Deleted Work with 810 tasks\n")
        #expect(try desk.state().projects.isEmpty)
        #expect(try realm.replica.read { try $0.all("Item").count } == 0)
        #expect(try realm.replica.read { try $0.status().chain.sequence } == before + 2)
    }

    @Test func `a project with tasks is deleted when a person says so, all at once`() throws {
        desk.tarn("project", "add", "Groceries")
        desk.tarn("add", "Milk")
        desk.tarn("add", "Bread")
        desk.terminal.canAsk = true
        desk.terminal.answers = ["y"]
        let before = try desk.realm().replica.read { try $0.status().chain.sequence }

        let result = desk.tarn("project", "rm", "Groceries")

        #expect(desk.terminal.questions == ["Delete Groceries with 2 tasks? [y/N] "])
        #expect(result.output == "Deleted Groceries with 2 tasks\n")
        let (after, items) = try desk.realm().replica.read {
            (try $0.status().chain.sequence, try $0.all("Item").count)
        }
        #expect(after == before + 1)
        #expect(items == 0)
    }

    @Test(arguments: ["n", "", "no", "N"])
    func `a project stays where a person says no`(answer: String) throws {
        desk.tarn("project", "add", "Groceries")
        desk.tarn("add", "Milk")
        desk.terminal.canAsk = true
        desk.terminal.answers = [answer]

        let result = desk.tarn("project", "rm", "Groceries")

        #expect(result.status == 1)
        #expect(result.errors == "tarn: nothing was deleted.\n")
        #expect(try desk.titles("Groceries") == ["Milk"])
    }

    @Test func `without a terminal a project with tasks needs --yes`() throws {
        desk.tarn("project", "add", "Groceries")
        desk.tarn("add", "Milk")

        let refused = desk.tarn("project", "rm", "Groceries")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("with 1 task"))
        #expect(refused.errors.contains("--yes"))
        #expect(try desk.titles("Groceries") == ["Milk"])

        #expect(desk.tarn("project", "rm", "Groceries", "--yes").status == 0)
        #expect(try desk.state().projects.isEmpty)
    }
}
