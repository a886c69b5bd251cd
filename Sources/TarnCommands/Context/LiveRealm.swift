import Glibc
import Tarn
import TarnClient
import TarnModel
import TarnStorage

/// A replica file that other processes may use, too, and the connection to its server while this
/// process waits for something.
final class LiveRealm: CommandRealm {
    private let shared: SharedReplica
    private let account: Tarn.Account
    private let profile: Profile

    init(_ shared: SharedReplica, _ account: Tarn.Account, _ profile: Profile) {
        self.shared = shared
        self.account = account
        self.profile = profile
    }

    var replica: Replica { shared.replica }

    func write<Answer>(_ body: (inout WriteTransaction) throws -> Answer) throws -> Answer {
        try shared.write(body)
    }

    func subscribe(
        to query: String, name: String, arguments: [Value], depth: Int?, update: Bool
    ) throws -> StoredSubscription {
        try shared.subscribe(
            to: query, name: name, arguments: arguments, depth: depth, update: update)
    }

    func unsubscribe(named name: String) throws -> Bool { try shared.unsubscribe(named: name) }

    func connection() throws -> RealmConnection {
        let now = try shared.synchronisation()
        return RealmConnection(leader: now.leader?.process, status: now.status)
    }

    func synchronise(
        milliseconds: Int, until isEnough: @escaping () throws -> Bool
    ) throws -> SyncResult {
        var failure: (any Error)?
        let run = try SyncRun(shared, of: account, in: profile)
        let outcome = run.wait(upTo: .milliseconds(milliseconds)) { run in
            do {
                return try isEnough() ? .done : run.givesUp
            } catch {
                failure = error
                return .stopped
            }
        }
        if let failure { throw failure }
        return try result(of: outcome)
    }

    func synchroniseAll(milliseconds: Int) throws -> SyncResult {
        let run = try SyncRun(shared, of: account, in: profile)
        return try result(of: run.waitUntilSynced(upTo: .milliseconds(milliseconds)))
    }

    func follow(_ changed: @escaping () throws -> Void) throws {
        // At once, whatever the connection does; and again with every notice, since one may come
        // between this look and the first of them.
        try changed()
        var failure: (any Error)?
        let run = try SyncRun(shared, of: account, in: profile)
        let outcome = run.run { notice, run in
            guard failure == nil else { return }
            do {
                try changed()
            } catch {
                failure = error
                run.stop()
            }
        }
        if let failure { throw failure }
        // Whoever ends a watch by a signal has what they want.
        if case .interrupted(_) = outcome { return }
        _ = try result(of: outcome)
    }

    private func result(of outcome: SyncOutcome) throws -> SyncResult {
        switch outcome {
        case .done, .leftToLeader, .stopped: return .done
        case .offline(let sentence): return .offline(sentence)
        case .timedOut: return .timedOut
        case .failed(let error): throw error
        case .interrupted(let signal): throw Interruption(signal: signal)
        }
    }
}

/// A signal asked the program to end.
struct Interruption: Error {
    let signal: Int32

    /// As shells have it.
    var status: Int32 { 128 + signal }
}
