import Glibc
import TarnTesting
import Testing

/// A program that was started with signals blocked, as some runtimes' children are.
struct BlockedSignalTests {
    private static let blocked = TarnProcess.Surroundings(
        blocked: [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT])
    let town: Town

    init() throws {
        town = try Town()
        #expect(try town.enter("alice", on: "laptop", isNew: true).status == 0)
        try town.tarn("laptop", "project", "add", "Groceries")
    }

    @Test func `a watch ends, stops and goes on all the same`() throws {
        let watch = try town.start("laptop", ["watch"], Self.blocked)
        #expect(watch.says("Groceries"))
        watch.send(SIGTSTP)
        #expect(Deadline(seconds: 20).wait { watch.isStopped })
        watch.send(SIGCONT)
        try town.tarn("laptop", "add", "Milk")
        #expect(watch.says("Milk"))

        #expect(watch.end(by: SIGINT) == 0)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a command that waits for the disk ends by what ends programs`(signal: Int32) throws {
        let lock = try town.replica("laptop", of: "alice").lock()
        let add = try town.start("laptop", ["add", "Milk"], Self.blocked)
        // It is past its start when it has the replica open.
        let file = town.replica("laptop", of: "alice").path
        #expect(Deadline(seconds: 20).wait { Self.hasOpen(file, add.process) })

        #expect(add.end(by: signal) == -signal)

        withExtendedLifetime(lock) {}
        #expect(try town.titles("laptop") == [])
    }

    private static func hasOpen(_ file: String, _ process: pid_t) -> Bool {
        let folder = "/proc/\(process)/fd"
        return TemporaryFolder.names(in: folder).contains { name in
            var buffer = [CChar](repeating: 0, count: 4_096)
            let count = readlink("\(folder)/\(name)", &buffer, buffer.count - 1)
            return String(decoding: buffer.prefix(max(count, 0)).map(UInt8.init), as: UTF8.self)
                == file
        }
    }
}
