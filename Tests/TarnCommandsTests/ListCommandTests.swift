import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

struct ListCommandTests {
    let desk = Desk()

    private func filled() throws -> (ids: [String: String], state: TodoState) {
        desk.tarn("project", "add", "Groceries")
        for title in ["Milk", "Bread", "Eggs"] { desk.tarn("add", title) }
        desk.tarn("done", "Bread")
        let state = try desk.state()
        var ids: [String: String] = [:]
        for project in state.projects {
            ids[project.name] = state.id(of: project)
            for task in project.tasks { ids[task.title] = state.id(of: task) }
        }
        return (ids, state)
    }

    @Test func `open and finished tasks stand in two sections`() throws {
        let (ids, _) = try filled()

        #expect(
            desk.tarn("ls").output == """
                Groceries  \(ids["Groceries"]!)  3 tasks
                  Open
                    \(ids["Milk"]!)  Milk
                    \(ids["Eggs"]!)  Eggs
                  Finished
                    \(ids["Bread"]!)  Bread

                """)
    }

    @Test func `an empty section is hidden`() throws {
        desk.tarn("project", "add", "Home")
        desk.tarn("project", "add", "Groceries")
        desk.tarn("add", "-p", "Groceries", "Milk")

        let open = desk.tarn("ls", "Groceries").output
        desk.tarn("done", "Milk")
        let finished = desk.tarn("ls", "Groceries").output
        let empty = desk.tarn("ls", "Home").output

        #expect(open.contains("Open") && !open.contains("Finished") && open.contains("1 task\n"))
        #expect(finished.contains("Finished") && !finished.contains("Open"))
        #expect(empty.hasSuffix("No tasks\n") && !empty.contains("Open"))
    }

    @Test func `on a terminal finished tasks are struck through`() throws {
        let (ids, _) = try filled()
        desk.terminal.width = 80

        let output = desk.tarn("ls").output

        #expect(output.contains("\u{1B}[33m\(ids["Bread"]!)\u{1B}[0m  \u{1B}[2;9mBread\u{1B}[0m"))
        #expect(output.contains("\u{1B}[33m\(ids["Milk"]!)\u{1B}[0m  Milk\n"))
    }

    @Test(arguments: [["--no-color"], ["--json"]])
    func `colours are for terminals that want them`(options: [String]) throws {
        _ = try filled()
        desk.terminal.width = 80

        #expect(!desk.tarn(["ls"] + options).output.contains("\u{1B}"))
        desk.environment["NO_COLOR"] = "1"
        #expect(!desk.tarn("ls").output.contains("\u{1B}"))
    }

    @Test func `a long title is wrapped under itself on a terminal`() throws {
        desk.tarn("project", "add", "P")
        desk.tarn("add", "one two three four five six")
        desk.terminal.width = 24
        let state = try desk.state()
        let id = state.id(of: state.projects[0].tasks[0])

        let output = desk.tarn("ls", "--no-color").output

        let indent = String(repeating: " ", count: 6 + id.count)
        #expect(
            output.hasSuffix(
                "    \(id)  one two three\n\(indent)four five six\n"))
    }

    @Test func `in JSON each project and task is a line`() throws {
        let (ids, state) = try filled()
        let project = state.projects[0]
        let key = project.key

        let lines = desk.tarn("ls", "--json").output.split(separator: "\n").map(String.init)

        #expect(lines.count == 4)
        #expect(
            lines[0]
                == "{\"type\":\"project\",\"project\":{\"id\":\"\(ids["Groceries"]!)\","
                + "\"key\":\"\(key)\",\"name\":\"Groceries\","
                + "\"created\":\"\(project.created!)\",\"open\":2,\"finished\":1}}")
        #expect(
            lines[2]
                == "{\"type\":\"task\",\"task\":{\"id\":\"\(ids["Bread"]!)\","
                + "\"key\":\"\(project.tasks[1].key)\",\"title\":\"Bread\",\"done\":true,"
                + "\"created\":\"\(project.tasks[1].created!)\","
                + "\"project\":{\"id\":\"\(ids["Groceries"]!)\",\"key\":\"\(key)\","
                + "\"name\":\"Groceries\"}}}")
    }

    @Test func `what others have written never reaches the terminal as a control sequence`() throws
    {
        let evil = "a\u{1B}[2Jb\u{9B}31m\u{202E}c\nd\u{7}"
        desk.tarn("project", "add", "P \(evil)")
        desk.tarn("add", evil)
        desk.terminal.width = 200

        let people = desk.tarn("ls", "--no-color").output + desk.tarn("done", evil).errors
        let programs = desk.tarn("ls", "--json").output
        let missing = desk.tarn("done", "x\u{1B}]0;t\u{7}").errors

        for text in [people, programs, missing] {
            for scalar in text.unicodeScalars where scalar != "\n" {
                #expect(scalar.properties.generalCategory != .control)
                #expect(scalar.properties.generalCategory != .format)
            }
        }
        #expect(people.contains("a\\u{1B}[2Jb\\u{9B}31m\\u{202E}c\\nd"))
        #expect(programs.contains("a\\u001b[2Jb\\u009b31m\\u202ec\\nd"))
    }

    @Test func `a reader that goes away ends the command in silence`() throws {
        _ = try filled()
        desk.terminal.writesLeft = 2

        let result = desk.tarn("ls")

        #expect(result.status == 0)
        #expect(result.errors == "")
    }
}
