import Glibc
import TarnTesting
import Testing

/// What is promised of the programs as they are installed: real processes, files, sockets and TLS.
@Suite(.serialized)
struct StoryTests {
    let town: Town

    init() throws {
        town = try Town()
        #expect(try town.enter("alice", on: "laptop", isNew: true).status == 0)
    }

    @Test func `a second machine has what the first one wrote, and a watch shows the rest`() throws
    {
        try town.tarn("laptop", "project", "add", "Groceries")
        try town.tarn("laptop", "add", "Milk")

        #expect(try town.enter("alice", on: "desk").status == 0)
        #expect(try town.titles("desk") == ["Milk"])

        let watch = try town.start("desk", ["watch"])
        #expect(watch.says("Milk"))
        try town.tarn("laptop", "add", "Bread")
        #expect(watch.says("+ 1 Bread"))
        try town.tarn("laptop", "done", "Milk")
        #expect(watch.says("~ 0 Milk  (done)"))
        try town.tarn("laptop", "mv", "Bread", "--before", "Milk")
        #expect(watch.says("> 1 → 0 Bread"))
        try town.tarn("laptop", "project", "rm", "Groceries", "--yes")
        #expect(watch.says("- 0     Groceries  2 tasks"))

        #expect(watch.end(by: SIGINT) == 0)
        #expect(watch.errors == "")
    }

    @Test func `what two machines do offline is with both when the server is back`() throws {
        try town.tarn("laptop", "project", "add", "Groceries")
        try town.tarn("laptop", "add", "Milk")
        try town.tarn("laptop", "add", "Bread")
        try town.enter("alice", on: "desk")
        town.fell()

        let offline = try town.tarn("laptop", "add", "Butter")
        #expect(offline.status == 0)
        #expect(offline.errors == "Saved here; will be sent when the server is reachable.\n")
        try town.tarn("laptop", "edit", "Milk", "Oat milk")
        try town.tarn("desk", "done", "Milk")
        try town.tarn("desk", "add", "Apples")
        #expect(try town.tarn("desk", "status", "--json").output.contains("\"unsent\":2"))
        #expect(try town.tarn("desk", "sync").status == 69)

        try town.raise()
        for machine in ["laptop", "desk", "laptop"] {
            #expect(try town.tarn(machine, "sync").status == 0)
        }
        let titles = try town.titles("laptop")
        #expect(titles.sorted() == ["Apples", "Bread", "Butter", "✓Oat milk"])
        #expect(try town.titles("desk") == titles)
    }

    @Test func `another user sees none of it, by no command and in no file`() throws {
        try town.tarn("laptop", "project", "add", "Groceries")
        try town.tarn("laptop", "add", "Secretmilk")
        try town.enter("bob", on: "bob", isNew: true)

        #expect(try town.titles("bob") == [])
        let stranger = try town.tarn("bob", "--realm", "alice/todo", "ls")
        #expect(!stranger.output.contains("Groceries"))
        try town.tarn("bob", "subscribe", "all", "Project")
        try town.tarn("bob", "sync")
        #expect(!(try town.tarn("bob", "query", "Project").output.contains("Groceries")))
        #expect(system("grep -rqs Secretmilk '\(town.home)/laptop'") == 0)
        #expect(system("grep -rqs Secretmilk '\(town.home)/bob'") != 0)
    }

    @Test func `two processes use one replica, and either takes over from the other`() throws {
        try town.tarn("laptop", "project", "add", "Groceries")
        try town.enter("alice", on: "desk")
        let first = try town.start("laptop", ["watch"])
        #expect(first.says("Groceries"))
        let second = try town.start("laptop", ["watch"])
        #expect(second.says("Groceries"))

        try town.tarn("laptop", "add", "Milk")
        #expect(first.says("+ 0 Milk"))
        #expect(second.says("+ 0 Milk"))

        // The one that leads dies without a word.
        #expect(first.end(by: SIGKILL) == -SIGKILL)
        try town.tarn("desk", "add", "Bread")
        #expect(second.says("+ 1 Bread"))
        try town.tarn("laptop", "add", "Eggs")
        #expect(second.says("+ 2 Eggs"))
        #expect(try town.titles("desk") == ["Milk", "Bread", "Eggs"])
        #expect(second.end(by: SIGTERM) == 0)
    }

    @Test func `a killed command has written all or nothing, and its work arrives`() throws {
        try town.tarn("laptop", "project", "add", "Groceries")
        for number in 1...10 {
            let add = try town.start("laptop", ["add", "Task \(number)"])
            Deadline.pause(microseconds: UInt32(number * 7_000))
            add.end(by: SIGKILL)
        }

        #expect(try town.tarn("laptop", "sync").status == 0)
        let kept = try town.titles("laptop")
        try town.enter("alice", on: "desk")
        #expect(try town.titles("desk") == kept)
        #expect(Set(kept).count == kept.count)
    }

    @Test func `bad input ends with one sentence and its code`() throws {
        let cases: [([String], Int32, String)] = [
            (["frobnicate"], 64, "there is no command"),
            (["add", " "], 65, "a task's title cannot be blank"),
            (["done", "nothing"], 66, "there is no task \"nothing\""),
            (["query", "Item WHERE"], 65, ""),
            (["login", "eve", "--server", "localhost:1", "--nickname"], 77, "alice is logged in"),
            (["--profile", "no/pe", "ls"], 64, "--profile is given twice"),
        ]
        for (arguments, status, sentence) in cases {
            let process = try town.start("laptop", arguments)
            #expect(process.end() == status, "\(arguments): \(process.errors)")
            #expect(process.errors.contains(sentence), "\(process.errors)")
            #expect(process.errors.split(separator: "\n").count == 1)
            #expect(process.output == "")
        }
        let unreachable = try town.tarn(
            "other", "login", "eve", "--server", "localhost:1", "--nickname")
        #expect(unreachable.status == 69)
        let untrusted = try town.tarn(
            "other", "login", "eve", "--server", "localhost:\(town.port)", "--nickname")
        #expect(untrusted.status == 64)
        #expect(untrusted.errors.contains("fingerprint"))
        let wrong = try town.tarn(
            "other", "login", "nobody", "--server", "localhost:\(town.port)", "--ca",
            TestCertificates.shared.authority)
        #expect(wrong.status == 77)
        #expect(try town.tarn("other", "whoami").status == 77)
    }

    @Test func `a reader that goes away ends a command in silence`() throws {
        try town.tarn("laptop", "project", "add", "Groceries")
        let program = BuiltProgram.path("tarn")
        let script = """
            set -o pipefail; TARN_HOME='\(town.home)' '\(program)' --profile laptop ls \
            2>'\(town.folder.file("pipe"))' | true
            """

        #expect(system("/bin/bash -c \"\(script)\"") == 0)
        #expect(system("test ! -s '\(town.folder.file("pipe"))'") == 0)
    }
}
