import TarnClient
import TarnProtocol
import TarnStorage
import TarnTransport

/// Who leads.
extension SyncDriver {
    /// Looks who leads, and does what follows from it; again within a second.
    func look() {
        guard role != .idle else { return }
        let held: UInt64? = if case .leading(let epoch) = role { epoch } else { nil }
        var next = LeaseRule.renewEvery
        do throws(TarnError) {
            switch try shared.claim(by: holder, holding: held, isAlive: isAlive) {
            case .acquire(let lease): lead(lease.epoch)
            case .lead: break
            case .wait(let milliseconds):
                try follow()
                next = min(milliseconds, next)
            case .lost:
                // Lease and status are another's now: nothing to give back.
                role = .following(nil)
                leave()
                next = 0
                hear(.roleChanged)
            }
        } catch {
            // Whoever lost the lease meanwhile is kept from writing by its epoch.
            show(
                SyncStatus(
                    connection: status.connection, upToDate: status.upToDate,
                    problem: error.description))
        }
        guard role != .idle else { return }
        lookTimer?.cancel()
        lookTimer = loop.schedule(after: .milliseconds(next)) { [weak self] in
            guard let self else { return }
            look()
            notice()
        }
    }

    private func lead(_ epoch: UInt64) {
        leaderWatch = nil
        role = .leading(epoch: epoch)
        fault = nil
        isFresh = false
        // What kept the last leader from the server says nothing of this one's tries.
        status = SyncStatus(connection: .connecting, upToDate: status.upToDate, problem: nil)
        var engine = SyncEngine(
            shared.replica, credentials: .token(account.token), program: program)
        engine.epoch = epoch
        self.engine = engine
        hear(.roleChanged)
        tell(.started)
    }

    private func follow() throws(TarnError) {
        let leader = try shared.reading { try $0.store.lease().holder }
        guard let leader, role != .following(leader) else { return }
        role = .following(leader)
        // The end of a process is told at once; that it hangs shows in its lease.
        leaderWatch = ProcessWatch(leader.process, on: loop) { [weak self] in self?.look() }
        hear(.roleChanged)
    }

    /// Ceases to lead or follow.
    func leave(then finished: @escaping () -> Void = {}) {
        lookTimer?.cancel()
        engineTimer?.cancel()
        leaderWatch = nil
        engine = nil
        if case .leading(let epoch) = role {
            if status.connection != .stopped {
                try? shared.replica.setSyncStatus(
                    .offline, problem: status.problem, epoch: epoch)
            }
            // Where this fails, the lease becomes stale or its holder is seen to be gone.
            try? shared.release(by: holder, holding: epoch)
        }
        guard let link else { return finished() }
        self.link = nil
        link.letGo(within: TarnLimits.goodbye, then: finished)
    }

    /// The wake file was touched, by whomever.
    func woken(isGone: Bool) {
        guard role != .idle else { return }
        if isGone, !shared.isThere {
            let hear = hear
            stop()
            return hear(.replicaGone)
        }
        if case .following = role { look() } else { mendLogin() }
        notice()
    }

    /// Tells what is new in the replica, if anything is.
    func notice() {
        guard role != .idle, let new = try? ReplicaMark(shared), new != mark else { return }
        let old = mark
        mark = new
        if case .leading(let epoch) = role {
            if new.status.connection != status.connection {
                // Somebody has written over ours who does not lead.
                try? shared.replica.setSyncStatus(
                    status.connection, problem: status.problem, epoch: epoch)
            }
            status.upToDate = new.status.upToDate
            status.progress = new.status.progress
            if new.chain.sequence != old?.chain.sequence
                || new.subscriptions != old?.subscriptions
            {
                tell(.localChange)
            }
        } else if new.status != status {
            show(new.status)
        }
        if old.map(new.showsTheSame) != true { hear(.replicaChanged) }
    }

    func show(_ status: SyncStatus) {
        guard status != self.status else { return }
        self.status = status
        hear(.statusChanged(status))
    }
}
