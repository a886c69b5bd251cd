import Glibc
import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

struct ImportTests {
    private let desk = Desk()
    private let path = "/tmp/tarn-import-test.\(getpid()).\(UInt64.random(in: 0 ... .max))"

    private static let classes = """
        {"type":"class","class":{"name":"Note","key":{"name":"id","type":"int"},"properties":[\
        {"name":"text","type":"string"},{"name":"at","type":"date","optional":true},\
        {"name":"next","type":"link","class":"Note"},\
        {"name":"parts","type":"link","class":"Note","kind":"list"},\
        {"name":"size","type":"double","optional":true},{"name":"raw","type":"data"},\
        {"name":"tags","type":"string","kind":"set"},\
        {"name":"marks","type":"int","kind":"map"},\
        {"name":"page","type":"link","class":"Page","owning":true}]}}
        {"type":"class","class":{"name":"Page","key":{"name":"id","type":"uuid"},"properties":[\
        {"name":"text","type":"string"}],"embedded":true}}

        """

    private func importing(
        _ text: String, _ options: String..., at other: Desk? = nil
    ) throws -> Desk.Result {
        let file = fopen(path, "w")
        fputs(text, file)
        fclose(file)
        defer { unlink(path) }
        return (other ?? desk).tarn(["import", path] + options)
    }

    private func note(
        _ id: Int, _ text: String, next: Int? = nil, parts: [Int] = []
    ) -> String {
        let link = next.map { #"{"class":"Note","key":\#($0)}"# } ?? "null"
        let list = parts.map { #"{"class":"Note","key":\#($0)}"# }.joined(separator: ",")
        return #"{"class":"Note","key":\#(id),"values":{"text":"\#(text)","next":\#(link),"#
            + #""parts":[\#(list)]}}"# + "\n"
    }

    private var exported: String { desk.tarn("export").output }

    private func sequence() throws -> UInt64 {
        try desk.realm().replica.read { try $0.status().chain.sequence }
    }

    @Test func `what is exported here is imported there, and is the same`() throws {
        desk.tarn("project", "add", "Groceries")
        for title in ["Milk", "Bread \"rye\"", "Eggs é"] { desk.tarn("add", title) }
        desk.tarn("done", "Milk")
        desk.tarn("mv", "Milk", "--to", "1")
        let there = Desk(later: 5_000)

        let text = exported
        let result = try importing(text, at: there)

        #expect(result.status == 0 && result.errors == "")
        #expect(result.output == "Imported 4 objects in 2 transactions\n")
        #expect(there.tarn("export").output == text)
        #expect(try there.titles("Groceries") == desk.titles("Groceries"))
    }

    @Test func `links lead forward, back and around`() throws {
        let lines =
            Self.classes + note(1, "one", next: 2, parts: [3, 1]) + note(2, "two", next: 1)
            + note(3, "three")

        #expect(try importing(lines).status == 0)

        let parts = try desk.realm().replica.read { reader in
            let one = try reader.find("Note", .int(1))
            return try one.map { try reader.elements("parts", of: $0).compactMap(Self.key) }
        }
        #expect(parts == [.int(3), .int(1)])
    }

    private static func key(_ value: Value) -> PrimaryKey? {
        if case .link(let link) = value { link.key } else { nil }
    }

    @Test func `values of all types come back as they were`() throws {
        let page =
            #"{"class":"Page","key":"0190a0a0-0000-7000-8000-000000000001","#
            + #""values":{"text":"a part"}}"#
        let values =
            #""text":"é","at":"2026-11-30T08:15:00.25Z","next":null,"parts":[],"size":-0.5,"#
            + #""raw":"AP8=","tags":["a","b"],"marks":{"x":1,"y":-2},"page":\#(page)"#
        let line = #"{"type":"object","object":{"class":"Note","key":1,"values":{\#(values)}}}"#

        let result = try importing(Self.classes + line + "\n")

        #expect(result.status == 0, "\(result.errors)")
        let lines = exported.split(separator: "\n")
        #expect(lines.count == 3 && lines[2] == line)
        #expect(try importing(exported).output.hasSuffix("in 0 transactions\n"))
    }

    @Test func `an import that is done again writes nothing, and a changed one what differs`()
        throws
    {
        let lines = (1...50).map { note($0, "note \($0)", next: 1, parts: [1, 2, 3]) }
        #expect(try importing(Self.classes + lines.joined()).status == 0)
        let (before, written) = (exported, try sequence())

        let again = try importing(Self.classes + lines.joined())
        #expect(again.output == "Imported 50 objects in 0 transactions\n")
        #expect(try sequence() == written)

        let changed = note(7, "another", next: 1, parts: [1, 9, 3])
        #expect(try importing(changed).status == 0)
        let pending = try desk.realm().replica.read { reader in
            try reader.store.pending(after: written, limit: 9).flatMap {
                try reader.changes(of: $0.sealed.body)
            }
        }
        // The text; and in the list one out and one in.
        #expect(pending.count == 3)
        #expect(try importing(lines.joined()).status == 0)
        #expect(exported == before)
    }

    @Test func `a large one is many transactions of bounded size`() throws {
        let lines = (1...5_000).map { note($0, "note \($0)") }

        #expect(try importing(Self.classes + lines.joined()).status == 0)

        let counts = try written().map(\.changes)
        #expect(counts.allSatisfy { $0 <= 500 })
        #expect(counts.reduce(0, +) == 5_002)
    }

    @Test func `a list that is longer than a transaction may be is written in pieces`() throws {
        let parts = (1...1_300).map { $0 % 2 + 1 }
        let line = note(1, "long", next: 1, parts: parts)

        #expect(try importing(Self.classes + note(2, "first") + line).status == 0)

        let counts = try written().map(\.changes)
        #expect(counts.allSatisfy { $0 <= 500 })
        #expect(counts.count > 3)
        let sequence = try sequence()
        #expect(try importing(line).output.hasSuffix("in 0 transactions\n"))
        #expect(try self.sequence() == sequence)
    }

    /// The changes of each transaction that waits to be sent, and the bytes of its body.
    private func written() throws -> [(changes: Int, bytes: Int)] {
        try desk.realm().replica.read { reader in
            try reader.store.pending(after: 0, limit: 1_000).map {
                (try reader.changes(of: $0.sealed.body).count, $0.sealed.body.count)
            }
        }
    }

    @Test func `long texts are written in as many transactions as they need`() throws {
        let classes = #"""
            {"type":"class","class":{"name":"Book","key":{"name":"id","type":"int"},"properties":[\#
            {"name":"one","type":"string"},{"name":"two","type":"string"},\#
            {"name":"three","type":"string","optional":true},\#
            {"name":"pages","type":"string","kind":"list"},\#
            {"name":"notes","type":"string","kind":"map"}]}}

            """#
        func text(_ letter: Character, _ count: Int) -> String {
            String(repeating: letter, count: count)
        }
        let long = TransactionLimits.stringBytesMax
        let pages = (0..<3).map { #""\#(text("p", 300_000 + $0))""# }.joined(separator: ",")
        let notes = (0..<2).map { #""n\#($0)":"\#(text("n", 400_000))""# }.joined(separator: ",")
        var lines = [
            #"{"class":"Book","key":1,"values":{"one":"\#(text("a", long))","#
                + #""two":"\#(text("b", 600_000))","three":"\#(text("c", 500_000))","#
                + #""pages":[\#(pages)],"notes":{\#(notes)}}}"# + "\n"
        ]
        for id in 2...8 {
            lines.append(
                #"{"class":"Book","key":\#(id),"values":{"one":"\#(text("d", 90_000))"}}"# + "\n")
        }

        let result = try importing(classes + lines.joined())

        #expect(result.status == 0)
        let weights = try written().map {
            TransactionLimits.weight(changes: $0.changes, bytes: $0.bytes)
        }
        #expect(weights.allSatisfy { $0 <= TransactionLimits.weightMax })
        // Three for the long texts, five for the pages and notes, and five of the others at once.
        #expect(weights.count < 14)
        #expect(try importing(classes + lines.joined()).output.hasSuffix("in 0 transactions\n"))
        let exported = exported
        #expect(exported.count > 3_500_000)
        let there = Desk(later: 5_000)
        #expect(try importing(exported, at: there).status == 0)
        #expect(there.tarn("export").output == exported)
    }

    private static let books = #"""
        {"type":"class","class":{"name":"Book","key":{"name":"id","type":"int"},"properties":[\#
        {"name":"text","type":"string"},{"name":"next","type":"link","class":"Book"},\#
        {"name":"lines","type":"string","kind":"list"},\#
        {"name":"pages","type":"link","class":"Leaf","kind":"list","owning":true}]}}
        {"type":"class","class":{"name":"Leaf","key":{"name":"id","type":"int"},"properties":[\#
        {"name":"text","type":"string"},{"name":"lines","type":"string","kind":"list"}],\#
        "embedded":true}}

        """#

    private func leaf(_ id: Int, _ text: String, lines: Int = 0) -> String {
        let lines = (0..<lines).map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"class":"Leaf","key":\#(id),"values":{"text":"\#(text)","lines":[\#(lines)]}}"#
    }

    @Test func `long parts, and parts with long lists, stay with their owner`() throws {
        let page = String(repeating: "p", count: 300_000)
        let pages = [leaf(1, page), leaf(2, page), leaf(3, "short", lines: 250)]
        let within = #"{"class":"Book","key":2,"values":{"text":"\#(page)\#(page)"}}"#
        let list = pages.joined(separator: ",")
        let line =
            #"{"class":"Book","key":1,"values":{"text":"b","lines":["a","b"],"pages":[\#(list)],"#
            + #""next":\#(within)}}"# + "\n"

        #expect(try importing(Self.books + line).status == 0)

        #expect(try importing(line).output.hasSuffix("in 0 transactions\n"))
        let text = exported
        #expect(text.contains(page))
        let there = Desk(later: 5_000)
        #expect(try importing(text, at: there).status == 0)
        #expect(there.tarn("export").output == text)
    }

    @Test func `a list of long texts becomes another one`() throws {
        func line(_ letters: String) -> String {
            let lines = letters.map { #""\#(String(repeating: $0, count: 300_000))""# }
            return #"{"class":"Book","key":1,"values":{"text":"b","lines":["#
                + lines.joined(separator: ",") + "]}}\n"
        }
        #expect(try importing(Self.books + line("abcde")).status == 0)

        for letters in ["xcyaz", "", "qrstu"] {
            #expect(try importing(line(letters)).status == 0)
            #expect(try importing(line(letters)).output.hasSuffix("in 0 transactions\n"))
        }
    }

    @Test func `an object that stands in a line twice is the same, or the line is bad`() throws {
        func line(_ first: String, _ second: String) -> String {
            func book(_ text: String) -> String {
                #"{"class":"Book","key":2,"values":{"text":"\#(text)"}}"#
            }
            let third = #"{"class":"Book","key":3,"values":{"text":"c","next":\#(book(second))}}"#
            return #"{"class":"Book","key":1,"values":{"next":\#(book(first)),"pages":[],"#
                + #""text":"a"}}"# + "\n" + #"{"class":"Book","key":4,"values":{"next":"#
                + #"{"class":"Book","key":2,"values":{"text":"\#(first)","next":\#(third)}}}}"#
                + "\n"
        }
        let result = try importing(Self.books + line("x", "y"))

        #expect(result.status != 0)
        #expect(result.errors.contains("line 4: an object of Book stands twice in it"))
    }

    @Test func `an import is not taken back piece by piece`() throws {
        desk.tarn("project", "add", "Groceries")
        let text = String(repeating: "x", count: 3_000)
        let lines = (1...200).map { note($0, text) }
        #expect(try importing(Self.classes + lines.joined()).status == 0)

        let result = desk.tarn("undo")

        #expect(result.status != 0)
        #expect(result.errors.contains("one of an import"))
        #expect(try desk.state().projects.count == 1)
    }

    @Test func `a text that is longer than any may be is named with its line`() throws {
        let text = String(repeating: "x", count: TransactionLimits.stringBytesMax + 1)

        let result = try importing(Self.classes + note(1, "short") + note(2, text))

        #expect(result.status != 0)
        #expect(result.errors.contains("line 4"))
        #expect(result.errors.contains("1000000 bytes"))
    }

    private static let wrong: [(line: String, sentence: String)] = [
        ("nonsense", "no value begins so, at byte 1"),
        (#"{"class":"Nothing","key":1,"values":{}}"#, "there is no class Nothing"),
        (#"{"class":"Note","key":"x","values":{}}"#, "Note.id does not hold \"x\""),
        (#"{"class":"Note","key":9,"values":{"text":5}}"#, "Note.text does not hold 5"),
        (#"{"class":"Note","key":9,"values":{"text":null}}"#, "Note.text is never null"),
        (#"{"class":"Note","key":9,"values":{"at":"noon"}}"#, "Note.at does not hold \"noon\""),
        (#"{"class":"Note","key":9,"values":{"width":1}}"#, "there is no property Note.width"),
        (#"{"class":"Note","key":9,"values":{"parts":5}}"#, "Note.parts is a list"),
        (#"{"class":"Note","key":9,"values":{"text":"","next":{"class":"Note","key":77}}}"#, "77"),
        (#"{"class":"Note","key":9,"values":{"size":"wide"}}"#, "Note.size does not hold \"wide\""),
        (#"{"class":"Note","key":9,"values":{"raw":"???"}}"#, "Note.raw does not hold \"???\""),
        (#"{"class":"Note","key":9,"values":{"tags":{}}}"#, "Note.tags is a set"),
        (#"{"class":"Note","key":9,"values":{"marks":[1]}}"#, "Note.marks is a map"),
        (#"{"class":"Page","key":"x","values":{}}"#, "Page is a part"),
        (#"{"type":"task","task":{}}"#, "is neither a class nor an object"),
    ]

    @Test(arguments: wrong)
    func `a wrong line is named and nothing of it is written`(
        line: String, sentence: String
    ) throws {
        let lines = Self.classes + note(1, "one") + line + "\n" + note(2, "two")

        let result = try importing(lines)

        #expect(result.status != 0)
        #expect(result.errors.hasPrefix("tarn: line 4: "), "\(result.errors)")
        #expect(result.errors.contains(sentence), "\(result.errors)")
        #expect(result.output == "")
        #expect(exported.contains("\"one\""))
        // In the second pass all objects are there already.
        #expect(exported.contains("\"two\"") == line.contains("77"))
    }

    @Test func `with keep-going wrong lines are told and left out`() throws {
        let lines =
            Self.classes + note(1, "one") + Self.wrong.map { $0.line + "\n" }.joined()
            + note(2, "two", next: 1)

        let result = try importing(lines, "--keep-going")

        #expect(result.status == 65)
        for (index, wrong) in Self.wrong.enumerated() {
            #expect(result.errors.contains("line \(index + 4): "), "\(wrong)")
        }
        #expect(exported.contains("\"one\"") && exported.contains("\"two\""))
    }

    @Test func `a file that is not there is said to be missing`() {
        let result = desk.tarn("import", "/no/such/file")

        #expect(result.status == 66)
        #expect(result.errors.contains("/no/such/file cannot be read"))
    }
}
