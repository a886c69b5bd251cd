import Glibc
import TarnTesting
import Testing

/// Many programs at once on one replica.
@Suite(.serialized)
struct ParallelTests {
    let town: Town

    init() throws {
        town = try Town()
        #expect(try town.enter("alice", on: "laptop", isNew: true).status == 0)
        try town.tarn("laptop", "project", "add", "Groceries")
    }

    @Test(arguments: [true, false], [true, false])
    func `fifty that add at once all land, each once`(isOnline: Bool, hasLeader: Bool) throws {
        let leader = hasLeader ? try town.start("laptop", ["watch"]) : nil
        if let leader { #expect(leader.says("Groceries")) }
        if !isOnline { town.fell() }

        let adds = try (1...50).map { try town.start("laptop", ["add", "Task \($0)"]) }
        for add in adds {
            #expect(add.end() == 0, "\(add.errors)")
            let note = "Saved here; will be sent when the server is reachable.\n"
            #expect(["", note].contains(add.errors))
        }

        // Whoever leads then tries at once.
        if let leader { #expect(leader.end(by: SIGTERM) == 0) }
        if !isOnline { try town.raise() }
        #expect(try town.tarn("laptop", "sync").status == 0)
        try town.enter("alice", on: "desk")
        let titles = Set((1...50).map { "Task \($0)" })
        for profile in ["laptop", "desk"] {
            let found = try town.titles(profile)
            #expect(found.count == 50)
            #expect(Set(found) == titles)
        }
        #expect(try town.titles("desk") == town.titles("laptop"))
    }

    @Test func `every program learns what the others changed, once`() throws {
        let watches = try (1...3).map { _ in try town.start("laptop", ["watch"]) }
        for watch in watches { #expect(watch.says("Groceries")) }

        for number in 1...8 { try town.tarn("laptop", "add", "Task \(number)") }
        let changes = [
            ["done", "Task 3"], ["edit", "Task 5", "Other 5"], ["rm", "Task 7"],
            ["mv", "Task 8", "--before", "Task 1"],
        ]
        let writers = try changes.map { try town.start("laptop", $0) }
        for writer in writers { #expect(writer.end() == 0, "\(writer.errors)") }

        for watch in watches {
            #expect(watch.says("Task 3  (done)"))
            #expect(watch.says("Other 5"))
            #expect(Deadline(seconds: 20).wait { lines(of: watch, with: "-", "Task 7") == 1 })
            #expect(Deadline(seconds: 20).wait { lines(of: watch, with: ">", "Task 8") == 1 })
            for number in 1...8 { #expect(lines(of: watch, with: "+", "Task \(number)") == 1) }
            #expect(lines(of: watch, with: "~", "Task 3  (done)") == 1)
            #expect(lines(of: watch, with: "~", "Other 5") == 1)
            #expect(watch.errors == "")
            #expect(watch.end(by: SIGINT) == 0)
        }
    }

    /// How many lines of a sign a watch has written about a title.
    private func lines(of watch: TarnProcess, with sign: String, _ title: String) -> Int {
        watch.output.split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            return words.first.map(String.init) == sign && line.hasSuffix(" \(title)")
        }
    }
}
