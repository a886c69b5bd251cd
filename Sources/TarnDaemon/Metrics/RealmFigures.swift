import Synchronization

/// What realms have open.
struct RealmFigures: Equatable, Sendable {
    var openRealms = 0
    var replicaSessions = 0
    var subscriptions = 0
    /// Versions of their past that are forgotten, and that are not.
    var forgottenVersions = 0
    var rememberedVersions = 0
    /// What the commit log keeps of them.
    var logRecords = 0
    var logBytes = 0

    static func + (one: RealmFigures, other: RealmFigures) -> RealmFigures {
        RealmFigures(
            openRealms: one.openRealms + other.openRealms,
            replicaSessions: one.replicaSessions + other.replicaSessions,
            subscriptions: one.subscriptions + other.subscriptions,
            forgottenVersions: one.forgottenVersions + other.forgottenVersions,
            rememberedVersions: one.rememberedVersions + other.rememberedVersions,
            logRecords: one.logRecords + other.logRecords,
            logBytes: one.logBytes + other.logBytes)
    }
}

/// Asks the threads of realms what they have. One that is busy for too long is counted as it was.
final class RealmCensus: Sendable {
    private let executors: [RealmExecutor]
    private let last: Mutex<[RealmFigures]>

    init(_ executors: [RealmExecutor]) {
        self.executors = executors
        last = Mutex(executors.map { _ in RealmFigures() })
    }

    /// Waits for the threads, though not for long; so it is not for a thread that others wait for.
    func take() -> RealmFigures {
        let answers = executors.enumerated().map { index, executor in
            let answer = ThreadGate()
            executor.count { [self] figures in
                last.withLock { $0[index] = figures }
                answer.open()
            }
            return answer
        }
        // Once it has waited for one in vain it waits for no other.
        _ = answers.allSatisfy { $0.wait(seconds: 1) }
        return last.withLock { $0.reduce(RealmFigures(), +) }
    }
}
