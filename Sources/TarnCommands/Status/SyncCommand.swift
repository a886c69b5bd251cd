import TarnClient
import TarnStorage

/// `tarn sync`: waits until this machine and the server are in step.
enum SyncCommand {
    static let spec = CommandSpec(
        "sync", "", 0...0,
        options: [
            OptionSpec("timeout", value: "SECONDS", "how long to wait at most; the default is 60")
        ],
        "wait until nothing is unsent and the subscriptions are complete", run: run)

    @Sendable private static func run(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let seconds = try invocation.number("timeout", in: 0...1_000_000) ?? 60
        let realm = try context.openRealm()
        let result =
            realm.replica.isLocal
            ? SyncResult.done : try realm.synchroniseAll(milliseconds: seconds * 1_000)
        switch result {
        case .done:
            try context.answer("In step with the server", ["type": "sync", "result": "done"])
        case .offline(let sentence):
            throw CommandError(.unavailable, "there is no connection: \(sentence)")
        case .timedOut:
            let status = try realm.replica.read { try $0.status() }
            let fetched = status.sync.progress.map { ", \($0.words) fetched" } ?? ""
            throw CommandError(
                .tryAgain,
                "not in step after \(seconds) s; \(status.unsentCount) unsent\(fetched). "
                    + "tarn status says how it stands")
        }
    }
}
