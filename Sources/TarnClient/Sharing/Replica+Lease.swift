package import TarnStorage

extension Replica {
    /// Asks whether this process may lead, and stores the answer where it changes the lease.
    ///
    /// - Parameters:
    ///   - now: asked for once nobody else can write. A time from before the wait for that would be
    ///     older than a lease taken meanwhile, which would then seem to be from the future.
    ///   - isAlive: whether the process of that holder runs.
    package func claimLease(
        by own: LeaseHolder, holding held: UInt64?, now: @autoclosure () -> Int64,
        isAlive: (LeaseHolder) -> Bool
    ) throws(ReplicaError) -> LeaseRule.Verdict {
        do {
            return try inTransaction(.writing(.relaxed)) {
                let lease = try store.lease()
                let verdict = LeaseRule.verdict(
                    on: lease, by: own, holding: held, now: now(),
                    isAlive: lease.holder.map(isAlive) ?? false)
                switch verdict {
                case .acquire(let next), .lead(let next?): try store.setLease(next)
                case .wait, .lead(nil), .lost: break
                }
                return verdict
            }
        } catch {
            throw ReplicaError(error)
        }
    }

    /// Gives the lease back, where this process still has it.
    package func releaseLease(
        by own: LeaseHolder, holding held: UInt64, now: Int64
    ) throws(ReplicaError) {
        do {
            try inTransaction(.writing(.relaxed)) {
                let lease = try store.lease()
                guard lease.epoch == held, lease.holder == own else { return }
                try store.setLease(LeaseRule.released(lease, now: now))
            }
        } catch {
            throw ReplicaError(error)
        }
    }

    /// Inside a transaction. Throws `leaseLost` where another process has taken over since that
    /// epoch; nil is of a process that has the store for itself.
    func expectLease(_ epoch: UInt64?) throws {
        if let epoch, try store.lease().epoch != epoch {
            throw ReplicaError(.leaseLost, "another process synchronises this replica now")
        }
    }
}
