import Glibc
import TarnTesting
import Testing

/// A replica's file that a program must not, or cannot, write to just now.
@Suite(.serialized)
struct UnusableFileTests {
    let town: Town
    let file: ReplicaFile

    init() throws {
        town = try Town()
        file = town.replica("laptop", of: "alice")
        #expect(try town.enter("alice", on: "laptop", isNew: true).status == 0)
        try town.tarn("laptop", "project", "add", "Groceries")
        try town.tarn("laptop", "add", "Milk")
    }

    private func expectFailure(
        _ arguments: [String], _ status: Int32, _ sentence: String,
        _ surroundings: TarnProcess.Surroundings = .init()
    ) throws {
        let process = try town.start("laptop", arguments, surroundings)
        #expect(process.end() == status, "\(arguments): \(process.errors)")
        #expect(process.errors.contains(sentence), "\(process.errors)")
        #expect(process.errors.split(separator: "\n").count == 1)
        #expect(process.output == "")
    }

    @Test func `an older program beside a newer file does it no harm`() throws {
        let watch = try town.start("laptop", ["watch"])
        #expect(watch.says("Milk"))

        let version = try file.version()
        try file.run("PRAGMA user_version = 1000")

        // One that has it open already goes, too.
        try expectFailure(["add", "Bread"], 74, "a newer program")
        #expect(watch.end() == 74)
        #expect(watch.errors.contains("a newer program"))
        let bytes = try #require(Self.bytes(of: file.path))
        for arguments in [["ls"], ["add", "Bread"], ["sync"], ["status"], ["watch"]] {
            try expectFailure(arguments, 74, "a newer program")
        }
        #expect(Self.bytes(of: file.path) == bytes)
        try file.run("PRAGMA user_version = \(version)")
        #expect(try town.titles("laptop") == ["Milk"])
    }

    @Test func `a file that somebody holds for long is said to be busy, and loses nothing`() throws
    {
        let watches = try (1...2).map { _ in try town.start("laptop", ["watch"]) }
        for watch in watches { #expect(watch.says("Milk")) }
        do {
            let lock = try file.lock()
            try expectFailure(["add", "Bread"], 75, "Try again.")
            withExtendedLifetime(lock) {}
        }

        try town.tarn("laptop", "add", "Eggs")

        for watch in watches {
            #expect(watch.says("Eggs"))
            #expect(!watch.output.contains("Bread"))
            #expect(watch.end(by: SIGINT) == 0)
        }
        #expect(try town.tarn("laptop", "sync").status == 0)
        try town.enter("alice", on: "desk")
        #expect(try town.titles("desk") == ["Milk", "Eggs"])
    }

    @Test func `a replica on a file system of several machines is refused`() throws {
        let mounts = town.folder.file("mounts")
        let place = "36 35 98:0 / / rw - nfs4 server:/home rw\n"
        let library = try SubstituteFile(
            "/proc/self/mountinfo", by: mounts, holding: place, in: town.folder)

        for arguments in [["ls"], ["add", "Bread"]] {
            try expectFailure(
                arguments, 74, "is on nfs4: a replica must be on a disk of this machine",
                .init(preload: library.path))
        }
        #expect(try town.titles("laptop") == ["Milk"])
    }

    @Test func `a disk that fills up under the replica loses nothing and is named`() throws {
        let title = String(repeating: "a long title ", count: 6_000)
        var kept = ["Milk"]
        var failed: TarnProcess?
        for number in 1...40 where failed == nil {
            let name = "\(number) \(title)"
            let add = try town.start("laptop", ["add", name], .init(fileSizeMax: 700))
            if add.end() == 0 { kept.append("\(number)") } else { failed = add }
        }

        let refusal = try #require(failed)
        #expect(refusal.end() == -1 && refusal.output == "")
        #expect(refusal.errors.contains("the disk is full"), "\(refusal.errors)")
        #expect(refusal.errors.contains("Make room on the disk"))
        // Reading goes on; and with room again, everything else.
        let ls = try town.start("laptop", ["ls"], .init(fileSizeMax: 700))
        #expect(ls.end() == 0, "\(ls.errors)")
        #expect(try town.tarn("laptop", "sync").status == 0)
        try town.enter("alice", on: "desk")
        for profile in ["laptop", "desk"] {
            let titles = try town.titles(profile).map { $0.split(separator: " ")[0] }
            #expect(titles.map(String.init) == kept)
        }
    }

    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }
}
