import Glibc
import TarnStorage
import TarnTesting
import Testing

/// A leader that goes, however it does, and the one that comes after it.
@Suite(.serialized)
struct TakeoverTests {
    let town: Town
    let file: ReplicaFile

    init() throws {
        town = try Town()
        file = town.replica("laptop", of: "alice")
        #expect(try town.enter("alice", on: "laptop", isNew: true).status == 0)
        try town.tarn("laptop", "project", "add", "Groceries")
        try town.enter("alice", on: "desk")
    }

    /// A watch on the laptop that is ready.
    private func watch() throws -> TarnProcess {
        let watch = try town.start("laptop", ["watch"])
        #expect(watch.says("Groceries"))
        return watch
    }

    private func leads(_ process: TarnProcess) throws -> Bool {
        // Once it is connected it has nothing to write: who is stopped in a write holds up others.
        try Deadline(seconds: 20).wait {
            try file.leader == Int64(process.process)
                && file.sharing().status.connection == .connected
        }
    }

    @Test(arguments: [SIGKILL, SIGSTOP, SIGTSTP])
    func `a leader that is killed, stopped by force or by Ctrl-Z is taken over from`(
        signal: Int32
    ) throws {
        let first = try watch()
        #expect(try leads(first))
        let second = try watch()
        let epoch = try file.sharing().lease.epoch

        first.send(signal)

        #expect(try leads(second))
        #expect(try file.sharing().lease.epoch == epoch + 1)
        try town.tarn("desk", "add", "Bread")
        #expect(second.says("Bread"))
        if signal == SIGKILL {
            #expect(first.end() == -SIGKILL)
        } else {
            #expect(Deadline(seconds: 20).wait { first.isStopped })
            first.send(SIGCONT)
            try expectFollower(first, of: second, epoch: epoch + 1)
        }
        #expect(second.end(by: SIGINT) == 0)
        #expect(second.errors == "")
    }

    /// It shows what came meanwhile and what comes now, and leaves lease and status alone.
    private func expectFollower(
        _ late: TarnProcess, of leader: TarnProcess, epoch: UInt64
    ) throws {
        #expect(late.says("Bread"))
        try town.tarn("laptop", "add", "Eggs")
        #expect(late.says("Eggs"))
        #expect(leader.says("Eggs"))
        let sharing = try file.sharing()
        #expect(sharing.lease.epoch == epoch)
        #expect(sharing.lease.holder?.process == Int64(leader.process))
        #expect(sharing.status.connection == .connected)
        #expect(try town.titles("desk").sorted() == ["Bread", "Eggs"])
        #expect(late.end(by: SIGINT) == 0)
        #expect(late.errors == "")
    }

    @Test func `a command beside a leader that was stopped by force is sent by the next one`()
        throws
    {
        let first = try watch()
        #expect(try leads(first))
        first.send(SIGSTOP)

        // Nobody sends it within two seconds: nobody knows yet that the leader stands still.
        #expect(try town.tarn("laptop", "add", "Bread").status == 0)
        #expect(try town.tarn("laptop", "sync").status == 0)

        #expect(try town.titles("desk") == ["Bread"])
        first.send(SIGCONT)
        #expect(first.says("Bread"))
        #expect(first.end(by: SIGINT) == 0)
    }

    @Test func `a command whose leader dies meanwhile becomes the leader itself`() throws {
        let first = try watch()
        #expect(try leads(first))
        first.send(SIGSTOP)
        let add = try town.start("laptop", ["add", "Bread"])
        // Who is stopped in the middle of a write holds the file.
        if !add.says("Bread", seconds: 3) { first.send(SIGCONT) }
        #expect(add.says("Bread"))

        #expect(first.end(by: SIGKILL) == -SIGKILL)

        #expect(add.end() == 0)
        #expect(try town.tarn("laptop", "sync").status == 0)
        #expect(try town.titles("desk") == ["Bread"])
    }
}
