import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

struct TaskCommandTests {
    let desk = Desk()

    init() {
        desk.tarn("project", "add", "Groceries")
        for title in ["Milk", "Bread", "Eggs"] { desk.tarn("add", title) }
    }

    @Test func `a task goes to the end of the only project`() throws {
        let result = desk.tarn("add", "Olive", "oil")

        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Added Olive oil to Groceries  "))
        #expect(try desk.titles("Groceries") == ["Milk", "Bread", "Eggs", "Olive oil"])
    }

    @Test func `with several projects one must be named`() throws {
        desk.tarn("project", "add", "Work")

        let refused = desk.tarn("add", "Report")
        let done = desk.tarn("add", "--project", "Work", "Report")

        #expect(refused.status == 64)
        #expect(refused.errors.contains("say which one"))
        #expect(refused.errors.contains("Groceries"))
        #expect(done.status == 0)
        #expect(try desk.titles("Work") == ["Report"])
    }

    @Test func `without a project it is said how to make one`() {
        let result = Desk().tarn("add", "Milk")

        #expect(result.status == 66)
        #expect(
            result.errors == "tarn: there is no project yet; tarn project add NAME makes one.\n")
    }

    @Test func `tasks are ticked off together, and opened again`() throws {
        let done = desk.tarn("done", "Milk", "Eggs")
        #expect(done.status == 0)
        #expect(try desk.titles("Groceries") == ["✓Milk", "Bread", "✓Eggs"])

        desk.tarn("undone", "Milk")
        #expect(try desk.titles("Groceries") == ["Milk", "Bread", "✓Eggs"])
    }

    @Test func `where one of several tasks is not there nothing is done`() throws {
        let result = desk.tarn("done", "Milk", "Butter")

        #expect(result.status == 66)
        #expect(result.errors.contains("there is no task \"Butter\""))
        #expect(try desk.titles("Groceries") == ["Milk", "Bread", "Eggs"])
    }

    @Test func `a task's title is edited`() throws {
        let result = desk.tarn("edit", "Milk", "Oat", "milk")

        #expect(result.status == 0)
        #expect(try desk.titles("Groceries") == ["Oat milk", "Bread", "Eggs"])
    }

    @Test func `a deleted task leaves its list`() throws {
        let result = desk.tarn("rm", "Bread")

        #expect(result.status == 0)
        #expect(try desk.titles("Groceries") == ["Milk", "Eggs"])
    }

    @Test(arguments: [
        (["Eggs", "--to", "1"], ["Eggs", "Milk", "Bread"]),
        (["Milk", "--to", "2"], ["Bread", "Milk", "Eggs"]),
        (["Milk", "--to", "3"], ["Bread", "Eggs", "Milk"]),
        (["Milk", "--to", "99"], ["Bread", "Eggs", "Milk"]),
        (["Milk", "--to", "1"], ["Milk", "Bread", "Eggs"]),
        (["Eggs", "--before", "Bread"], ["Milk", "Eggs", "Bread"]),
        (["Milk", "--before", "Eggs"], ["Bread", "Milk", "Eggs"]),
        (["Milk", "--after", "Eggs"], ["Bread", "Eggs", "Milk"]),
        (["Eggs", "--after", "Milk"], ["Milk", "Eggs", "Bread"]),
        (["Milk", "--after", "Bread"], ["Bread", "Milk", "Eggs"]),
    ])
    func `a task moves within its project`(arguments: [String], titles: [String]) throws {
        let result = desk.tarn(["mv"] + arguments)

        #expect(result.status == 0, "\(result.errors)")
        #expect(try desk.titles("Groceries") == titles)
    }

    @Test func `a place is counted among the tasks of its section`() throws {
        desk.tarn("done", "Milk")

        desk.tarn("mv", "Eggs", "--to", "1")

        #expect(try desk.titles("Groceries") == ["✓Milk", "Eggs", "Bread"])
    }

    @Test func `a task does not move beside itself or one of another project`() throws {
        desk.tarn("project", "add", "Work")
        desk.tarn("add", "-p", "Work", "Report")

        #expect(desk.tarn("mv", "Milk", "--after", "Milk").status == 65)
        #expect(desk.tarn("mv", "Milk", "--after", "Report").status == 65)
        #expect(try desk.titles("Groceries") == ["Milk", "Bread", "Eggs"])
    }

    @Test func `a title in other capitals is found, an exact one first`() throws {
        desk.tarn("add", "MILK")

        desk.tarn("done", "MILK")
        #expect(try desk.titles("Groceries") == ["Milk", "Bread", "Eggs", "✓MILK"])
        desk.tarn("done", "bread")
        #expect(try desk.titles("Groceries") == ["Milk", "✓Bread", "Eggs", "✓MILK"])
    }

    @Test func `a title that two tasks have lists both with their ids`() throws {
        desk.tarn("add", "Milk")
        let state = try desk.state()
        let twins = state.projects[0].tasks.filter { $0.title == "Milk" }

        let result = desk.tarn("done", "Milk")

        #expect(result.status == 66)
        for twin in twins { #expect(result.errors.contains(state.id(of: twin))) }
        #expect(desk.tarn("done", state.id(of: twins[1])).status == 0)
        #expect(try desk.titles("Groceries") == ["Milk", "Bread", "Eggs", "✓Milk"])
    }

    @Test func `what cannot be sent is saved, and that is said`() {
        desk.profile.offline = "localhost:8276 cannot be reached"

        let result = desk.tarn("add", "Butter")

        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Added Butter"))
        #expect(result.errors == "Saved here; will be sent when the server is reachable.\n")
    }

    @Test func `in JSON a deed is one object a line`() throws {
        let result = desk.tarn("add", "--json", "Butter")
        let state = try desk.state()
        let task = try state.task(named: "Butter")

        #expect(
            result.output
                == "{\"action\":\"added\",\"task\":\(state.json(task.task, in: task.project)),"
                + "\"sent\":true}\n")
    }
}
