import Glibc
import TarnClient
import TarnStorage
import TarnTransport

/// Runs a driver on the current thread until it is done, for programs of one thread. The signals
/// that end a program give the lease back first; the one that stops it (Ctrl-Z) does, too, and it
/// goes on when the program does.
package final class SyncRun {
    package let driver: SyncDriver
    package var shared: SharedReplica { driver.shared }
    private let loop: EventLoop
    private let stand: () -> Void
    private var outcome: SyncOutcome?
    private var signals: SignalWatch?

    /// - Parameter stand: stops the process until it is continued.
    package init(
        _ shared: SharedReplica, of account: Account, in profile: Profile,
        program: String = "tarn", stand: @escaping () -> Void = { raise(SIGSTOP) }
    ) throws(TarnError) {
        self.stand = stand
        do throws(TransportError) {
            loop = try EventLoop(name: "tarn")
        } catch {
            throw TarnError(error)
        }
        driver = try SyncDriver(shared, of: account, in: profile, on: loop, program: program)
    }

    /// Sends what is unsent and waits for the receipts, as long as a person waits for a prompt.
    /// Where another process leads, that one sends it; it has been woken by the write.
    ///
    /// - Parameter waitsForLeader: whether to wait for the receipts in that case, too.
    package func syncBriefly(
        upTo limit: Duration = TarnLimits.brief, waitsForLeader: Bool = false
    ) -> SyncOutcome {
        let goal: UInt64
        do throws(TarnError) {
            let chain = try ReplicaMark(shared).chain
            guard chain.acknowledgedSequence < chain.sequence else { return .done }
            goal = chain.sequence
        } catch {
            return .failed(error)
        }
        return run(upTo: limit) { run in
            if case .following(_?) = run.driver.role, !waitsForLeader { return .leftToLeader }
            if let chain = run.driver.mark?.chain, chain.acknowledgedSequence >= goal {
                return .done
            }
            return run.givesUp
        }
    }

    /// Waits until nothing is unsent and the subscriptions are complete and fresh. Where there is
    /// no connection, it ends at the first failure to make one.
    package func waitUntilSynced(upTo limit: Duration) -> SyncOutcome {
        run(upTo: limit) { run in
            let driver = run.driver
            let isFresh =
                switch driver.role {
                case .leading: driver.isFresh
                case .following(_?): driver.status.connection == .connected
                case .following(nil), .idle: false
                }
            if isFresh, driver.mark?.isComplete == true { return .done }
            return run.givesUp
        }
    }

    /// Waits until something holds of the replica or the status, which is asked after every
    /// change; nil to wait on.
    package func wait(
        upTo limit: Duration? = nil, until verdict: @escaping (SyncRun) -> SyncOutcome?
    ) -> SyncOutcome {
        run(upTo: limit, asking: verdict)
    }

    /// Leads or follows, and tells of every change, until `stop` or a signal.
    package func run(_ hear: @escaping (SyncDriver.Notice, SyncRun) -> Void) -> SyncOutcome {
        run(upTo: nil, telling: hear) { _ in nil }
    }

    /// Ends `run`; may be called from what it tells.
    package func stop(_ outcome: SyncOutcome = .stopped) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        driver.stop { [loop] in loop.stop() }
    }

    // MARK: - How it is run

    /// What ends a wait before its goal.
    package var givesUp: SyncOutcome? {
        if let fault = driver.fault { return .failed(fault) }
        guard let problem = driver.status.problem, driver.role != .following(nil) else {
            return nil
        }
        switch driver.status.connection {
        case .offline: return .offline(problem)
        case .stopped: return .failed(TarnError(.serverRefused, problem))
        case .connecting, .connected: return nil
        }
    }

    private func run(
        upTo limit: Duration?,
        telling hear: @escaping (SyncDriver.Notice, SyncRun) -> Void = { _, _ in },
        asking verdict: @escaping (SyncRun) -> SyncOutcome?
    ) -> SyncOutcome {
        outcome = nil
        let timer = limit.map { limit in
            loop.schedule(after: limit) { [weak self] in self?.stop(.timedOut) }
        }
        defer { timer?.cancel() }
        do throws(TarnError) {
            signals = try SignalWatch(SignalWatch.ending, on: loop) { [weak self] signal in
                self?.heard(signal)
            }
            try driver.start { [weak self] notice in
                guard let self, outcome == nil else { return }
                if notice == .replicaGone {
                    outcome = .failed(SharedReplica.gone)
                    return loop.stop()
                }
                hear(notice, self)
                if outcome == nil, let outcome = verdict(self) { stop(outcome) }
            }
        } catch {
            signals = nil
            return .failed(error)
        }
        if outcome == nil, let outcome = verdict(self) { stop(outcome) }
        loop.runOnCurrentThread()
        signals = nil
        return outcome ?? .stopped
    }

    private func heard(_ signal: Int32) {
        guard signal == SIGTSTP else { return stop(.interrupted(signal)) }
        guard outcome == nil else { return }
        driver.pause { [weak self] in
            self?.stand()
            self?.driver.resume()
        }
    }
}
