import TarnClient
package import TarnStorage

/// How the synchronisation stands, as everybody may see it in the replica.
package struct Synchronisation: Equatable, Sendable {
    /// The process that leads; nil where nobody does.
    package let leader: LeaseHolder?
    /// What the leader knows, or the last one knew: where nobody leads, nothing is connected.
    package let status: SyncStatus
}

extension SharedReplica {
    /// Who leads, and what they know.
    package func synchronisation() throws(TarnError) -> Synchronisation {
        let (lease, stored) = try reading { reader in
            (try reader.store.lease(), try reader.store.syncStatus())
        }
        var leader = lease.holder
        if let holder = leader, !RunningProcess.isRunning(holder) { leader = nil }
        if Clock.steady() - lease.renewed >= LeaseRule.staleAfter { leader = nil }
        var status = stored
        if leader == nil, status.connection != .stopped { status.connection = .offline }
        return Synchronisation(leader: leader, status: status)
    }

    /// Asks whether this process may lead. Nothing is written while nothing changes.
    func claim(
        by own: LeaseHolder, holding held: UInt64?, isAlive: (LeaseHolder) -> Bool
    ) throws(TarnError) -> LeaseRule.Verdict {
        let now = Clock.steady()
        let verdict = try reading { reader in
            let lease = try reader.store.lease()
            return LeaseRule.verdict(
                on: lease, by: own, holding: held, now: now,
                isAlive: lease.holder.map(isAlive) ?? false)
        }
        switch verdict {
        case .wait, .lead(nil), .lost: return verdict
        case .acquire, .lead: break
        }
        do throws(ReplicaError) {
            return try replica.claimLease(
                by: own, holding: held, now: Clock.steady(), isAlive: isAlive)
        } catch {
            throw TarnError(error)
        }
    }

    func release(by own: LeaseHolder, holding held: UInt64) throws(TarnError) {
        do throws(ReplicaError) {
            try replica.releaseLease(by: own, holding: held, now: Clock.steady())
        } catch {
            throw TarnError(error)
        }
        announce()
    }

    /// Reads, with every failure as a `TarnError`.
    func reading<Answer>(
        _ body: (ReplicaReader) throws -> Answer
    ) throws(TarnError) -> Answer {
        do {
            return try replica.read(body)
        } catch {
            throw TarnError(anything: error)
        }
    }
}
