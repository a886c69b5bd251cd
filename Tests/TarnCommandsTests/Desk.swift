import TarnClient
import TarnCommands
import TarnModel
import TarnStorage

/// A person at a terminal, who types commands.
final class Desk {
    let terminal = FakeTerminal()
    let profile = FakeProfile()
    var environment: [String: String] = [:]
    private var random: SeededRandom
    /// Advances with every command, so that what is made later is newer.
    private(set) var now: Int64

    /// - Parameter later: seconds by which this desk's clock is ahead of others'.
    init(user: String? = "alice", later: Int64 = 0) {
        now = 1_780_000_000_000 + later * 1_000
        random = SeededRandom(state: UInt64(1 + later))
        profile.present = user.map { CommandAccount(user: $0, server: "localhost:8276") }
    }

    struct Result: Equatable {
        let status: Int32
        let output: String
        let errors: String
    }

    @discardableResult
    func tarn(_ arguments: String...) -> Result { tarn(arguments) }

    @discardableResult
    func tarn(_ arguments: [String]) -> Result {
        terminal.clear()
        now += 1_000
        let now = now
        for _ in 0..<8 { _ = random.next() }
        let run = CommandRun(
            terminal: terminal, environment: { self.environment[$0] }, now: { now },
            random: random, openProfile: { _ in self.profile })
        let status = run.run(arguments)
        return Result(status: status, output: terminal.output, errors: terminal.errors)
    }

    func realm(_ name: String = "alice/todo") throws -> FakeRealm {
        guard let name = RealmName(name) else { throw CommandError(.usage, "no realm") }
        return try profile.fake(name)
    }

    func state() throws -> TodoState { try realm().replica.read { try TodoState($0) } }

    /// The titles of a project's tasks, in order; finished ones with a mark.
    func titles(_ project: String) throws -> [String] {
        try state().project(named: project).tasks.map { $0.isDone ? "✓\($0.title)" : $0.title }
    }
}
