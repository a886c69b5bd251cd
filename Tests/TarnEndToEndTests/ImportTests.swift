import Glibc
import TarnTesting
import Testing

/// Imports by the programs themselves: killed, done again, and by a pipe.
@Suite(.serialized)
struct ImportTests {
    let town: Town
    let path: String

    init() throws {
        town = try Town()
        path = town.folder.file("notes")
        #expect(try town.enter("alice", on: "laptop", isNew: true).status == 0)
        try expectNotes(on: "laptop")
        var text = ""
        for number in 1...Self.count {
            text += #"{"class":"Note","key":\#(number),"values":{"text":"note \#(number)","#
            text += #""next":{"class":"Note","key":\#(number % Self.count + 1)}}}"# + "\n"
        }
        let file = fopen(path, "w")
        fputs(text, file)
        fclose(file)
    }

    private static let count = 3_000

    /// Brings the class, and what keeps its objects on a machine.
    private func expectNotes(on profile: String) throws {
        let note = "Note(id int, text string, next Note)"
        #expect(try town.tarn(profile, "schema", "add", note).status == 0)
        #expect(try town.tarn(profile, "subscribe", "notes", "Note").status == 0)
    }

    /// Every note once, with its link, as a machine has them.
    private func expectAll(on profile: String) throws {
        let lines = try town.tarn(profile, "export").output.split(separator: "\n")
        let notes = lines.filter { $0.contains(#""class":"Note","key""#) }
        #expect(notes.count == Self.count)
        #expect(Set(notes).count == Self.count)
        #expect(!notes.contains { $0.contains(#""next":null"#) })
    }

    @Test func `what nothing subscribes to leaves with a word`() throws {
        try town.tarn("laptop", "unsubscribe", "notes")

        let result = try town.tarn("laptop", "import", path)

        #expect(result.status == 0)
        #expect(result.errors.contains("Nothing here subscribes to Note: "))
        #expect(try !town.tarn("laptop", "export").output.contains("note 1"))
        try bringToDesk()
        try expectAll(on: "desk")
    }

    @Test func `what is made and nothing selects leaves with a word, and else without`() throws {
        let kept = try town.tarn("laptop", "create", "Note", "id=9001", "text=kept")
        try town.tarn("laptop", "unsubscribe", "notes")
        let gone = try town.tarn("laptop", "create", "Note", "id=9002", "text=gone")

        #expect(kept.status == 0)
        #expect(kept.errors.isEmpty)
        #expect(gone.status == 0)
        #expect(gone.errors.contains("No subscription here selects it"))
        try town.tarn("laptop", "subscribe", "notes", "Note")
        #expect(try town.tarn("laptop", "export").output.contains(#""key":9002"#))
    }

    private func bringToDesk() throws {
        try town.enter("alice", on: "desk")
        try town.tarn("desk", "subscribe", "notes", "Note")
        #expect(try town.tarn("desk", "sync").status == 0)
    }

    @Test(arguments: [UInt64(1), 2])
    func `an import that is killed again and again is done again, and nothing is there twice`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<6 {
            let cutShort = try town.start("laptop", ["import", path])
            Deadline.pause(microseconds: UInt32.random(in: 20_000...900_000, using: &random))
            cutShort.end(by: SIGKILL)
        }

        let last = try town.tarn("laptop", "import", path)

        #expect(last.status == 0, "\(last.errors)")
        #expect(last.output.hasPrefix("Imported \(Self.count) objects in "))
        try expectAll(on: "laptop")
        try bringToDesk()
        try expectAll(on: "desk")
        let again = try town.tarn("laptop", "import", path)
        #expect(again.output == "Imported \(Self.count) objects in 0 transactions\n")
    }

    @Test func `what one machine prints another one takes from a pipe, beside who writes`() throws {
        #expect(try town.tarn("laptop", "import", path).status == 0)
        try town.tarn("laptop", "project", "add", "Groceries")
        try town.tarn("laptop", "sync")
        try town.enter("bob", on: "phone", isNew: true)
        try expectNotes(on: "phone")
        try town.tarn("phone", "subscribe", "all", "Project")
        let program = BuiltProgram.path("tarn")
        let watch = try town.start("phone", ["watch"])
        #expect(watch.says("complete"))

        let status = system(
            """
            export TARN_HOME='\(town.home)'
            '\(program)' --profile laptop export | '\(program)' --profile phone import - \
            > '\(town.folder.file("piped"))' 2>&1
            """)

        #expect(status == 0)
        try expectAll(on: "phone")
        // Somebody else's project is not among one's own, but it is there.
        #expect(try town.tarn("phone", "export").output.contains("Groceries"))
        #expect(watch.end(by: SIGINT) == 0)
    }
}
